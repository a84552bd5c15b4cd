/** The errors of THROW and RAISERROR. */
import { type Position, SqlError, sqlError, unsupported } from '../../tsql/sql-error.ts';
import type { Statement } from '../../tsql/statement-ast.ts';
import { familyOf, int, isCharacter, nvarchar } from '../types.ts';
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

/** The error (or, up to severity 10, message) of RAISERROR. A text is number 50000. Throws 2732, 2748, 2754, 2786, 2787. */
export async function raiseError(
  interpreter: Interpreter,
  { arguments: given, at }: Statement & { kind: 'raiserror' },
): Promise<SqlError> {
  const [first, severity, state, ...rest] = given;
  if (!first || !severity || !state) throw new TypeError('RAISERROR has three arguments or more');
  const plan = valuePlan(interpreter.context, first);
  const isNumber = plan.type.name === 'int';
  const value = await interpreter.value(first);
  const values: Substitution[] = [];
  for (const argument of rest) {
    const { type } = valuePlan(interpreter.context, argument);
    if (!isCharacter(type) && familyOf(type) !== 'integer')
      throw sqlError(2748, type.name, given.indexOf(argument) + 1);
    const shown = (await interpreter.value(argument)) ?? '(null)';
    values.push({ kind: isCharacter(type) ? 's' : 'd', text: String(shown) });
  }
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
  const error = new SqlError(50_000, level, code, formatMessage(String(value ?? ''), values, at));
  error.isRaised = true;
  return error;
}

interface Substitution {
  readonly kind: 's' | 'd';
  readonly text: string;
}

const maxMessageLength = 2047;

/** Fills `%s` and, with `%d` or `%i`, whole numbers. Throws 2786 for another type, 2787 for what is no format, 40517 for others of C. */
function formatMessage(text: string, substitutions: readonly Substitution[], at: Position): string {
  let index = 0;
  const filled = text.replace(/%(.?)/g, (whole, format: string) => {
    if (format === '%') return '%';
    if (/[-+0-9 #*.hlIuxXo]/.test(format)) throw unsupported(`RAISERROR with ${whole}`, at);
    if (!['s', 'd', 'i'].includes(format)) throw sqlError(2787, whole);
    const { kind, text: shown } = substitutions[index++] ?? { kind: undefined, text: '(null)' };
    if (kind && kind !== (format === 's' ? 's' : 'd')) throw sqlError(2786, index);
    return shown;
  });
  return filled.slice(0, maxMessageLength);
}
