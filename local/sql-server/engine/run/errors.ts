import { SqlError, sqlError } from '../../tsql/sql-error.ts';
import type { Statement } from '../../tsql/statement-ast.ts';
import type { SqlValue } from '../session.ts';
import { int, nvarchar } from '../types.ts';
import type { Interpreter } from './interpreter.ts';
import { valuePlan } from './plans.ts';

/** The error of THROW: a new one of severity 16, or without arguments the one that CATCH handles. Throws 10704, 35100. */
export async function throwError(
  interpreter: Interpreter,
  { arguments: given }: Statement & { kind: 'throw' },
): Promise<SqlError> {
  const { caughtError } = interpreter.context;
  if (!given.length) {
    if (!caughtError) return sqlError(10704);
    return rethrown(caughtError);
  }
  const [number, message, state] = given;
  if (!number || !message || !state) throw new TypeError('THROW has three arguments');
  const code = Number(await interpreter.value(number, int));
  if (code < 50_000) return sqlError(35100, code);
  const text = String((await interpreter.value(message, nvarchar(2048))) ?? '');
  const error = new SqlError(code, 16, Number(await interpreter.value(state, { name: 'tinyint' })), text);
  error.endsBatch = true;
  return error;
}

function rethrown({ number, class: severity, state, message, line, procedure }: SqlError): SqlError {
  const error = new SqlError(number, severity, state, message, line);
  error.procedure = procedure;
  error.endsBatch = true;
  return error;
}

/** The error (or, up to severity 10, message) of RAISERROR. A text is number 50000. Throws 2732, 2754. */
export async function raiseError(
  interpreter: Interpreter,
  { arguments: given }: Statement & { kind: 'raiserror' },
): Promise<SqlError> {
  const [first, severity, state, ...rest] = given;
  if (!first || !severity || !state) throw new TypeError('RAISERROR has three arguments or more');
  const plan = valuePlan(interpreter.context, first);
  const isNumber = plan.type.name === 'int';
  const value = await interpreter.value(first);
  const values: SqlValue[] = [];
  for (const argument of rest) values.push(await interpreter.value(argument));
  const level = Math.min(Math.max(Number(await interpreter.value(severity, int)), 0), 25);
  if (level > 18) return sqlError(2754);
  const code = Math.min(Math.max(Number(await interpreter.value(state, int)), 0), 255);
  if (isNumber)
    return sqlError(
      Number(value) === 50_000 || Number(value) < 13_000 ? 2732 : 18054,
      Number(value),
      level,
      code,
    );
  const error = new SqlError(50_000, level, code, formatMessage(String(value ?? ''), values));
  error.isRaised = true;
  return error;
}

/** Fills `%s`, `%d`, `%i`, `%u`, `%x`, `%X`, `%o` with flags, width and precision, as C does. Throws 2787. */
export function formatMessage(text: string, values: readonly SqlValue[]): string {
  let index = 0;
  const take = (): SqlValue => values[index++] ?? null;
  const filled = text.replace(
    /%([-+0 #]*)(\*|\d*)(?:\.(\*|\d+))?(I64|[hlI])?([a-zA-Z%])/g,
    (whole, flags: string, width: string, precision: string | undefined, _size, kind: string) => {
      if (kind === '%') return '%';
      if (!'sdiuxXo'.includes(kind)) throw sqlError(2787, whole);
      const size = width === '*' ? Number(take()) : Number(width || 0);
      const digits =
        precision === '*' ? Number(take()) : precision === undefined ? undefined : Number(precision);
      return padded(shown(take(), kind, digits), flags, size);
    },
  );
  return filled.slice(0, 2047);
}

function shown(value: SqlValue, kind: string, digits: number | undefined): string {
  if (value === null) return '(null)';
  if (kind === 's') return digits === undefined ? String(value) : String(value).slice(0, digits);
  const number = BigInt(Math.trunc(Number(value)));
  const unsigned = number < 0n ? BigInt.asUintN(32, number) : number;
  const text =
    kind === 'x'
      ? unsigned.toString(16)
      : kind === 'X'
        ? unsigned.toString(16).toUpperCase()
        : kind === 'o'
          ? unsigned.toString(8)
          : kind === 'u'
            ? String(unsigned)
            : String(number);
  return digits === undefined ? text : text.padStart(digits, '0');
}

function padded(text: string, flags: string, width: number): string {
  if (flags.includes('-')) return text.padEnd(width);
  return flags.includes('0') && text.startsWith('-')
    ? `-${text.slice(1).padStart(width - 1, '0')}`
    : text.padStart(width, flags.includes('0') ? '0' : ' ');
}
