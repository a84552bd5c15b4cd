/** Procedures of the system. */
import { type Position, SqlError, sqlError, unsupported } from '../../tsql/sql-error.ts';
import type { ParameterDefinition } from '../../tsql/statement-ast.ts';
import { int, isUnicode, nvarchar } from '../types.ts';
import { convert } from '../values/convert.ts';
import { parsedBatch, parsedParameters } from './batches.ts';
import type { GivenArgument } from './given-argument.ts';
import type { LockMode } from './locks.ts';
import type { PreparedStatement } from './prepared-statements.ts';
import type { StatementRunner } from './statement-runner.ts';

/** What a system procedure asks of the call that it is: to run text with parameters, in a new scope. */
interface TextCall {
  text(
    sql: string,
    parameters: readonly ParameterDefinition[],
    given: readonly GivenArgument[],
    shown: string,
    declarations: string,
  ): Promise<number>;
}

type Procedure = (
  call: TextCall,
  runner: StatementRunner,
  given: readonly GivenArgument[],
) => Promise<number>;

/** The name of a system procedure, if that is what a name means. Throws 40517 for one that is not supported. */
export function systemProcedure(parts: readonly string[], at: Position): string | undefined {
  const name = (parts.at(-1) ?? '').toLowerCase();
  if (unsupportedProcedures.has(name)) throw unsupported(name, at);
  return Object.hasOwn(procedures, name) ? name : undefined;
}

export function runSystemProcedure(
  call: TextCall,
  runner: StatementRunner,
  name: string,
  given: readonly GivenArgument[],
): Promise<number> {
  const procedure = procedures[name];
  if (!procedure) throw sqlError(2812, name);
  return procedure(call, runner, given);
}

/** Arguments by the names of a procedure's parameters, in their order. Throws 8145 and 8144. */
function argumentsByName(
  procedure: string,
  names: readonly string[],
  given: readonly GivenArgument[],
): ReadonlyMap<string, GivenArgument> {
  const found = new Map<string, GivenArgument>();
  given.forEach((argument, index) => {
    const name = argument.name?.toLowerCase() ?? names[index];
    if (name === undefined) throw sqlError(8144, procedure);
    if (!names.includes(name)) throw sqlError(8145, argument.name ?? '', procedure);
    found.set(name, argument);
  });
  return found;
}

function text(argument: GivenArgument | undefined, parameter: string): string {
  if (!argument || argument.value === null || (parameter.startsWith('@s') && !isUnicode(argument.type)))
    throw sqlError(214, parameter, 'ntext/nchar/nvarchar');
  return String(convert(argument.value, argument.type, nvarchar('max')));
}

/** sp_executesql @stmt, @params, then the parameters themselves. */
async function executeSql(
  call: TextCall,
  _: StatementRunner,
  given: readonly GivenArgument[],
): Promise<number> {
  const [statement, declarations, ...values] = given;
  const sql = text(statement, '@statement');
  const parameters: readonly ParameterDefinition[] =
    declarations && declarations.value !== null ? parsedParameters(text(declarations, '@params')) : [];
  return call.text(sql, parameters, values, sql, declarations ? String(declarations.value ?? '') : '');
}

/** sp_prepare @handle OUTPUT, @params, @stmt: keeps a statement. Errors of its text are followed by 8180. */
async function prepare(
  _: TextCall,
  runner: StatementRunner,
  [handle, parameters, statement]: readonly GivenArgument[],
): Promise<number> {
  handle?.give?.(preparedHandle(runner, parameters, statement), int);
  return 0;
}

/** sp_prepexec @handle OUTPUT, @params, @stmt, then the parameters themselves. */
async function prepareAndExecute(
  call: TextCall,
  runner: StatementRunner,
  [handle, parameters, statement, ...values]: readonly GivenArgument[],
): Promise<number> {
  const prepared = preparedHandle(runner, parameters, statement);
  handle?.give?.(prepared, int);
  return executeStatement(call, runner.context.prepared.get(prepared), values);
}

function preparedHandle(
  runner: StatementRunner,
  parameters: GivenArgument | undefined,
  statement: GivenArgument | undefined,
): number {
  const declarations = parameters?.value ? text(parameters, '@params') : '';
  const sql = text(statement, '@stmt');
  try {
    const names = parsedParameters(declarations).map(({ name }) => name);
    parsedBatch(sql, names, declarations);
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    runner.reportAtEnd(error);
    throw sqlError(8180);
  }
  return runner.context.prepared.add({ sql, declarations });
}

/** sp_execute @handle, then the parameters. */
async function execute(
  call: TextCall,
  { context }: StatementRunner,
  [handle, ...values]: readonly GivenArgument[],
): Promise<number> {
  return executeStatement(call, context.prepared.get(Number(handle?.value)), values);
}

function executeStatement(
  call: TextCall,
  { sql, declarations }: PreparedStatement,
  values: readonly GivenArgument[],
): Promise<number> {
  return call.text(sql, parsedParameters(declarations), values, sql, declarations);
}

async function unprepare(
  _: TextCall,
  { context }: StatementRunner,
  [handle]: readonly GivenArgument[],
): Promise<number> {
  context.prepared.remove(Number(handle?.value));
  return 0;
}

const lockModes: Readonly<Record<string, LockMode>> = {
  shared: 'Shared',
  update: 'Update',
  exclusive: 'Exclusive',
  intentshared: 'IntentShared',
  intentexclusive: 'IntentExclusive',
};

function resourceOf(runner: StatementRunner, name: string): string {
  return `application ${runner.context.database.toLowerCase()} ${name.slice(0, 255)}`;
}

/** Returns 0 (granted), 1 (granted after waiting), -1 (time-out), -2 (cancelled) or -3 (deadlock). */
async function getAppLock(
  _: TextCall,
  runner: StatementRunner,
  given: readonly GivenArgument[],
): Promise<number> {
  const { context } = runner;
  const found = argumentsByName(
    'sp_getapplock',
    ['@resource', '@lockmode', '@lockowner', '@locktimeout', '@dbprincipal'],
    given,
  );
  const resource = resourceOf(runner, text(found.get('@resource'), '@Resource'));
  const mode = lockModes[text(found.get('@lockmode'), '@LockMode').toLowerCase()];
  const isSession = String(found.get('@lockowner')?.value ?? 'Transaction').toLowerCase() === 'session';
  if (!mode) throw sqlError(1085, '@LockMode', 'sp_getapplock');
  if (!isSession && context.transaction.count === 0) throw sqlError(1083);
  const timeout = Number(found.get('@locktimeout')?.value ?? context.transaction.lockTimeout);
  const isFree = context.server.locks.tryAcquire(context, resource, mode);
  const result = isFree ? 'granted' : await context.server.locks.acquire(context, resource, mode, timeout);
  if (result === 'granted') {
    if (isSession) context.applicationLocks.push(resource);
    else context.transaction.keepApplicationLock(resource);
  }
  return { granted: isFree ? 0 : 1, timeout: -1, cancelled: -2, deadlock: -3 }[result];
}

async function releaseAppLock(
  _: TextCall,
  runner: StatementRunner,
  given: readonly GivenArgument[],
): Promise<number> {
  const { context } = runner;
  const found = argumentsByName('sp_releaseapplock', ['@resource', '@lockowner', '@dbprincipal'], given);
  const name = text(found.get('@resource'), '@Resource');
  const resource = resourceOf(runner, name);
  if (!context.server.locks.release(context, resource)) throw sqlError(1223, name);
  context.forgetApplicationLock(resource);
  return 0;
}

const procedures: Readonly<Record<string, Procedure>> = {
  sp_executesql: executeSql,
  sp_prepare: prepare,
  sp_prepexec: prepareAndExecute,
  sp_execute: execute,
  sp_unprepare: unprepare,
  sp_getapplock: getAppLock,
  sp_releaseapplock: releaseAppLock,
};

const unsupportedProcedures = new Set(
  `sp_addextendedproperty sp_addmessage sp_bindsession sp_columns sp_configure sp_databases sp_depends
  sp_describe_first_result_set sp_describe_undeclared_parameters sp_dropextendedproperty sp_estimate_data_compression_savings
  sp_executesql_metrics sp_fkeys sp_help sp_helpconstraint sp_helpdb sp_helpindex sp_helptext sp_lock sp_pkeys
  sp_recompile sp_refreshsqlmodule sp_refreshview sp_rename sp_server_info sp_set_session_context sp_settriggerorder
  sp_spaceused sp_sproc_columns sp_sproc_columns_100 sp_statistics sp_stored_procedures sp_tables sp_updateextendedproperty
  sp_updatestats sp_who sp_who2 sp_xml_preparedocument sp_xml_removedocument xp_cmdshell`.split(/\s+/),
);
