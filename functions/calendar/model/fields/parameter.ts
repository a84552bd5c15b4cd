/** Parameters: what clients may send, how each value is parsed, and what the documents say of it. */

import type { CalendarContext, RawParameters } from '../calendar-context.ts';
import { invalidParameters, missingParameters, type ParameterError } from '../refusals.ts';

/** A value that a parameter does not take. */
export class InvalidValue implements ParameterError {
  readonly message: string;
  readonly isType: boolean;

  constructor(message: string, isType = false) {
    this.message = message;
    this.isType = isType;
  }
}

/** JSON type of a parameter, as the index of the API tells it. */
export type ParameterType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';

export interface Parameter<T> {
  readonly description: string;
  /** Absent when it may be of several. */
  readonly type?: ParameterType;
  /** Further keywords of its JSON schema. */
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly required?: boolean;
  /** The value in a list or create that does not send it. */
  readonly default?: T;
  /** Set when the parameter goes beyond the API of The Events Calendar. */
  readonly extension?: boolean;
  /** Set when null means that it was not sent. */
  readonly ignoresNull?: boolean;
  /** Set where its parts have the limit of characters, and not the whole. */
  readonly isLong?: boolean;
  parse(value: unknown, context: CalendarContext): T | InvalidValue;
}

export type ParameterTable = Readonly<Record<string, Parameter<unknown>>>;

/** The values of a table's parameters, those that were sent. */
export type Values<Table> = {
  readonly [Name in keyof Table]?: Table[Name] extends Parameter<infer T> ? T : never;
};

/** The values of a table's parameters: those that were sent, and those that have a default. */
export type FilterValues<Table> = Values<Table> & {
  readonly [Name in keyof Table as Table[Name] extends { readonly default: unknown }
    ? Name
    : never]: Table[Name] extends Parameter<infer T> ? T : never;
};

/** Bad values by the name of their parameter. */
export type ParameterErrors = Readonly<Record<string, InvalidValue>>;

/** The most characters of one parameter as JSON: the time to parse some texts grows faster than their length. */
const maxLength = 100_000;

/** Creates a required parameter from an optional one. */
export function required<T>(parameter: Parameter<T>): Parameter<T> {
  return { ...parameter, required: true };
}

/** Creates a parameter that has a value in a list or create that does not send it. */
export function optional<T>(value: T, parameter: Parameter<T>): Parameter<T> & { readonly default: T } {
  return { ...parameter, default: value };
}

/** Marks a parameter that The Events Calendar does not have. */
export function extension<P extends Parameter<unknown>>(parameter: P): P {
  return { ...parameter, extension: true };
}

/** Creates a parameter that null leaves as it was, since clients send null for what they do not set. */
export function ignoringNull<P extends Parameter<unknown>>(parameter: P): P {
  return { ...parameter, ignoresNull: true };
}

/** Creates a parameter whose values are checked or converted further. */
export function map<A, B>(
  parameter: Parameter<A>,
  convert: (value: A, context: CalendarContext) => B | InvalidValue,
  more: Partial<Omit<Parameter<B>, 'parse'>> = {},
): Parameter<B> {
  const { default: _, ...rest } = parameter;
  return {
    ...rest,
    ...more,
    parse(raw, context) {
      const value = parameter.parse(raw, context);
      return value instanceof InvalidValue ? value : convert(value, context);
    },
  };
}

/** Parses the filters of a list, and ignores all that the table does not have. */
export function parseFilters<Table extends ParameterTable>(
  table: Table,
  context: CalendarContext,
): FilterValues<Table> {
  return parseOrThrow(table, context.parameters, context, { isDefaulted: true }) as FilterValues<Table>;
}

/**
 * Parses the fields of a record, and ignores parameters that the table does not have. On a create, missing required fields (null counts as
 * missing) are rejected first (`rest_missing_callback_param`). Then all invalid fields are rejected together (`rest_invalid_param`), with
 * the `errors` of the path before them.
 */
export function parseFields<Table extends ParameterTable>(
  table: Table,
  raw: RawParameters,
  context: CalendarContext,
  { isCreate = false, errors }: { readonly isCreate?: boolean; readonly errors?: ParameterErrors } = {},
): Values<Table> {
  if (isCreate) mustBeComplete(table, raw);
  return parseOrThrow(table, raw, context, { isDefaulted: isCreate, errors }) as Values<Table>;
}

/** Parses the parameters of a table that were sent: the good values, and what is wrong with the others. */
export function parseEach(table: ParameterTable, raw: RawParameters, context: CalendarContext) {
  const values: Record<string, unknown> = {};
  const errors: Record<string, InvalidValue> = {};
  for (const [name, parameter] of Object.entries(table)) {
    if (!Object.hasOwn(raw, name) || (parameter.ignoresNull && raw[name] === null)) continue;
    const isRefused = parameter.isLong !== true && isTooLong(raw[name]);
    const value = isRefused ? tooLong : parameter.parse(raw[name], context);
    if (value instanceof InvalidValue) errors[name] = value;
    else values[name] = value;
  }
  return { values, errors };
}

interface ParseOptions {
  readonly isDefaulted: boolean;
  readonly errors?: ParameterErrors | undefined;
}

function parseOrThrow(
  table: ParameterTable,
  raw: RawParameters,
  context: CalendarContext,
  { isDefaulted, errors: before }: ParseOptions,
) {
  const { values, errors } = parseEach(table, raw, context);
  const allErrors = { ...before, ...errors };
  if (Object.keys(allErrors).length > 0) throw invalidParameters(allErrors);
  return isDefaulted ? { ...defaultsOf(table), ...values } : values;
}

const defaults = new WeakMap<ParameterTable, object>();

/** Returns the values of what has a default; made once for a table. */
function defaultsOf(table: ParameterTable): object {
  const cached = defaults.get(table);
  if (cached !== undefined) return cached;
  const defaulted = Object.entries(table).filter(([, parameter]) => parameter.default !== undefined);
  const values = Object.fromEntries(defaulted.map(([name, parameter]) => [name, parameter.default]));
  defaults.set(table, values);
  return values;
}

const tooLong = new InvalidValue(`must not be longer than ${maxLength} characters`);

/** Returns the refusal of a text with too many characters; undefined for any other. */
export function textTooLong(value: unknown): InvalidValue | undefined {
  return isTooLong(value) ? tooLong : undefined;
}

function isTooLong(value: unknown): boolean {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).length > maxLength;
}

function mustBeComplete(table: ParameterTable, raw: RawParameters): void {
  const missingNames = Object.entries(table)
    .filter(([name, { required = false }]) => required && (raw[name] ?? null) === null)
    .map(([name]) => name);
  if (missingNames.length > 0) throw missingParameters(missingNames);
}
