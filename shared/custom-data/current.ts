/** What is sent compared with what the sources give now: a value that was read may always be sent back. */

import type { FieldError } from '../errors.ts';
import { jsonPointer } from './body.ts';
import { jsonElements } from './members.ts';
import { isSameValue } from './same-value.ts';
import { type SetCall, setProcedure } from './set-calls.ts';

/** The current values of sources by identifier, as JSON text. */
export type CurrentValues = ReadonlyMap<string, string>;

/** Checks whether a value that is sent equals the current one, as clients see them: a program that reads numbers as doubles, and moments as such, sends back what it read. */
export function isCurrent(identifier: string, text: string, current: CurrentValues): boolean {
  return isSameValue(withoutEmptyArray(text), withoutEmptyArray(current.get(identifier) ?? 'null'));
}

function withoutEmptyArray(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) && value.length === 0 ? null : value;
}

/** Checks whether what a call passes is there now: as the value of its identifier, or as one of its rows. */
export function passesCurrent({ identifier, source }: SetCall, current: CurrentValues): boolean {
  if (isCurrent(identifier, source, current)) return true;
  const value: unknown = JSON.parse(source);
  return currentRows(identifier, current).some((row) => isSameValue(row, value));
}

function currentRows(identifier: string, current: CurrentValues): unknown[] {
  const text = current.get(identifier) ?? 'null';
  return (text.startsWith('[') ? jsonElements(text) : [text]).map((row): unknown => JSON.parse(row));
}

/** Returns the errors of a call that cannot be made: none when it passes what is there now, or when the properties without a parameter are those of a current row. */
export function errorsOf(call: SetCall, current: CurrentValues): readonly FieldError[] {
  if (passesCurrent(call, current)) return [];
  if (call.unknown.length === 0) return call.errors;
  const properties = call.unknown.map(({ name, text }) => [name, JSON.parse(text)] as [string, unknown]);
  const isRead = currentRows(call.identifier, current).some(
    (row) => isRow(row) && properties.every(([name, value]) => isSameValue(row[name], value)),
  );
  if (isRead) return call.errors;
  const unknown = call.unknown.map(({ name }) => ({
    pointer: call.pointer + jsonPointer(name),
    detail: `is not a parameter of ${setProcedure(call.identifier)}, and not the current value`,
  }));
  return [...unknown, ...call.errors];
}

function isRow(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
