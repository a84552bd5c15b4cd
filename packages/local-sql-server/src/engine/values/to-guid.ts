/** Conversions to uniqueidentifier. */
import { sqlError } from '../../tsql/sql-error.ts';
import type { SqlType, SqlValue } from '../session.ts';

const pattern = /^\{?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/i;

/** Converts text or 16 bytes to a uniqueidentifier. Text after the 36 characters is ignored. Throws 8169. */
export function toGuid(value: NonNullable<SqlValue>, from: SqlType): string {
  if (from.name === 'uniqueidentifier') return String(value);
  if (value instanceof Uint8Array) return bytesToGuid(value);
  const match = pattern.exec(String(value));
  if (!match?.[1]) throw sqlError(8169);
  return match[1].toUpperCase();
}

/** The first three groups are little-endian in binary form. */
const byteOrder = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];

export function guidToBytes(guid: string): Uint8Array {
  const bytes = Buffer.from(guid.replaceAll('-', ''), 'hex');
  return Uint8Array.from(byteOrder, (index) => bytes[index] ?? 0);
}

function bytesToGuid(bytes: Uint8Array): string {
  const hex = Buffer.from(byteOrder.map((index) => bytes[index] ?? 0)).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)]
    .join('-')
    .toUpperCase();
}

/** Text that sorts as SQL Server sorts uniqueidentifiers: last group first. */
export function guidKey(guid: string): string {
  const [a = '', b = '', c = '', d = '', e = ''] = guid.split('-');
  const swap = (group: string): string => (group.match(/../g) ?? []).reverse().join('');
  return `${e}${d}${swap(c)}${swap(b)}${swap(a)}`;
}
