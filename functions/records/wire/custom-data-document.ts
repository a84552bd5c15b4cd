/** The OpenAPI document of the custom data that a type of objects has by its registrations, with schemas from the catalog. */

import type { TSchema } from 'typebox';
import * as Type from 'typebox';
import type { ProcedureParameter } from '../../../shared/custom-data/registrations.ts';
import { propertiesOf } from '../../../shared/custom-data/set-calls.ts';
import type { Reference } from '../../../shared/custom-data/sources/reference.ts';
import type { SourceColumn } from '../../../shared/custom-data/sources/source-columns.ts';
import type { ApiDescription, EndpointDescription } from '../../../shared/http/description.ts';
import { type DocumentInfo, openApiDocument } from '../../../shared/http/openapi.ts';
import { pathSegment } from '../../../shared/http/urls.ts';
import { jsonTypeOf } from '../../../shared/sql/sql-json.ts';
import type { ObjectKind } from '../objects/kinds.ts';
import { storedSchema } from './replacement-reply.ts';
import { componentName } from './schemas.ts';

/** An identifier that is registered for a type, and what is known of it. */
export interface RegisteredType {
  readonly reference: Reference;
  /** Of its source; undefined: not known. */
  readonly columns: readonly SourceColumn[] | undefined;
  /** Of its `_Set` procedure; undefined: there is none. */
  readonly parameters: readonly ProcedureParameter[] | undefined;
}

/** The schemas of an identifier: its name in the document, what is read, and what may be sent. */
interface TypedValue {
  readonly identifier: string;
  readonly kind: Reference['kind'];
  readonly name: string;
  readonly value: TSchema;
  readonly change: TSchema;
}

/** Composes the document. `api` has the endpoints of a kind, whose values are any JSON. */
export function customDataDocument(
  api: ApiDescription,
  kind: ObjectKind,
  types: readonly RegisteredType[],
  info: DocumentInfo,
): Record<string, unknown> {
  const untyped = endpointsOf(api, kind);
  const { components } = openApiDocument([{ ...api, endpoints: Object.values(untyped) }], info);
  const { schemas } = components as { readonly schemas: Readonly<Record<string, unknown>> };
  const names = new Names([...Object.keys(schemas), ...Object.values(wholeNames(kind))]);
  const values = types.map((type) => typedValue(type, names));
  const endpoints = [
    ...wholeEndpoints(untyped, kind, values),
    ...values.flatMap(valueEndpoints(untyped, kind)),
  ];
  return openApiDocument([{ ...api, endpoints }], info);
}

type Endpoints = Readonly<Record<'read' | 'replace' | 'readValue' | 'replaceValue', EndpointDescription>> & {
  /** Where the metadata of the kind is served. */
  readonly list?: EndpointDescription;
};

function endpointsOf({ endpoints }: ApiDescription, { collection }: ObjectKind): Endpoints {
  const find = (start: string) =>
    endpoints.find(({ operationId }) => operationId === `${start}-${collection}`);
  const get = (start: string) => {
    const found = find(start);
    if (found === undefined) throw new Error(`No endpoint ${start}-${collection}`);
    return found;
  };
  const list = find('list-custom-data-values-of');
  return {
    read: get('get-custom-data-of'),
    replace: get('put-custom-data-of'),
    readValue: get('get-custom-data-value-of'),
    replaceValue: get('put-custom-data-value-of'),
    ...(list === undefined ? {} : { list }),
  };
}

/** Names of components, each once whatever its case: generators make files of them. */
class Names {
  readonly #taken: Set<string>;

  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken.map((name) => name.toLowerCase()));
  }

  /** Returns a name for an identifier that is free with each of the endings. */
  take(identifier: string, endings: readonly string[]): string {
    const words = inAscii(identifier).match(/[A-Za-z0-9]+/g) ?? [];
    const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    const start = /^[A-Z]/.test(name) ? name : `Value${name}`;
    for (let number = 1; ; number++) {
      const free = number === 1 ? start : `${start}_${number}`;
      const all = endings.map((ending) => (free + ending).toLowerCase());
      if (all.some((item) => this.#taken.has(item))) continue;
      for (const item of all) this.#taken.add(item);
      return free;
    }
  }
}

/** Letters that are no others with a mark. */
const letters: Readonly<Record<string, string>> = { æ: 'ae', Æ: 'Ae', ø: 'oe', Ø: 'Oe', ß: 'ss' };

function inAscii(text: string): string {
  return text
    .replaceAll(/[æÆøØß]/g, (letter) => letters[letter] ?? '')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '');
}

const endings = { row: 'Row', value: '', changeRow: 'ChangeRow', change: 'Change' } as const;

function typedValue({ reference, columns, parameters }: RegisteredType, names: Names): TypedValue {
  const { identifier, kind } = reference;
  const name = names.take(identifier, Object.values(endings));
  const named = (schema: object, ending: keyof typeof endings) =>
    Type.Unsafe({ ...schema, $id: name + endings[ending] });
  const title = `The custom data ${JSON.stringify(identifier)}`;
  if (columns === undefined) {
    const any = named({ description: `${title}: any JSON, since its columns are not known.` }, 'value');
    return { identifier, kind, name, value: any, change: any };
  }
  const properties = propertiesByName(columns.map((column) => [column.name, schemaOf(column)] as const));
  const row = named(
    {
      type: 'object',
      properties,
      required: columns.map((column) => column.name),
      additionalProperties: false,
    },
    'row',
  );
  const value = named({ description: `${title}.`, ...shaped(reference, row) }, 'value');
  const sent = propertiesOf(parameters ?? []);
  if (sent.length === 0) return { identifier, kind, name, value, change: value };
  const ofColumns = new Map(columns.map((column) => [column.name.toLowerCase(), column.name]));
  const changeRow = named(
    {
      type: 'object',
      properties: propertiesByName([
        ...columns.map((column) => [column.name, schemaOf({ ...column, nullable: true })] as const),
        ...sent.map(({ name: property, parameter: { type } }) => {
          const schema = schemaOf({ type, nullable: true });
          return [ofColumns.get(property.toLowerCase()) ?? property, schema] as const;
        }),
      ]),
      additionalProperties: false,
    },
    'changeRow',
  );
  const change = named(
    {
      description: `${title}, as it is sent: its procedure takes these properties.`,
      ...shaped(reference, changeRow),
    },
    'change',
  );
  return { identifier, kind, name, value, change };
}

function propertiesByName(entries: readonly (readonly [string, object])[]): Readonly<Record<string, object>> {
  return Object.fromEntries(entries);
}

function schemaOf({ type: sqlType, nullable }: Pick<SourceColumn, 'type' | 'nullable'>): object {
  const { type, ...rest } = jsonTypeOf(sqlType);
  if (type === undefined) return {};
  return { type: nullable ? [type, 'null'] : type, ...rest };
}

/** Returns the schema of a value by the registration: one row, an array, or by the number of rows. */
function shaped({ kind, shape }: Reference, row: TSchema): object {
  const array = { type: 'array', items: row };
  if (shape === 'many' || (shape === undefined && kind === 'REF_RO')) return array;
  return { anyOf: [row, ...(shape === 'one' ? [] : [array]), { type: 'null' }] };
}

function wholeNames(kind: ObjectKind) {
  const value = `CustomDataOf${componentName(kind)}`;
  return { value, change: `${value}Change` };
}

function wholeEndpoints(
  { read, replace }: Endpoints,
  kind: ObjectKind,
  values: readonly TypedValue[],
): EndpointDescription[] {
  const ids = wholeNames(kind);
  const schemasOf = (part: 'value' | 'change') =>
    propertiesByName(values.map((typed) => [typed.identifier, typed[part]] as const));
  const whole = Type.Unsafe({
    $id: ids.value,
    type: 'object',
    description: `What each ${kind.name} has, and stored values: any JSON.`,
    properties: schemasOf('value'),
    required: values.map(({ identifier }) => identifier),
    additionalProperties: true,
  });
  const change = Type.Unsafe({
    $id: ids.change,
    type: 'object',
    properties: schemasOf('change'),
    additionalProperties: true,
  });
  return [
    // Without the parameter that leaves identifiers out: then all are there.
    { ...read, query: undefined, replies: withSchema(read, 200, whole) },
    {
      ...replace,
      body: { schema: change, as: 'text' },
      replies: withSchema(replace, 200, Type.Unsafe({ anyOf: [storedSchema, whole] })),
    },
  ];
}

/** Its address lists the sources. */
const sourcesSegment = 'sources';

function valueEndpoints({ read, readValue, replaceValue, list }: Endpoints, kind: ObjectKind) {
  // Without the identifier, which its path names.
  const idOnly = read.parameters;
  const { collection } = kind;
  return ({ identifier, kind: registered, name, value, change }: TypedValue): EndpointDescription[] => {
    if (!identifier.isWellFormed()) return [];
    const segment = pathSegment(identifier);
    const of = (endpoint: EndpointDescription, path: string): EndpointDescription => ({
      ...endpoint,
      path,
      operationId: `${endpoint.operationId}-${name}`,
      summary: `${endpoint.summary}: ${identifier}`,
      parameters: idOnly,
    });
    const path = `/${collection}/{id}/custom-data/${segment}`;
    const ofOne = [
      { ...of(readValue, path), replies: withSchema(readValue, 200, value) },
      {
        ...of(replaceValue, path),
        body: { schema: change, as: 'text' as const },
        replies: withSchema(replaceValue, 200, Type.Unsafe({ anyOf: [storedSchema, value] })),
      },
    ].filter(({ method }) => method === 'GET' || registered === 'REF');
    const items = Type.Array(Type.Object({ id: Type.String(), value }));
    const ofMany =
      list === undefined
        ? []
        : [
            {
              ...of(list, `/${collection}/custom-data/${segment}`),
              parameters: undefined,
              replies: withSchema(list, 200, items),
            },
          ];
    return [...(identifier === sourcesSegment ? [] : ofOne), ...ofMany];
  };
}

/** Returns the replies of an endpoint with another schema of one; those that create are left out, since what is registered is there, and CSV, which would make a text of each type. */
function withSchema(
  { replies }: EndpointDescription,
  status: number,
  schema: TSchema,
): EndpointDescription['replies'] {
  const { 201: _created, ...others } = replies;
  const { description = '', headers = {} } = replies[status] ?? {};
  return { ...others, [status]: { description, schema, headers } };
}
