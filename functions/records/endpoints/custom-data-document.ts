/** GET {collection}/openapi.json: the custom data of a type of objects, described for generators of clients. */

import * as Type from 'typebox';
import description from '../../../package.json' with { type: 'json' };
import { readWriteSnapshot } from '../../../shared/custom-data/registrations.ts';
import { readSourceColumns } from '../../../shared/custom-data/sources/source-columns.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { json } from '../../../shared/http/reply.ts';
import { type KindName, objectKinds } from '../objects/kinds.ts';
import {
  databasesFor,
  endpoint,
  type RecordsCaller,
  type RecordsService,
} from '../operations/records-service.ts';
import { bounds } from '../wire/bounds.ts';
import { customDataDocument } from '../wire/custom-data-document.ts';

/** No object has this propID: what is registered for it is what its type has. */
const noObject = 0;

/** Creates the endpoint that describes the custom data of a kind. */
export function customDataDocumentEndpoint(
  { databases, objects, signIn }: RecordsService,
  name: KindName,
): Endpoint<RecordsCaller> {
  const kind = objectKinds[name];
  const words = kind.collection.replaceAll('-', ' ');
  return endpoint({
    method: 'GET',
    path: `/${kind.collection}/openapi.json`,
    operationId: `get-openapi-of-${kind.collection}`,
    bound: bounds.catalog,
    summary: `Describe the custom data of ${words} (OpenAPI 3.1)`,
    description: `The document of the custom data that every ${kind.name} has by a registration by type, with the columns of its sources as schemas: generators make types of them. Stored values, and registrations of one object, are any JSON. The columns are found as for the list of sources.`,
    tag: 'Custom data',
    access: 'bearer',
    extension: true,
    replies: {
      200: { description: 'The document.', schema: Type.Object({}, { additionalProperties: true }) },
    },
    async handle({ link, route, ...call }) {
      const { customization } = databasesFor(databases, call);
      const of = { propID: noObject, typeID: objects.typeOf(kind) };
      const { registrations, setParameters } = await readWriteSnapshot(customization, of);
      const references = registrations.filter((item) => item.kind !== 'JSON');
      const columns = await readSourceColumns(customization, references, call.caller.user);
      const types = references.map((reference) => ({
        reference,
        columns: columns.get(reference.identifier),
        parameters: reference.kind === 'REF' ? setParameters.get(reference.identifier) : undefined,
      }));
      const { version, license } = description;
      const server = link('').slice(0, -`/${route.mount.path}`.length);
      const info = {
        title: `Records: the custom data of ${words}`,
        version,
        license,
        contact: `${server}/openapi.json`,
        server,
        ...signIn(),
      };
      return json(customDataDocument({ ...route.api, mounts: [route.mount] }, kind, types, info));
    },
  });
}
