import { sqlError } from '../../tsql/sql-error.ts';
import type { SqlType, SqlValue } from '../session.ts';

/** An argument of RAISERROR: what it is written with, and its value. */
export interface Substitution {
  readonly kind: 'text' | 'int' | 'bigint';
  readonly value: SqlValue;
}

const kinds: Partial<Record<SqlType['name'], Substitution['kind']>> = {
  tinyint: 'int',
  smallint: 'int',
  int: 'int',
  bigint: 'bigint',
  char: 'text',
  varchar: 'text',
  nchar: 'text',
  nvarchar: 'text',
};

/** The longest text that an error has, in characters. */
const longest = 2047;

/** The argument of RAISERROR at a position (the message is 1). Throws 2748. */
export function substitution(type: SqlType, value: SqlValue, position: number): Substitution {
  const kind = kinds[type.name];
  if (!kind) throw sqlError(2748, type.name, position);
  return { kind, value };
}

/** Fills `%s`, `%d`, `%i`, `%u`, `%x`, `%X`, `%o` (`%I64d` for a bigint) with flags, width and precision, as C does. Throws 2786, 2787. */
export function formatMessage(text: string, substitutions: readonly Substitution[]): string {
  let index = 0;
  const take = (kind: Substitution['kind']): SqlValue => {
    const { kind: given = kind, value = null } = substitutions[index++] ?? {};
    if (value !== null && given !== kind) throw sqlError(2786, index);
    return value;
  };
  const size = (written: string): number =>
    Math.min(written === '*' ? Number(take('int')) : Number(written), longest);
  const filled = text.replace(
    /%([-+0 #]*)(\*|\d*)(?:\.(\*|\d+))?(I64|[hlI])?([a-zA-Z%])/g,
    (whole, flags: string, width: string, precision: string | undefined, prefix: string, kind: string) => {
      if (kind === '%') return '%';
      if (!'sdiuxXo'.includes(kind)) throw sqlError(2787, whole);
      const columns = size(width);
      const digits = precision === undefined ? undefined : size(precision);
      if (kind === 's') return padded(cut(take('text'), digits), flags, columns);
      return padded(shown(take(prefix === 'I64' ? 'bigint' : 'int'), kind, digits), flags, columns);
    },
  );
  return filled.slice(0, longest);
}

function cut(value: SqlValue, length: number | undefined): string {
  if (value === null) return '(null)';
  return length === undefined ? String(value) : String(value).slice(0, Math.max(length, 0));
}

function shown(value: SqlValue, kind: string, digits = 0): string {
  if (value === null) return '(null)';
  const number = BigInt(String(value));
  const written = { d: 10, i: 10, u: 10, x: 16, X: 16, o: 8 }[kind];
  const signed = kind === 'd' || kind === 'i' || number >= 0n;
  const text = (signed ? number : BigInt.asUintN(32, number)).toString(written).padStart(digits, '0');
  return kind === 'X' ? text.toUpperCase() : text;
}

/** C takes a negative width (from `*`) for the flag `-`. */
function padded(text: string, flags: string, width: number): string {
  if (flags.includes('-') || width < 0) return text.padEnd(Math.abs(width));
  if (!flags.includes('0')) return text.padStart(width);
  const sign = /^-?/.exec(text)?.[0] ?? '';
  return sign + text.slice(sign.length).padStart(width - sign.length, '0');
}
