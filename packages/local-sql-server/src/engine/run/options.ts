/** SET options. */
import { sqlErrorAt, unsupported } from '../../tsql/sql-error.ts';
import type { Statement } from '../../tsql/statement-ast.ts';
import type { IsolationLevel } from '../session.ts';
import { findObject } from '../translate/compilation.ts';
import type { Context } from './context.ts';

/** Options whose one setting this server has; setting them so is allowed, the other way would change results. */
const fixed: Readonly<Record<string, readonly string[]>> = {
  ANSI_NULLS: ['ON'],
  ANSI_PADDING: ['ON'],
  ANSI_WARNINGS: ['ON'],
  ANSI_NULL_DFLT_ON: ['ON'],
  ANSI_DEFAULTS: ['ON', 'OFF'],
  ARITHABORT: ['ON', 'OFF'],
  CONCAT_NULL_YIELDS_NULL: ['ON'],
  CURSOR_CLOSE_ON_COMMIT: ['ON', 'OFF'],
  IMPLICIT_TRANSACTIONS: ['OFF'],
  NUMERIC_ROUNDABORT: ['OFF'],
  QUOTED_IDENTIFIER: ['ON'],
  NOEXEC: ['OFF'],
  FMTONLY: ['ON', 'OFF'],
  PARSEONLY: ['OFF'],
  LANGUAGE: ['US_ENGLISH', 'ENGLISH', 'us_english', 'English'],
  DATEFORMAT: ['MDY', 'mdy'],
  DATEFIRST: ['7'],
  ROWCOUNT: ['0'],
  TEXTSIZE: ['-1', '2147483647'],
  DEADLOCK_PRIORITY: ['LOW', 'NORMAL', 'HIGH', '0'],
};

/** Sets an option of the session. Throws 40517 for a setting that this server does not have. */
export function setOption(context: Context, statement: Statement & { kind: 'setOption' }): void {
  const { option, value, at } = statement;
  if (option === 'IDENTITY_INSERT') setIdentityInsert(context, statement);
  else if (option === 'ISOLATION LEVEL') context.transaction.isolation = value as IsolationLevel;
  else if (option === 'LOCK_TIMEOUT') context.transaction.lockTimeout = Number(value);
  else if (option === 'NOCOUNT' || option === 'XACT_ABORT') context.setOption(option, value);
  else if (fixed[option]?.includes(value)) context.setOption(option, value);
  else throw unsupported(`SET ${option} ${value}`, at);
}

function setIdentityInsert(context: Context, { value, table, at }: Statement & { kind: 'setOption' }): void {
  const parts = table?.parts ?? [];
  const found = findObject(context.translationContext, parts, at);
  if (found?.kind !== 'table') throw sqlErrorAt(at, 1088, parts.join('.'));
  if (!found.temporary && !context.may('ALTER', { on: 'OBJECT', id: found.id }))
    throw sqlErrorAt(at, 1088, parts.join('.'));
  if (!found.columns.some(({ identity }) => identity)) throw sqlErrorAt(at, 8106, parts.join('.'));
  const current = context.identityInsert;
  if (value === 'ON' && current !== undefined && current !== found.id)
    throw sqlErrorAt(at, 8107, String(current), parts.join('.'));
  context.identityInsert = value === 'ON' ? found.id : undefined;
}
