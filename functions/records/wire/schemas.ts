/** Schemas of the objects of the records API, made from the table of kinds. */

import type { TSchema } from 'typebox';
import * as Type from 'typebox';
import { replayedHeader } from '../../../shared/http/reply.ts';
import { bkFieldNames, bkStrLength, bkTypeOf } from '../objects/bk-fields.ts';
import { descriptionLength, parentField, titleLength } from '../objects/fields.ts';
import { type BkType, bkTypes, type KindName, type ObjectKind, objectKinds } from '../objects/kinds.ts';
import { objectExamples } from './examples.ts';

/** The path parameter of an object of a kind. */
export function objectId(name: KindName) {
  return Type.Object({
    id: Type.String({
      minLength: 1,
      description: `Identifier of the ${objectKinds[name].name}; a slash in it is written %252F.`,
      examples: [objectExamples[name].id],
    }),
  });
}

/** The header that names the state of what is replied. */
export const etagHeader = {
  ETag: { description: 'Names this state; send it in If-Match or If-None-Match.', schema: Type.String() },
} as const;

/** The header of the reply to a creation. */
export const locationHeader = {
  Location: { description: 'URL of what is new.', schema: Type.String({ format: 'uri' }) },
};

/** The header of the reply to a creation that was sent again. */
export const replayedHeaders = {
  [replayedHeader]: {
    description: '`true`: an earlier request with the same Idempotency-Key has created the object.',
    schema: Type.String(),
  },
};

/** The reply to a read whose If-None-Match names the current state. */
export const notModifiedReply = { description: 'The caller already has this state.' } as const;

/** The query parameter that chooses a language; `usual` is which one it is without. */
export function languageParameter(defaultLanguage: string) {
  return Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: `The langID of the wanted language, such as 1030 (RefData_languages lists them); without it ${defaultLanguage}. (Extension.)`,
    }),
  );
}

/** The query parameter that chooses the fields of objects. */
export const fieldsParameter = Type.Optional(
  Type.Array(Type.String(), {
    description:
      'The fields to read, with commas between, in this order: `id,title,bkStr01`; without it all. (Extension.)',
    examples: [['id', 'title', 'bkStr01']],
  }),
);

/** The query parameter that chooses a language by its number, or that of the caller. */
export const languageOrCaller = Type.Optional(
  Type.Union([Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), Type.Literal('caller')], {
    description:
      "The langID of the wanted language, such as 1030 (RefData_languages lists them), or `caller` for that of the caller; without it that of the service's own user. (Extension.)",
  }),
);

/** The query parameters that choose a part of a list. */
export const paging = (defaultLimit: number) => ({
  limit: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    default: defaultLimit,
    description: 'Items in a reply, at most.',
  }),
  offset: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    default: 0,
    description:
      'Items to leave out. While others change the list, a page may miss some, or repeat them; `after` does not.',
  }),
  after: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'The key of the last object of the page before, as `next` of the header Link has it.',
    }),
  ),
});

/** The schemas of values by the type of bk-field. */
export const bkSchemas: Readonly<Record<BkType, object>> = {
  Str: { type: 'string', maxLength: bkStrLength },
  Int: { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 },
  Date: { type: 'string', format: 'date', pattern: '^(?!0000)' },
  Float: { type: 'number', format: 'double' },
};

function nullable(schema: object): TSchema {
  const { type, ...rest } = schema as { readonly type: string };
  return Type.Unsafe<string | number | null>({ type: [type, 'null'], ...rest });
}

/** Returns the schemas of the bk-fields of a kind. All fields of a type share one schema, since a kind has up to 120. */
export function bkProperties(
  kind: ObjectKind,
  form: (schema: object) => TSchema = nullable,
): Record<string, TSchema> {
  const forms = new Map(bkTypes.map((type) => [type, form(bkSchemas[type])]));
  const fields = bkFieldNames(kind).map((name) => [name, forms.get(bkTypeOf(name) ?? 'Str')] as const);
  return Object.fromEntries(fields) as Record<string, TSchema>;
}

/** bk1 .. bk9 are accepted for bk01 .. bk09. */
export function oneDigitNames(form: (schema: object) => TSchema = nullable): Record<string, TSchema> {
  return Object.fromEntries(
    Object.entries(bkSchemas).map(([type, schema]) => [`^bk${type}[1-9]$`, form(schema)]),
  );
}

const title = { type: 'string', minLength: 1, maxLength: titleLength };
const description = { type: 'string' };
const newDescription = { ...description, maxLength: descriptionLength };
const year = Type.Integer({
  minimum: 1900,
  maximum: 9999,
  description: 'The year that the numbers of its cases begin with.',
});

/** Returns the name of the component of a kind in documents. */
export function componentName(kind: ObjectKind, suffix = ''): string {
  return kind.name.replace(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase()) + suffix;
}

const recordSchemas = new Map<ObjectKind, TSchema>();

/** The schema of an object with all of its fields. */
export function recordSchema(kind: ObjectKind): TSchema {
  const schema =
    recordSchemas.get(kind) ??
    Type.Object(recordProperties(kind), { $id: componentName(kind), additionalProperties: false });
  recordSchemas.set(kind, schema);
  return schema;
}

const selectionSchemas = new Map<ObjectKind, TSchema>();

/** The schema of an object with the fields that a query names, or all of them. */
export function selectionSchema(kind: ObjectKind): TSchema {
  const schema =
    selectionSchemas.get(kind) ??
    Type.Object(
      Object.fromEntries(
        Object.entries(recordProperties(kind)).map(([name, property]) => [name, Type.Optional(property)]),
      ),
      {
        $id: componentName(kind, 'Selection'),
        additionalProperties: false,
        description: 'All fields; or those alone that `fields` names.',
      },
    );
  selectionSchemas.set(kind, schema);
  return schema;
}

function recordProperties(kind: ObjectKind): Record<string, TSchema> {
  // A view of an existing product may lack columns.
  const value = (schema: object): TSchema => (kind.isView ? nullable(schema) : Type.Unsafe(schema));
  const numbers: Record<string, object> = {
    year: { type: 'integer', description: 'The year that the numbers of its cases begin with.' },
    number: { type: 'string', description: 'Number of the case in its diary, such as 2026/17.' },
  };
  const moment = { type: 'string', format: 'date-time' };
  return {
    id: Type.String({ description: 'Identifier of the object.' }),
    ...(kind.parent === undefined
      ? {}
      : {
          [parentField(kind.parent)]: value({
            type: 'string',
            description: `Identifier of its ${objectKinds[kind.parent].name}.`,
          }),
        }),
    title: value({ type: 'string' }),
    description: nullable(description),
    ...Object.fromEntries(kind.ownFields.map((name) => [name, value(numbers[name] ?? { type: 'string' })])),
    createdAt: value(moment),
    updatedAt: value(moment),
    ...bkProperties(kind),
  };
}

const tableSchemas = new Map<ObjectKind, TSchema>();

/** The schema of objects as CSV. */
export function tableSchema(kind: ObjectKind): TSchema {
  const schema =
    tableSchemas.get(kind) ??
    Type.String({
      $id: componentName(kind, 'Table'),
      description: 'A line of names, and a line per object.',
    });
  tableSchemas.set(kind, schema);
  return schema;
}

/** The schema of a new object: title, and for a diary its year, are required. */
export function createSchema(kind: ObjectKind): TSchema {
  return Type.Object(
    {
      title: Type.Unsafe<string>(title),
      description: Type.Optional(nullable(newDescription)),
      ...(kind.ownFields.includes('year') ? { year } : {}),
      ...optionalBkFields(kind),
    },
    { $id: componentName(kind, 'Creation'), additionalProperties: false, patternProperties: oneDigitNames() },
  );
}

/** The schema of a change: absent keeps, null clears. */
export function changeSchema(kind: ObjectKind): TSchema {
  return Type.Object(
    {
      title: Type.Optional(Type.Unsafe<string>(title)),
      description: Type.Optional(nullable(newDescription)),
      ...(kind.ownFields.includes('year') ? { year: Type.Optional(year) } : {}),
      ...optionalBkFields(kind),
    },
    { $id: componentName(kind, 'Change'), additionalProperties: false, patternProperties: oneDigitNames() },
  );
}

function optionalBkFields(kind: ObjectKind): Record<string, TSchema> {
  return bkProperties(kind, (schema) => Type.Optional(nullable(schema)));
}

/** Returns the tag of the endpoints of a kind. */
export function tagOf({ collection }: ObjectKind): string {
  const words = collection.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
