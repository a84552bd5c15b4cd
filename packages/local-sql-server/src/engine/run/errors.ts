/** The errors of THROW and RAISERROR. */
import { SqlError, sqlError } from '../../tsql/sql-error.ts';
import type { Statement } from '../../tsql/statement-ast.ts';
import { fillFormats, type Substitution } from '../functions/c-format.ts';
import { familyOf, int, isCharacter, nvarchar } from '../types.ts';
import { valuePlan } from './plans.ts';
import type { StatementRunner } from './statement-runner.ts';

/** The error of THROW: a new one of severity 16, or without arguments the one that CATCH handles. Throws 10704, 35100. */
export async function throwError(
  runner: StatementRunner,
  { arguments: given }: Statement & { kind: 'throw' },
): Promise<SqlError> {
  const { caughtError } = runner.context;
  if (!given.length) {
    if (!caughtError) return sqlError(10704);
    return rethrown(caughtError);
  }
  const [number, message, state] = given;
  if (!number || !message || !state) throw new TypeError('THROW has three arguments');
  const code = Number(await runner.value(number, int));
  if (code < 50_000) return sqlError(35100, code);
  const text = String((await runner.value(message, nvarchar(2048))) ?? '');
  const error = new SqlError(code, 16, Number(await runner.value(state, { name: 'tinyint' })), text);
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
  runner: StatementRunner,
  { arguments: given }: Statement & { kind: 'raiserror' },
): Promise<SqlError> {
  const [first, severity, state, ...rest] = given;
  if (!first || !severity || !state) throw new TypeError('RAISERROR has three arguments or more');
  const plan = valuePlan(runner.context, first);
  const isNumber = plan.type.name === 'int';
  const value = await runner.value(first);
  const values: Substitution[] = [];
  for (const argument of rest) {
    const { type } = valuePlan(runner.context, argument);
    if (!isCharacter(type) && familyOf(type) !== 'integer')
      throw sqlError(2748, type.name, given.indexOf(argument) + 1);
    const shown = (await runner.value(argument)) ?? '(null)';
    values.push({ kind: isCharacter(type) ? 's' : 'd', text: String(shown) });
  }
  const level = Math.min(Math.max(Number(await runner.value(severity, int)), 0), 25);
  if (level > 18) return sqlError(2754);
  const code = Math.min(Math.max(Number(await runner.value(state, int)), 0), 255);
  if (isNumber)
    return sqlError(
      Number(value) === 50_000 || Number(value) < 13_000 ? 2732 : 18054,
      Number(value),
      level,
      code,
    );
  const error = new SqlError(50_000, level, code, fillFormats(String(value ?? ''), values));
  error.isRaised = true;
  return error;
}
