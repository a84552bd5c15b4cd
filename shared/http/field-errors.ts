/** The errors of ajv, in words for the sender. */

import type { FieldError } from '../errors.ts';

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
};

/** By keyword of JSON Schema. */
const details: Readonly<Record<string, (parameters: Parameters, format: unknown) => string>> = {
  required: () => 'is missing',
  additionalProperties: () => 'is not known here',
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  type: ({ type }, format) => `must be ${typeWords(type, format)}`,
  format: ({ format }) => `must be ${formats[String(format)] ?? `of the format ${format}`}`,
  pattern: ({ pattern }, format) => `must be ${formats[String(format)] ?? `of the form ${pattern}`}`,
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
  const { format } = (parentSchema ?? {}) as { readonly format?: unknown };
  return { pointer, detail: details[keyword]?.(parameters, format) ?? message ?? 'is not valid' };
}

function typeWords(type: unknown, format: unknown): string {
  const names = Array.isArray(type) ? type : String(type).split(',');
  const words = names.map((name) => (name === 'string' && formats[String(format)]) || types[name] || name);
  return words.join(' or ');
}

function child(pointer: string, name: unknown): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
