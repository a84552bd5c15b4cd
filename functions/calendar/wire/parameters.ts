/** Parameters of the calendar as schemas, for the documents; their values are parsed by the calendar itself. */

import type { TObject, TSchema, TUnsafe } from 'typebox';
import * as Type from 'typebox';
import type { RawParameters } from '../model/calendar-context.ts';
import type { ParameterTable } from '../model/fields/parameter.ts';
import type { ListedKind } from '../model/values.ts';

/** The schema of parameters that arrive as they were sent. */
type RawSchema = TUnsafe<RawParameters>;

/** Language of texts, on every operation. */
const language = {
  translation_language: {
    type: 'string',
    enum: ['da', 'sv'],
    description:
      'Language of texts: read with it, they fall back field by field; written with it, they stand beside the default ones.',
  },
};

/** Returns the query parameters of an operation. */
export function querySchema(table: ParameterTable = {}): RawSchema {
  return Type.Unsafe<RawParameters>({ type: 'object', properties: { ...propertiesOf(table), ...language } });
}

/** Returns the body of an operation on a kind of records. */
export function bodySchema(
  kind: ListedKind | 'series',
  table: ParameterTable,
  { isCreate, suffix = isCreate ? 'Creation' : 'Change' }: { isCreate: boolean; suffix?: string },
): TSchema {
  const required = Object.keys(table).filter((name) => isCreate && table[name]?.required);
  return Type.Unsafe<RawParameters>({
    $id: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}${suffix}`,
    description: 'As JSON, or under the same names as a form (urlencoded or multipart) or in the query.',
    type: 'object',
    properties: propertiesOf(table),
    ...(required.length > 0 ? { required } : {}),
  });
}

/** Returns the parameter of a path, with an example. */
export function pathSchema(name: 'id' | 'slug', example: number | string | undefined): TObject {
  const examples = example === undefined ? {} : { examples: [example] };
  return Type.Object({
    [name]:
      name === 'id'
        ? Type.Integer({ minimum: 1, description: 'Id of the record.', ...examples })
        : Type.String({ description: 'Slug of the record.', ...examples }),
  });
}

function propertiesOf(table: ParameterTable) {
  return Object.fromEntries(
    Object.entries(table).map(([name, { type, description, schema, default: value, extension }]) => [
      name,
      {
        ...(type === undefined || schema?.['anyOf'] !== undefined ? {} : { type }),
        description: extension ? `${description} (Extension.)` : description,
        ...(type === 'array' && schema?.['anyOf'] === undefined ? { items: {} } : {}),
        ...schema,
        ...(value === undefined || value === null ? {} : { default: value }),
      },
    ]),
  );
}
