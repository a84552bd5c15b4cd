/** The reply to a PUT of custom data: links, or what the caller prefers (RFC 7240). */

import * as Type from 'typebox';
import type { Replaced } from '../../../shared/custom-data/replace.ts';
import { isCodedError } from '../../../shared/errors.ts';
import type { Tagged } from '../../../shared/http/entity-tag.ts';
import { type PreferredReturn, preferenceApplied } from '../../../shared/http/prefer.ts';
import { empty, json, RawJson, type Reply } from '../../../shared/http/reply.ts';
import { logFailure } from '../../../shared/telemetry/log.ts';
import { etagHeader } from './schemas.ts';

export const storedSchema = Type.Object(
  {
    _links: Type.Array(
      Type.Object({ href: Type.String({ format: 'uri' }), rel: Type.String(), method: Type.Literal('GET') }),
    ),
  },
  { $id: 'CustomDataStored' },
);

/** The headers of the reply. */
export const storedHeaders = {
  ...etagHeader,
  [preferenceApplied]: {
    description: 'The preference that the reply follows, such as return=representation.',
    schema: Type.String(),
  },
};

interface Target {
  readonly href: string;
  readonly rel: string;
  /** Reads the state, where it is not known from the change. */
  readonly read: () => Promise<Tagged>;
}

/** Answers a change that is stored. A state that cannot be read leaves the preference out: the change is no failure. */
export async function storedReply(
  preference: PreferredReturn | undefined,
  { state, isNew }: Replaced,
  { href, rel, read }: Target,
): Promise<Reply> {
  const representation =
    preference === 'representation' ? (state ?? (await read().catch(omitFailure))) : undefined;
  const etag = (representation ?? state)?.etag;
  const status = isNew ? 201 : 200;
  const headers = {
    ...(etag === undefined ? {} : { ETag: etag }),
    ...(isNew ? { Location: href } : {}),
  };
  const applied = { ...headers, [preferenceApplied]: `return=${preference}` };
  if (representation !== undefined)
    return json(new RawJson(representation.content), { status, headers: applied });
  if (preference === 'minimal' && !isNew) return empty(204, applied);
  const links = { _links: [{ href, rel, method: 'GET' }] };
  return json(links, { status, headers: preference === 'minimal' ? applied : headers });
}

function omitFailure(error: unknown): undefined {
  if (!isCodedError(error)) logFailure(undefined, error);
}
