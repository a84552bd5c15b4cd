/** Parameters: what clients may send, how each value is read, and what the documents say of it. */

import type { KnownCaller } from '../model/rights.ts';
import type { Site } from '../model/site.ts';
import { invalidParameters, missingParameters, type ParameterFault } from '../problems.ts';
import type { CalendarReplica } from '../replica/replica.ts';

/** Against what values are read: ids must exist, dates stand in the zone of the site. `now` is an instant in seconds. */
export interface Surroundings {
  readonly replica: CalendarReplica;
  readonly site: Site;
  readonly caller: KnownCaller;
  readonly now: number;
}

/** A value that cannot be taken. */
export class Unfit implements ParameterFault {
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
  /** What counts when it is not sent, for the documents. */
  readonly default?: unknown;
  /** Set when the parameter goes beyond the original API. */
  readonly extension?: boolean;
  readonly read: (value: unknown, surroundings: Surroundings) => T | Unfit;
}

export type ParameterTable = Readonly<Record<string, Parameter<unknown>>>;

/** The values of a table's parameters, those that were sent. */
export type Values<Table extends ParameterTable> = {
  readonly [Name in keyof Table]?: Table[Name] extends Parameter<infer T> ? T : never;
};

/** Bad values by the name of their parameter. */
export type Faults = Readonly<Record<string, Unfit>>;

/** What was sent, by name: values of JSON, or texts. */
export type Sent = Readonly<Record<string, unknown>>;

/** Characters of one parameter as JSON, at the most: reading some texts takes time that grows faster than they do. */
const longest = 100_000;

/** Makes a required parameter of an optional one. */
export function required<T>(parameter: Parameter<T>): Parameter<T> {
  return { ...parameter, required: true };
}

/** Gives a parameter a default, told in the documents and applied by whoever uses the values. */
export function withDefault<T>(value: unknown, parameter: Parameter<T>): Parameter<T> {
  return { ...parameter, default: value };
}

/** Marks a parameter that the original API does not have. */
export function extension<T>(parameter: Parameter<T>): Parameter<T> {
  return { ...parameter, extension: true };
}

/**
 * Reads the parameters of a table and ignores all others. On a create, missing required ones (null is missing too)
 * are refused first (`rest_missing_callback_param`), then all bad ones together (`rest_invalid_param`), with those
 * that were found in the path before.
 */
export function readParameters<Table extends ParameterTable>(
  table: Table,
  sent: Sent,
  surroundings: Surroundings,
  { isCreate = false, faults: before = {} }: { readonly isCreate?: boolean; readonly faults?: Faults } = {},
): Values<Table> {
  if (isCreate) mustBeComplete(table, sent);
  const { values, faults } = readAll(table, sent, surroundings);
  const all = { ...before, ...faults };
  if (Object.keys(all).length > 0) throw invalidParameters(all);
  return values as Values<Table>;
}

/** Reads the parameters of a table that were sent: the good values, and what is wrong with the others. */
export function readAll(table: ParameterTable, sent: Sent, surroundings: Surroundings) {
  const values: Record<string, unknown> = {};
  const faults: Record<string, Unfit> = {};
  for (const [name, parameter] of Object.entries(table)) {
    if (!Object.hasOwn(sent, name)) continue;
    const value = isTooLong(sent[name]) ? tooLong : parameter.read(sent[name], surroundings);
    if (value instanceof Unfit) faults[name] = value;
    else values[name] = value;
  }
  return { values, faults };
}

const tooLong = new Unfit(`must not be longer than ${longest} characters`);

function isTooLong(value: unknown): boolean {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).length > longest;
}

function mustBeComplete(table: ParameterTable, sent: Sent): void {
  const missing = Object.entries(table)
    .filter(([name, { required = false }]) => required && (sent[name] ?? null) === null)
    .map(([name]) => name);
  if (missing.length > 0) throw missingParameters(missing);
}
