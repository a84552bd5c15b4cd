/** GET authorized: whether authentication works, and as whom. */

import * as Type from 'typebox';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { json } from '../../../shared/http/reply.ts';
import { endpoint, type RecordsCaller } from '../operations/records-service.ts';
import { bounds } from '../wire/bounds.ts';

const authorizedSchema = Type.Object(
  {
    account: Type.String({ description: 'Account in tUserSettings.' }),
    name: Type.String(),
    usrPropID: Type.Integer({ description: 'The propID that custom procedures get as @usrPropID.' }),
    langID: Type.Integer({ description: 'The language that custom procedures get as @langID.' }),
  },
  { $id: 'Authorized' },
);

/** Returns the endpoint that confirms the caller. */
export function authorized(): Endpoint<RecordsCaller>[] {
  return [
    endpoint({
      method: 'GET',
      path: '/authorized',
      operationId: 'get-authorized',
      bound: bounds.caller,
      summary: 'Confirm that authentication works, and tell as which user',
      tag: 'Authentication',
      access: 'bearer',
      replies: { 200: { description: 'The caller is authenticated.', schema: authorizedSchema } },
      handle({ caller }) {
        const { account, name, usrPropID, langID } = caller.user;
        return json({ account, name, usrPropID, langID });
      },
    }),
  ];
}
