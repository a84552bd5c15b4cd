/** Validation by JSON schema: exact for JSON bodies, converting for paths, queries and forms, whose values are text. */

import type { Ajv, ErrorObject, Options, ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import type { FieldError } from '../errors.ts';
import { compute } from '../telemetry/trace.ts';
import { nameRanges } from '../text/name-ranges.ts';

export type Strictness = 'exact' | 'converting';

/** `first`: exact, for values of so many properties that an error for each would take long. */
type Check = Strictness | 'first';

const options: Readonly<Record<Check, Options>> = {
  exact: {},
  first: { allErrors: false },
  // With strict numbers ajv would let text like 1e400 (infinity once converted) pass every bound.
  converting: { coerceTypes: 'array', useDefaults: true, strictNumbers: false },
};

const instances: Partial<Record<Check, Promise<Ajv>>> = {};
const compiled: Record<Check, WeakMap<TSchema, ValidateFunction>> = {
  exact: new WeakMap(),
  first: new WeakMap(),
  converting: new WeakMap(),
};

/** Errors listed in one reply, at most. */
const maxErrors = 20;

/** Properties and elements of a value of which every error is looked for. */
const maxParts = 2_000;

/**
 * Checks a value against a schema, and returns every error, none when it is valid; of a value of very many parts the first one. `converting` changes the value in place: text becomes the
 * type that the schema asks for, and defaults are filled in.
 */
export async function validate(
  schema: TSchema,
  value: unknown,
  strictness: Strictness,
): Promise<readonly FieldError[]> {
  const unknown = manyUnknown(schema, value);
  if (unknown !== undefined) return unknown;
  const kind = strictness === 'exact' && hasManyParts(value) ? 'first' : strictness;
  const check = compiled[kind].get(schema) ?? (await compile(schema, kind));
  return compute('input', 'validate', () => check(value)) ? [] : fieldErrors(check.errors ?? []);
}

/**
 * Returns the first errors of an object with more unknown properties than are listed, since an error for each would take long; undefined
 * for any other value.
 */
function manyUnknown(schema: TSchema, value: unknown): readonly FieldError[] | undefined {
  const { properties, patternProperties, additionalProperties } = schema as {
    readonly properties?: object;
    readonly patternProperties?: object;
    readonly additionalProperties?: unknown;
  };
  const isClosed =
    properties !== undefined && patternProperties === undefined && additionalProperties === false;
  if (!isClosed || typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  if (unknown.length <= maxErrors) return undefined;
  return unknown.slice(0, maxErrors).map((additionalProperty) =>
    toFieldError({
      instancePath: '',
      keyword: 'additionalProperties',
      params: { additionalProperty },
      parentSchema: schema,
    }),
  );
}

function hasManyParts(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (Array.isArray(value) ? value : Object.keys(value)).length > maxParts;
}

async function compile(schema: TSchema, strictness: Check): Promise<ValidateFunction> {
  instances[strictness] ??= createInstance(options[strictness]);
  const check = (await instances[strictness]).compile(withoutIds(schema));
  compiled[strictness].set(schema, check);
  return check;
}

/** Loads ajv on first use, so that it costs nothing while the app starts. */
async function createInstance(particular: Options): Promise<Ajv> {
  // Only the default export of a CommonJS package survives bundling.
  const [{ default: library }, { default: addFormats }] = await Promise.all([
    import('ajv'),
    import('ajv-formats'),
  ]);
  const ajv = new library.Ajv({
    allErrors: true,
    // Errors come with their schema, which says what a text should have been.
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    keywords: ['example'],
    ...particular,
  });
  addFormats.default(ajv);
  // Text such as 1e400 is infinite once it is converted.
  ajv.addFormat('double', { type: 'number', validate: Number.isFinite });
  return ajv;
}

/** Our schema ids name components of the OpenAPI document; for ajv they would be URLs, which clash. */
function withoutIds(schema: TSchema): object {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === '$id' && typeof value === 'string' ? undefined : value,
    ),
  );
}

function fieldErrors(errors: readonly ErrorObject[]): readonly FieldError[] {
  const specificErrors = errors.filter(({ keyword }) => keyword !== 'anyOf' && keyword !== 'if');
  const unique = new Map<string, FieldError>();
  for (const error of specificErrors.length > 0 ? specificErrors : errors) {
    const item = toFieldError(error);
    unique.set(`${item.pointer} ${item.detail}`, item);
    // There may be one for each of 100,000 properties.
    if (unique.size === maxErrors) break;
  }
  return [...unique.values()];
}

/** An error as ajv gives it with `verbose`. */
export interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string | undefined;
  readonly params: object;
  readonly parentSchema?: object | undefined;
}

type Parameters = Readonly<Record<string, unknown>>;

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

const formats: Readonly<Record<string, string>> = {
  date: 'a date, YYYY-MM-DD',
  'date-time': 'a moment, such as 2026-11-21T10:00:00Z',
  uri: 'a URL',
  double: 'a finite number',
};

/** What an error says of the schema that it is about. */
interface FailedSchema {
  readonly format?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** By keyword of JSON Schema. */
const details: Readonly<Record<string, (parameters: Parameters, schema: FailedSchema) => string>> = {
  required: () => 'is missing',
  additionalProperties: (_, { properties = {} }) => unknownProperty(Object.keys(properties)),
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  type: ({ type }, { format }) => `must be ${typeWords(type, format)}`,
  format: ({ format }) => `must be ${formats[String(format)] ?? `of the format ${format}`}`,
  pattern: ({ pattern }, { format }) => `must be ${formats[String(format)] ?? `of the form ${pattern}`}`,
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
};

/** Names of properties that an error is about, by keyword. */
const properties: Readonly<Record<string, string>> = {
  required: 'missingProperty',
  additionalProperties: 'additionalProperty',
};

/** Turns an error into the place and what is wrong there. */
export function toFieldError({
  instancePath,
  keyword,
  message,
  params,
  parentSchema,
}: ValidationError): FieldError {
  const parameters = params as Parameters;
  const property = properties[keyword];
  const pointer = property === undefined ? instancePath : child(instancePath, parameters[property]);
  const detail = details[keyword]?.(parameters, (parentSchema ?? {}) as FailedSchema);
  return { pointer, detail: detail ?? message ?? 'is not valid' };
}

/** Names of many fields may be many; those that are a field's with a comparison in brackets follow from its name. */
function unknownProperty(names: readonly string[]): string {
  const known = names.filter((name) => !name.includes('['));
  return known.length === 0 ? 'is unknown' : `is unknown; known are ${nameRanges(known)}`;
}

function typeWords(type: unknown, format: unknown): string {
  const names = Array.isArray(type) ? type : String(type).split(',');
  const words = names.map((name) => (name === 'string' && formats[String(format)]) || types[name] || name);
  return words.join(' or ');
}

function child(pointer: string, name: unknown): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
