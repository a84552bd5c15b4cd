/** Parameters of the calendar as schemas, for the documents; their values are parsed by the calendar itself. */

import type { TObject, TSchema, TUnsafe } from 'typebox';
import * as Type from 'typebox';
import type { RawParameters } from '../../shared/calendar/model/context.ts';
import type { ParameterTable } from '../../shared/calendar/model/fields/parameter.ts';

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

/** Returns the body of an operation: JSON or a form. */
export function bodySchema(table: ParameterTable, { isCreate }: { isCreate: boolean }): TSchema {
  const required = Object.keys(table).filter((name) => isCreate && table[name]?.required);
  return Type.Unsafe<RawParameters>({
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
        ...(type === undefined ? {} : { type }),
        description: extension ? `${description} (Extension.)` : description,
        ...(type === 'array' ? { items: {} } : {}),
        ...schema,
        ...(value === undefined || value === null ? {} : { default: value }),
      },
    ]),
  );
}
