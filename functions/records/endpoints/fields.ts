/** GET {collection}/fields: the fields of a kind of object, with what customers call them. */

import * as Type from 'typebox';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { json } from '../../../shared/http/reply.ts';
import { columnsOf, searchTypeOf } from '../objects/fields.ts';
import type { KindName, ObjectKind } from '../objects/kinds.ts';
import { labelsFor } from '../operations/field-labels.ts';
import { endpoint, type RecordsCaller, type RecordsService } from '../operations/records-service.ts';
import { bounds } from '../wire/bounds.ts';
import { comparisonsOf } from '../wire/list-query.ts';
import { createSchema, languageParameter, tagOf } from '../wire/schemas.ts';

const fieldSchema = Type.Object(
  {
    name: Type.String(),
    label: Type.Union([Type.String(), Type.Null()], {
      description: 'What the customer calls it (tFieldLabels); null where it has no name in the language.',
    }),
    type: Type.Union(
      ['text', 'integer', 'date', 'number'].map((name) => Type.Literal(name)),
      { description: 'A date is written YYYY-MM-DD.' },
    ),
    required: Type.Boolean({ description: 'Whether a new object must have it.' }),
    readOnly: Type.Boolean({ description: 'Whether the service gives the value.' }),
    maxLength: Type.Optional(Type.Integer({ description: 'Characters of a text, at most.' })),
    minimum: Type.Optional(Type.Number()),
    maximum: Type.Optional(Type.Number()),
    comparisons: Type.Array(Type.String(), {
      description:
        'How a search can compare it: by the word in brackets behind its name; `equals` also by its name alone. Empty: not searchable.',
    }),
  },
  { $id: 'FieldDescription' },
);

const fieldsSchema = Type.Array(fieldSchema, { $id: 'FieldDescriptions' });

/** Creates the endpoint that lists the fields of a kind. */
export function fieldsEndpoint(service: RecordsService, name: KindName): Endpoint<RecordsCaller> {
  const kind = service.served.kindOf(name);
  return endpoint({
    method: 'GET',
    path: `/${kind.collection}/fields`,
    operationId: `list-fields-of-${kind.collection}`,
    bound: bounds.catalog,
    summary: `List the fields of ${kind.collection.replaceAll('-', ' ')}, with types, limits and labels`,
    description:
      "Labels are rows of the table tFieldLabels in the customization database, by type of object, field and language: that of the caller unless the query names another. An object whose identifier is `fields` can't be read.",
    tag: tagOf(kind),
    access: 'bearer',
    extension: true,
    query: Type.Object(
      { language: languageParameter('that of the caller') },
      { additionalProperties: false },
    ),
    problems: { 400: 'invalid-parameters', 500: 'database-contract' },
    replies: { 200: { description: 'Every field of the metadata.', schema: fieldsSchema } },
    async handle({ query: { language }, ...call }) {
      const labels = await labelsFor(service, kind, call, language);
      return json(fieldsOf(kind).map((field) => ({ ...field, label: labels[field.name] ?? null })));
    },
  });
}

interface ValueSchema {
  readonly type: string | readonly string[];
  readonly format?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

const typeWords: Readonly<Record<string, string>> = { string: 'text', integer: 'integer', number: 'number' };

/** Describes the fields of a kind as the schema of a new object does. */
function fieldsOf(kind: ObjectKind) {
  const { properties, required = [] } = createSchema(kind) as unknown as {
    readonly properties: Readonly<Record<string, ValueSchema>>;
    readonly required?: readonly string[];
  };
  return columnsOf(kind).map((name) => {
    const schema = properties[name];
    const type = searchTypeOf(name);
    return {
      name,
      type: schema === undefined ? 'text' : typeWord(schema),
      required: required.includes(name) && !kind.isView,
      readOnly: schema === undefined || kind.isView === true,
      ...limitsOf(schema),
      comparisons: type === undefined ? [] : comparisonsOf[type],
    };
  });
}

function typeWord({ type, format }: ValueSchema): string {
  if (format === 'date') return 'date';
  return typeWords[typeof type === 'string' ? type : (type[0] ?? '')] ?? 'text';
}

function limitsOf({ maxLength, minimum, maximum }: Partial<ValueSchema> = {}) {
  return {
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  };
}
