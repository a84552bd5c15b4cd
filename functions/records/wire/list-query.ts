/** The query of lists and searches: conditions, order, and part of the list. */

import type { TSchema } from 'typebox';
import * as Type from 'typebox';
import type { WrittenCondition } from '../../../shared/custom-data/search-values.ts';
import { columnsOf, searchTypeOf, titleLength } from '../objects/fields.ts';
import { type BkType, bkTypes, type ObjectKind } from '../objects/kinds.ts';
import { bkProperties, bkSchemas, fieldsParameter, oneDigitNames, paging } from './schemas.ts';

/** What can stand in brackets behind the name of a field, by its type. */
export const comparisonsOf: Readonly<Record<BkType, readonly string[]>> = {
  Str: ['equals', 'contains', 'startsWith'],
  Int: ['equals', 'from', 'to'],
  Date: ['equals', 'from', 'to'],
  Float: ['equals', 'from', 'to'],
};

/** The query parameters of conditions on custom values: `where[status]`, `where[amount][from]`. */
export const whereParameters = /^where\[(.*)\]$/s;

/** The query parameter that describes them in documents. */
export const whereParameter = Type.Optional(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'Conditions on columns of the view behind the custom data: `where[status]=granted` is equality; behind the column stands another comparison, `where[title][contains]=street` and `[startsWith]` for texts, `where[amount][from]=100` and `[to]` for numbers and moments, with both ends. One row of the view has to meet all of them.',
      examples: [{ number: '17' }],
    },
  ),
);

/** Returns a condition on custom values, by its parameter in the query; undefined for another parameter. */
export function whereCondition(parameter: string, value: string): WrittenCondition | undefined {
  const inner = whereParameters.exec(parameter)?.[1];
  if (inner === undefined) return undefined;
  const [, column = inner, comparison = 'equals'] = /^(.*)\]\[([^[\]]*)$/s.exec(inner) ?? [];
  return { parameter, column, comparison, value };
}

/** The query parameter that asks for the number of objects. */
export const countParameter = Type.Optional(
  Type.Boolean({ description: 'Whether the header X-Total-Count says how many items all pages have.' }),
);

/** The query parameter that sorts objects. */
export const sortParameter = Type.Optional(
  Type.String({
    maxLength: 400,
    description:
      'Fields by which the list is sorted, with commas between and `-` before those that descend: `-bkDate01,title`. Without it: in the order of creation.',
    examples: ['-updatedAt,title'],
  }),
);

/** What the query of a kind is described by. */
export const queryDescription =
  'Every condition in the query must hold. A field alone must be equal: `?bkStr01=north&bkInt02=7`. In brackets behind its name stands a comparison: `title[contains]=street`, `number[startsWith]=2026/`, `bkStr01[equals]=north` for texts (parts as the letters A to Z are, without regard to case), and `bkInt02[from]=5&bkInt02[to]=9` for numbers and dates, with both ends. `Accept: text/csv` asks for CSV (RFC 4180) for spreadsheets.';

/** The query of a list. An object is listed when it meets every condition. */
export function listQuery(kind: ObjectKind, defaultLimit: number): TSchema {
  return conditionsQuery(kind, {
    ...paging(defaultLimit),
    fields: fieldsParameter,
    labels: Type.Optional(
      Type.Boolean({
        description:
          "Whether the heads of CSV are the customer's labels in the language of the caller, where a field has one. Without `fields` there are columns then for the fields alone that any object of the list has something in, the same on each page. JSON keeps the names, and all fields.",
      }),
    ),
    sort: sortParameter,
    count: countParameter,
    total: Type.Optional(Type.Boolean({ deprecated: true, description: 'The earlier name of `count`.' })),
  });
}

/** Returns a query of parameters, and of the conditions that an object of a kind has to meet. */
export function conditionsQuery(
  kind: ObjectKind,
  parameters: Readonly<Record<string, TSchema>>,
  patterns: Readonly<Record<string, TSchema>> = {},
): TSchema {
  return Type.Object(
    {
      ...parameters,
      ...comparisonsOfTitles(kind),
      ...bkProperties(kind, (schema) => Type.Optional(Type.Unsafe(schema))),
    },
    {
      additionalProperties: false,
      patternProperties: { ...oneDigitNames(Type.Unsafe), ...compared(kind), ...patterns },
    },
  );
}

const schemasOfTitles: Readonly<Record<string, object>> = {
  Str: { type: 'string', maxLength: titleLength },
  Int: bkSchemas.Int,
};

/** The fields of a kind that are no bk-fields, each alone and with its comparisons. */
function comparisonsOfTitles(kind: ObjectKind): Record<string, TSchema> {
  const names = columnsOf(kind).filter((name) => !name.startsWith('bk'));
  return Object.fromEntries(
    names.flatMap((name) => {
      const type = searchTypeOf(name) ?? 'Str';
      const schema = Type.Optional(Type.Unsafe(schemasOfTitles[type] ?? {}));
      return ['', ...comparisonsOf[type].map((word) => `[${word}]`)].map((suffix) => [name + suffix, schema]);
    }),
  );
}

function compared({ bkCounts }: ObjectKind): Record<string, TSchema> {
  return Object.fromEntries(
    bkTypes.map((type) => {
      const digits = bkCounts[type] === 30 ? '0?[1-9]|[12][0-9]|30' : '0?[1-9]|10';
      return [`^bk${type}(${digits})\\[(${comparisonsOf[type].join('|')})\\]$`, Type.Unsafe(bkSchemas[type])];
    }),
  );
}
