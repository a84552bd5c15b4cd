/** GET custom-data/sources: the sources of the custom data of an object, for consultants who register them. */

import * as Type from 'typebox';
import { type Registration, readRegistrations } from '../../../shared/custom-data/registrations.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { json } from '../../../shared/http/reply.ts';
import { type KindName, objectKinds } from '../objects/kinds.ts';
import { findCustomData } from '../operations/find-custom-data.ts';
import { endpoint, type RecordsCaller, type RecordsService } from '../operations/records-service.ts';
import { bounds } from '../wire/bounds.ts';
import { objectId } from '../wire/schemas.ts';

const sourceSchema = Type.Object(
  {
    identifier: Type.String(),
    kind: Type.Union(['JSON', 'REF', 'REF_RO'].map((kind) => Type.Literal(kind))),
    source: Type.Union(
      ['stored', 'procedure', 'view', 'missing'].map((source) => Type.Literal(source)),
      { description: 'What the value is read from.' },
    ),
    name: Type.Union([Type.String(), Type.Null()], { description: 'Name of the procedure or view.' }),
    shape: Type.Optional(
      Type.Union([Type.Literal('one'), Type.Literal('many')], {
        description: 'Fixed by a registration by type.',
      }),
    ),
  },
  { $id: 'CustomDataSource' },
);

/** Creates the endpoint that lists the sources of an object of a kind. */
export function customDataSources(service: RecordsService, name: KindName): Endpoint<RecordsCaller> {
  const kind = objectKinds[name];
  return endpoint({
    method: 'GET',
    path: `/${kind.collection}/{id}/custom-data/sources`,
    operationId: `list-custom-data-sources-of-${kind.collection}`,
    bound: bounds.catalog,
    summary: `List where the custom data of a ${kind.name} comes from`,
    description: 'One entry per identifier, in the order of the custom data. Sources are not read for it.',
    tag: 'Custom data',
    access: 'bearer',
    extension: true,
    parameters: objectId(name),
    problems: { 404: 'object-not-found' },
    replies: {
      200: {
        description: 'The sources.',
        schema: Type.Array(sourceSchema, { $id: 'CustomDataSources' }),
      },
    },
    async handle({ path: { id }, ...call }) {
      const { customization, of } = await findCustomData(service, name, id, call);
      const { registrations } = await readRegistrations(customization, of);
      return json(registrations.map(toDescription));
    },
  });
}

function toDescription(registration: Registration) {
  const { identifier, kind } = registration;
  if (registration.kind === 'JSON') return { identifier, kind, source: 'stored', name: null };
  const { source, shape } = registration;
  const fixed = shape === undefined ? {} : { shape };
  if (source.hasProcedure)
    return { identifier, kind, source: 'procedure', name: `pCustomData_${identifier}_Get`, ...fixed };
  const isThere = source.view !== 'missing';
  return {
    identifier,
    kind,
    source: isThere ? 'view' : 'missing',
    name: isThere ? `CustomData_${identifier}` : null,
    ...fixed,
  };
}
