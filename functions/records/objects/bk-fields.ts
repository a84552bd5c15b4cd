/** bk-fields: predefined, single-valued custom fields on the metadata of an object (docs/records-contract.md, "bk-fields"). */

import { int, nvarchar, type SqlParameter, type SqlValue } from '../../../shared/sql/values.ts';
import { type BkType, bkTypes, type ObjectKind } from './kinds.ts';

/** The value of a bk-field: bkStr text, bkInt a 32-bit integer, bkDate `YYYY-MM-DD`, bkFloat a finite number. */
export type BkValue = string | number | null;

/** Characters (UTF-16 code units) that a bkStr holds. */
export const bkStrLength = 255;

const anyBkField = /^bk(Str|Int|Date|Float)(\d{1,2})$/;

/** Lists the bk-fields of a kind with two digits: `bkStr01` .. `bkFloat10`. */
export function bkFieldNames({ bkCounts }: Pick<ObjectKind, 'bkCounts'>): string[] {
  return bkTypes.flatMap((type) =>
    Array.from({ length: bkCounts[type] }, (_, index) => `bk${type}${String(index + 1).padStart(2, '0')}`),
  );
}

/** Returns the type of a bk-field, or undefined when the name is not one. */
export function bkTypeOf(name: string): BkType | undefined {
  return anyBkField.exec(name)?.[1] as BkType | undefined;
}

/** Returns fields with bk-fields under the names with two digits (`bkStr1` is `bkStr01`); `twice` lists those that were given in both spellings. */
export function withTwoDigits<Value>(fields: Readonly<Record<string, Value>>) {
  const columns: Record<string, Value> = {};
  const twice: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const full = name.replace(
      anyBkField,
      (_, type: string, digits: string) => `bk${type}${digits.padStart(2, '0')}`,
    );
    if (Object.hasOwn(columns, full)) twice.push(full);
    columns[full] = value;
  }
  return { columns, twice };
}

/** Creates the SQL parameter of a bk-field's value. */
export function bkParameter(name: string, value: BkValue): SqlParameter {
  const type = bkTypeOf(name);
  if (type === 'Int') return int(value as number | null);
  if (type === 'Float') return { type: 'float', value: value as number | null };
  return nvarchar(value as string | null, type === 'Date' ? 10 : bkStrLength);
}

/** Turns the column of a bk-field into its JSON value. */
export function bkValue(value: SqlValue): BkValue {
  return value instanceof Date ? value.toISOString().slice(0, 10) : (value as BkValue);
}
