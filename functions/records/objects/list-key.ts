/** How the fields of objects are kept in the key of a page (`keyset.ts`). */

import { isMoment, type KeyType } from '../../../shared/sql/keyset.ts';
import { int, nvarchar } from '../../../shared/sql/values.ts';
import { searchTypeOf, titleLength } from './fields.ts';

const asItIs = (expression: string) => expression;

export const keyTypes = {
  Str: {
    read: asItIs,
    isValue: (value) => typeof value === 'string',
    parameter: (value) => nvarchar(value as string | null, Math.max(titleLength, String(value).length)),
    compared: asItIs,
  },
  Int: {
    read: asItIs,
    isValue: (value) => typeof value === 'number' && value === value >> 0,
    parameter: (value) => int(value as number | null),
    compared: asItIs,
  },
  Float: {
    read: asItIs,
    isValue: (value) => typeof value === 'number' && Number.isFinite(value),
    parameter: (value) => ({ type: 'float', value: value as number | null }),
    compared: asItIs,
  },
  Date: {
    read: (expression) => `CONVERT(nvarchar(10), ${expression}, 23)`,
    isValue: (value) => /^\d{4}-\d\d-\d\d$/.test(String(value)) && isMoment(value),
    parameter: (value) => nvarchar(value as string | null, 10),
    compared: (parameter) => `CAST(${parameter} AS date)`,
  },
  /** The driver rounds what is finer than a millisecond. */
  Moment: {
    read: (expression) => `CONVERT(nvarchar(33), CONVERT(datetime2(7), ${expression}), 126)`,
    isValue: (value) => /^\d{4}-\d\d-\d\dT[\d:.]{8,16}$/.test(String(value)) && isMoment(value),
    parameter: (value) => nvarchar(value as string | null, 33),
    compared: (parameter) => `CAST(${parameter} AS datetime2(7))`,
  },
} as const satisfies Readonly<Record<string, KeyType>>;

/** Returns how a field is kept in a key. */
export function keyTypeOf(field: string): KeyType {
  const isTime = field === 'createdAt' || field === 'updatedAt';
  return keyTypes[isTime ? 'Moment' : (searchTypeOf(field) ?? 'Str')];
}
