/** EXEC: calls of procedures and of text. */
import { SqlError, sqlError, sqlErrorAt, unsupported } from '../../tsql/sql-error.ts';
import type { Execute, ParameterDefinition, Statement } from '../../tsql/statement-ast.ts';
import type { Module } from '../catalog.ts';
import { splitName } from '../functions/system.ts';
import { parsedProcedure } from '../modules.ts';
import type { SqlType, SqlValue } from '../session.ts';
import { clientProcedure } from '../system-views/client-procedures.ts';
import { findObject } from '../translate/compilation.ts';
import { resolveType } from '../type-names.ts';
import { nvarchar, typeName, varbinary, varchar } from '../types.ts';
import { convert } from '../values/convert.ts';
import { parsedBatch } from './batches.ts';
import { bindBatch } from './bind.ts';
import { Frame } from './frame.ts';
import type { GivenArgument } from './given-argument.ts';
import type { StatementRunner } from './statement-runner.ts';
import { runSystemProcedure, systemProcedure } from './system-procedures.ts';

const maxCallDepth = 32;

/** Runs EXEC: procedures of the catalog, procedures of the system, and text. */
export class Call {
  readonly #runner: StatementRunner;

  constructor(runner: StatementRunner) {
    this.#runner = runner;
  }

  /** execute = a procedure by name or variable, or EXEC (text) */
  async execute(
    statement: Execute & { readonly at: { readonly line: number; readonly column: number } },
  ): Promise<void> {
    const { context } = this.#runner;
    if (statement.text) {
      const text = await this.#runner.value(statement.text, nvarchar('max'));
      await this.text(String(text ?? ''));
      return;
    }
    const name = await this.#nameOf(statement);
    const given: GivenArgument[] = [];
    for (const argument of statement.arguments) given.push(await this.#given(argument));
    const result = await this.procedure(name, given, statement.at);
    if (statement.result !== undefined) context.assignConverted(statement.result, result, { name: 'int' });
  }

  async #nameOf({ procedure }: Execute): Promise<readonly string[]> {
    if (!procedure) throw new TypeError('EXEC names a procedure');
    if ('parts' in procedure) return procedure.parts;
    return splitName(String(this.#runner.context.variable(procedure.variable)?.value ?? ''));
  }

  async #given({ name, value, output, at }: Execute['arguments'][number]): Promise<GivenArgument> {
    const { context } = this.#runner;
    if (value.kind === 'default')
      return { name, type: { name: 'int' }, value: null, isDefault: true, output };
    if (output && value.kind !== 'variable') throw sqlErrorAt(at, 179);
    if (value.kind === 'variable') {
      const variable = context.variable(value.name);
      if (!variable) throw sqlErrorAt(at, 137, value.name);
      const give = (result: SqlValue, type: SqlType) => context.assignConverted(value.name, result, type);
      return { ...variable, name, isDefault: false, output, give };
    }
    const type = literalType(value);
    return { name, type, value: await this.#runner.value(value, type), isDefault: false, output };
  }

  /** Runs a procedure by its name, and returns its return value. Throws 2812 for an unknown one. */
  async procedure(
    parts: readonly string[],
    given: readonly GivenArgument[],
    at = { line: 1, column: 1 },
  ): Promise<number> {
    const { context } = this.#runner;
    const object = findObject(context.translationContext, parts, at);
    if (object?.kind === 'procedure') {
      this.#mustBeAllowed(object);
      return this.#module(object, given, parts);
    }
    if (object?.kind === 'function') throw unsupported('EXEC of a function', at);
    const ofClients = clientProcedure(parts);
    if (ofClients) return this.#module(ofClients, given, parts);
    const name = systemProcedure(parts, at);
    if (name) return runSystemProcedure(this, this.#runner, name, given);
    throw sqlError(2812, parts.join('.'));
  }

  /** Throws 229, which counts as an error of the procedure. */
  #mustBeAllowed(procedure: Module): void {
    const call = () => this.#runner.context.mustBeAllowed([{ right: 'EXECUTE', object: procedure }]);
    raisedBy(`${procedure.schema}.${procedure.name}`, call);
  }

  async #module(module: Module, given: readonly GivenArgument[], parts: readonly string[]): Promise<number> {
    const procedure = parsedProcedure(module);
    const called = parts.at(-2) ? `${parts.at(-2)}.${module.name}` : module.name;
    const frame = this.#enter({ id: module.id, name: called });
    const bound = raisedBy(module.name, () => this.#bind(frame, procedure.parameters, given, module.name));
    const { count } = this.#runner.context.transaction;
    await this.#run(frame, procedure.body);
    for (const { argument, parameter } of bound) this.#giveBack(frame, argument, parameter);
    this.#checkTransactionCount(count, module.name);
    return frame.returnValue;
  }

  /** Throws 266 when a call has begun a transaction that it has not ended, or the other way round. */
  #checkTransactionCount(before: number, procedure?: string): void {
    const after = this.#runner.context.transaction.count;
    if (after !== before) throw countMismatch(before, after, procedure);
  }

  #giveBack(frame: Frame, argument: GivenArgument, parameter: ParameterDefinition): void {
    const variable = frame.variables.get(parameter.name.toLowerCase());
    if (argument.output && variable) argument.give?.(variable.value, variable.type);
  }

  /** Runs text in a new scope, with parameters (sp_executesql) or without (EXEC). */
  async text(
    sql: string,
    parameters: readonly ParameterDefinition[] = [],
    given: readonly GivenArgument[] = [],
    shown = sql,
    declarations = '',
  ): Promise<number> {
    const { context } = this.#runner;
    const statements = parsedBatch(
      sql,
      parameters.map(({ name }) => name),
      declarations,
    );
    const frame = this.#enter(undefined);
    const bound = this.#bind(frame, parameters, given, shown);
    const { count } = context.transaction;
    await this.#run(frame, statements, true);
    for (const { argument, parameter } of bound) this.#giveBack(frame, argument, parameter);
    this.#checkTransactionCount(count);
    return 0;
  }

  #enter(procedure: { id: number; name: string } | undefined): Frame {
    const { level } = this.#runner.context.frame;
    if (level >= maxCallDepth) throw sqlError(217);
    return new Frame(level + 1, procedure);
  }

  async #run(frame: Frame, statements: readonly Statement[], isText = false): Promise<void> {
    const { context } = this.#runner;
    const { options, impersonated } = context;
    frame.impersonations = impersonated.length;
    context.frames.push(frame);
    try {
      if (isText) bindBatch(context, statements);
      await this.#runner.runAll(statements);
    } finally {
      this.#leave(frame);
      context.options = options;
      context.impersonated = impersonated;
    }
  }

  /** Temporary tables of a call end with it, and so do the options and the user that it has set. */
  #leave(frame: Frame): void {
    const { context } = this.#runner;
    const index = context.frames.indexOf(frame);
    for (const table of frame.tables.values()) context.temporaryTables.drop(table);
    if (index > 0) context.frames.length = index;
  }

  /** Puts the arguments into the frame. Throws 201, 8143, 8144, 8145, 8146, 8162, 8178. */
  #bind(
    frame: Frame,
    parameters: readonly ParameterDefinition[],
    given: readonly GivenArgument[],
    name: string,
  ): { argument: GivenArgument; parameter: ParameterDefinition }[] {
    const isText = !frame.procedure;
    if (!parameters.length && given.length && !isText) throw sqlError(8146, name);
    const bound = new Map<ParameterDefinition, GivenArgument>();
    given.forEach((argument, index) => {
      const parameter =
        argument.name === undefined
          ? parameters[index]
          : parameters.find((candidate) => candidate.name.toLowerCase() === argument.name?.toLowerCase());
      if (!parameter && argument.name === undefined) throw sqlError(8144, name);
      if (!parameter) throw sqlError(8145, argument.name ?? '', name);
      if (bound.has(parameter)) throw sqlError(8143, parameter.name);
      if (argument.output && !parameter.output) throw sqlError(8162, parameter.name);
      bound.set(parameter, argument);
    });
    parameters.forEach((parameter, index) => {
      this.#declare(frame, parameter, index, bound.get(parameter), name);
    });
    return [...bound].map(([parameter, argument]) => ({ parameter, argument }));
  }

  #declare(
    frame: Frame,
    parameter: ParameterDefinition,
    index: number,
    argument: GivenArgument | undefined,
    name: string,
  ): void {
    const type = typeOf(parameter, index + 1);
    const isMissing = !argument || argument.isDefault;
    if (isMissing && !parameter.default) {
      if (frame.procedure) throw sqlError(201, name, parameter.name);
      throw sqlError(8178, `(${parameter.name})${name}`, parameter.name);
    }
    const value = isMissing ? constantOf(parameter, type) : argumentValue(argument, type);
    frame.variables.set(parameter.name.toLowerCase(), { type, value });
  }
}

/** An argument in the type of its parameter. Throws 8114 where it cannot be converted. */
function argumentValue(argument: GivenArgument, type: SqlType): SqlValue {
  try {
    return convert(argument.value, argument.type, type, undefined, 'implicit');
  } catch (error) {
    if (error instanceof SqlError && failedConversions.has(error.number))
      throw sqlError(8114, typeName(argument.type), typeName(type));
    throw error;
  }
}

const failedConversions = new Set([235, 241, 242, 244, 245, 248, 295, 8169]);

/** What is wrong with the arguments of a procedure counts as an error of the procedure itself. */
function raisedBy<T>(procedure: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SqlError) error.procedure ??= procedure;
    throw error;
  }
}

function countMismatch(before: number, after: number, procedure: string | undefined): SqlError {
  const error = sqlError(266, before, after);
  error.procedure = procedure;
  error.isRaised = true;
  return error;
}

const parameterTypes = new WeakMap<ParameterDefinition, SqlType>();

function typeOf(parameter: ParameterDefinition, index: number): SqlType {
  const cached = parameterTypes.get(parameter);
  if (cached) return cached;
  const type = resolveType(parameter.type, index);
  parameterTypes.set(parameter, type);
  return type;
}

/** The default of a parameter: a constant. */
function constantOf({ default: value }: ParameterDefinition, type: SqlType): SqlValue {
  if (!value || value.kind === 'null') return null;
  if (value.kind === 'unary' && value.operand.kind === 'number')
    return convert(`-${value.operand.text}`, varchar('max'), type);
  if (value.kind === 'string') return convert(value.value, nvarchar('max'), type, undefined, 'implicit');
  if (value.kind === 'binary')
    return convert(Uint8Array.from(Buffer.from(value.hex, 'hex')), varbinary('max'), type);
  if (value.kind === 'number') return convert(value.text.replace('$', ''), varchar('max'), type);
  throw sqlErrorAt(value.at, 102, value.kind);
}

function literalType(value: Execute['arguments'][number]['value']): SqlType {
  const number = value.kind === 'unary' ? value.operand : value;
  if (value.kind === 'string') return value.unicode ? nvarchar('max') : varchar('max');
  if (value.kind === 'binary') return { name: 'varbinary', length: 'max' };
  if (number.kind === 'number' && number.form === 'float') return { name: 'float' };
  if (number.kind === 'number' && number.form === 'money') return { name: 'money' };
  if (number.kind === 'number' && (number.form === 'decimal' || number.text.length > 9)) {
    const scale = number.text.split('.')[1]?.length ?? 0;
    return { name: 'decimal', precision: 38, scale };
  }
  return { name: 'int' };
}
