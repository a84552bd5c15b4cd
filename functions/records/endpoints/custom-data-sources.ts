/** GET custom-data/sources: the sources of the custom data of an object, for consultants who register them. */

import * as Type from 'typebox';
import { type Registration, readRegistrations } from '../../../shared/custom-data/registrations.ts';
import { readSourceColumns, type SourceColumn } from '../../../shared/custom-data/sources/source-columns.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { json } from '../../../shared/http/reply.ts';
import { jsonTypeOf } from '../../../shared/sql/sql-json.ts';
import { type KindName, objectKinds } from '../objects/kinds.ts';
import { findCustomData } from '../operations/find-custom-data.ts';
import { endpoint, type RecordsCaller, type RecordsService } from '../operations/records-service.ts';
import { bounds } from '../wire/bounds.ts';
import { objectId } from '../wire/schemas.ts';

const columnSchema = Type.Object(
  {
    name: Type.String(),
    sqlType: Type.String({
      description:
        'Type in SQL Server, of a view with its size: decimal(18, 2). Empty for a type of its own.',
    }),
    jsonType: Type.Union(
      ['boolean', 'integer', 'number', 'string', 'any'].map((type) => Type.Literal(type)),
      { description: 'What JSON its values are.' },
    ),
    format: Type.Optional(
      Type.String({ description: 'How strings and numbers are written: date, date-time, uuid, int64.' }),
    ),
    nullable: Type.Boolean({ description: 'Whether values may be null; of a procedure always true.' }),
  },
  { $id: 'CustomDataColumn' },
);

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
    columns: Type.Optional(
      Type.Array(columnSchema, {
        description:
          'What a row has. Absent where it is not known: of stored values, of a source that gives JSON (FOR JSON), and of a procedure that does not answer without an object.',
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
    description:
      'One entry per identifier, in the order of the custom data, with the columns of its source. Values are not read for it: the columns of a view are those of the catalog, and a procedure is called with the propID 0, which no object has.',
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
      const references = registrations.filter((item) => item.kind !== 'JSON');
      const columns = await readSourceColumns(customization, references, of.user);
      return json(
        registrations.map((registration) => {
          const itsColumns = columns.get(registration.identifier)?.map(toColumn);
          return {
            ...toDescription(registration),
            ...(itsColumns === undefined ? {} : { columns: itsColumns }),
          };
        }),
      );
    },
  });
}

function toColumn({ name, type, sqlType, nullable }: SourceColumn) {
  const { type: jsonType = 'any', format } = jsonTypeOf(type);
  return { name, sqlType, jsonType, ...(format === undefined ? {} : { format }), nullable };
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
