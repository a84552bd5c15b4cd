/** Checks the whole text of a view or procedure when it is created, as SQL Server does. */
import type { Expression, Query } from '../../tsql/ast.ts';
import { nodesOf } from '../../tsql/contains.ts';
import { type Position, SqlError, sqlErrorAt } from '../../tsql/sql-error.ts';
import type {
  CreateFunction,
  CreateProcedure,
  ParameterDefinition,
  Statement,
} from '../../tsql/statement-ast.ts';
import { sameName, type Table } from '../catalog.ts';
import { compileInsert } from '../changes/insert.ts';
import { compileMerge } from '../changes/merge.ts';
import { compileChange } from '../changes/update-delete.ts';
import { newCompilation, noScope } from '../changes/writer.ts';
import type { SqlType } from '../session.ts';
import { checkFunctionName } from '../translate/calls.ts';
import type { TranslationContext } from '../translate/compilation.ts';
import { ExpressionTranslator } from '../translate/expressions.ts';
import { converted } from '../translate/typed.ts';
import { resolveType } from '../type-names.ts';
import { nvarchar } from '../types.ts';
import { buildTable } from './build-table.ts';
import { columnRules } from './column-rules.ts';

/** A statement that names a table which is not there is checked only when it runs (deferred name resolution). */
const missingObject = 208;
const missingFunction = 4121;
const unsupportedConstruct = 40_517;
/** Depends on SET IDENTITY_INSERT, which is known only when the statement runs. */
const identityErrors = new Set([544, 545, 8101]);

/** A view must make sense when it is created. Throws 4511, 4506, 8158, 8159 and what is wrong with its query. */
export function checkView(
  translationContext: TranslationContext,
  { query, columns, name }: Statement & { kind: 'createView' },
): void {
  const { at } = query;
  const view = name.parts.at(-1) ?? '';
  if (name.parts.length > 2) throw sqlErrorAt(at, 166, 'CREATE/ALTER VIEW');
  const [temporary] = nodesOf(query, 'table').filter((table) => nameOf(table).startsWith('#'));
  if (temporary) throw sqlErrorAt(at, 4508, nameOf(temporary));
  const translated = newCompilation(translationContext).query(query, noScope);
  const names = translated.columns.map((column, index) => columns?.[index] ?? column.name);
  if (columns && columns.length !== names.length)
    throw sqlErrorAt(at, columns.length > names.length ? 8159 : 8158, view);
  names.forEach((column, index) => {
    if (column === '') throw sqlErrorAt(at, 4511, index + 1);
    if (names.findIndex((other) => sameName(other, column)) < index) throw sqlErrorAt(at, 4506, column, view);
  });
}

function nameOf(node: object): string {
  const { parts } = (node as { name: { parts: readonly string[] } }).name;
  return parts.at(-1) ?? '';
}

/** A procedure may name tables that come later; all else in it must make sense when it is created. */
export function checkProcedure(translationContext: TranslationContext, procedure: CreateProcedure): void {
  if (procedure.name.parts.length > 2) throw sqlErrorAt(procedure.at, 166, 'CREATE/ALTER PROCEDURE');
  try {
    new BodyCheck(translationContext, procedure.parameters).statements(procedure.body);
    checkTemporaryTables(procedure.body);
  } catch (error) {
    if (error instanceof SqlError) error.procedure = procedure.name.parts.at(-1);
    throw error;
  }
}

/** A function may neither change tables nor give rows to the client. Throws 443, 444, 8155 and what is wrong with its body. */
export function checkFunction(translationContext: TranslationContext, created: CreateFunction): void {
  const { name, parameters, returns, at } = created;
  if (name.parts.length > 2) throw sqlErrorAt(at, 166, 'CREATE/ALTER FUNCTION');
  const called = name.parts.at(-1) ?? '';
  try {
    const check = new BodyCheck(translationContext, parameters);
    if (returns.kind === 'table') {
      const unnamed = check.columns(returns.query).indexOf('');
      if (unnamed >= 0) throw sqlErrorAt(returns.query.at, 4514, unnamed + 1);
      return;
    }
    resolveType(returns.type);
    for (const node of nodesOf(returns.body, 'select') as Statement[])
      if (node.kind === 'select' && 'query' in node && !assigns(node.query)) throw sqlErrorAt(node.at, 444);
    for (const [kind, number, what] of refusedInFunctions)
      for (const node of nodesOf(returns.body, kind))
        throw sqlErrorAt((node as { at: Position }).at, number, what);
    check.statements(returns.body);
  } catch (error) {
    if (error instanceof SqlError) error.procedure = called;
    throw error;
  }
}

function assigns({ body }: Query): boolean {
  return body.kind === 'select' && body.items.some(({ kind }) => kind === 'assign');
}

/** Statements that a function may not have, with their errors. */
const refusedInFunctions = [
  ['insert', 443, 'INSERT'],
  ['update', 443, 'UPDATE'],
  ['delete', 443, 'DELETE'],
  ['merge', 443, 'MERGE'],
  ['print', 443, 'PRINT'],
  ['raiserror', 443, 'RAISERROR'],
  ['throw', 443, 'THROW'],
  ['try', 443, 'BEGIN TRY'],
  ['waitfor', 443, 'WAITFOR'],
  ['transaction', 443, 'BEGIN TRANSACTION'],
  ['createTable', 2772, ''],
] as const;

/** Checks the statements of a batch whose tables exist. Constructs that are not supported are refused when they run. */
export function checkBatch(translationContext: TranslationContext, statements: readonly Statement[]): void {
  checkTemporaryTables(statements);
  try {
    new BodyCheck(translationContext, []).statements(statements);
  } catch (error) {
    if (!(error instanceof SqlError) || error.number !== unsupportedConstruct) throw error;
  }
}

/** Throws 2714 for a #temp table that is made twice, be it in branches of which one runs. */
function checkTemporaryTables(statements: readonly Statement[]): void {
  const made = nodesOf(statements, 'createTable').filter((node) => nameOf(node).startsWith('#'));
  const names = made.map((node) => nameOf(node).toLowerCase());
  const again = made.find((_, index) => names.indexOf(names[index] ?? '') < index);
  if (again) throw sqlErrorAt((again as { at: Position }).at, 2714, nameOf(again));
}

/** Translates each statement of a body once, with the variables that it declares, and throws the plans away. */
class BodyCheck {
  readonly #translationContext: TranslationContext;
  readonly #variables = new Map<string, SqlType>();
  readonly #tables = new Map<string, Table>();

  constructor(outer: TranslationContext, parameters: readonly ParameterDefinition[]) {
    parameters.forEach(({ name, type }, index) => {
      this.#variables.set(name.toLowerCase(), resolveType(type, index + 1));
    });
    this.#translationContext = {
      ...outer,
      variableType: (name) => this.#variables.get(name.toLowerCase()) ?? outer.variableType(name),
      temporaryTable: (name) => this.#tables.get(name.toLowerCase()) ?? outer.temporaryTable(name),
    };
  }

  statements(statements: readonly Statement[]): void {
    for (const statement of statements) this.#located(statement);
  }

  #located(statement: Statement): void {
    try {
      this.#check(statement);
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      if (identityErrors.has(error.number)) return;
      if (error.number !== missingObject && error.number !== missingFunction)
        throw withLine(error, statement.at);
      for (const call of nodesOf(statement, 'call'))
        checkFunctionName(call as { name: string; at: Position });
    }
  }

  #check(statement: Statement): void {
    switch (statement.kind) {
      case 'select':
        this.#query(statement.query);
        return;
      case 'insert':
        compileInsert(this.#translationContext, statement, () => false);
        return;
      case 'merge':
        compileMerge(this.#translationContext, statement, () => false);
        return;
      case 'update':
      case 'delete':
        compileChange(this.#translationContext, statement);
        return;
      case 'declare':
        this.#variables.set(statement.name.toLowerCase(), resolveType(statement.type));
        if (statement.value) this.#value(statement.value, resolveType(statement.type));
        return;
      case 'declareTable':
        this.#declareTable(statement);
        return;
      case 'set':
        this.#value(statement.value, this.#variables.get(statement.variable.toLowerCase()));
        return;
      case 'if':
        this.#condition(statement.condition);
        this.statements([statement.consequent, ...(statement.otherwise ? [statement.otherwise] : [])]);
        return;
      case 'while':
        this.#condition(statement.condition);
        this.statements([statement.body]);
        return;
      case 'block':
        this.statements(statement.statements);
        return;
      case 'try':
        this.statements([...statement.body, ...statement.handler]);
        return;
      case 'print':
        this.#value(statement.value, nvarchar(4000));
        return;
      case 'return':
        if (statement.value) this.#value(statement.value, { name: 'int' });
    }
  }

  /** The names of the columns of a query. */
  columns(query: Query): string[] {
    const { columns } = newCompilation(this.#translationContext).query(query, noScope);
    return columns.map(({ name }) => name);
  }

  #query(query: Query): void {
    newCompilation(this.#translationContext).query(query, noScope);
  }

  #value(expression: Expression, type: SqlType | undefined): void {
    const typed = new ExpressionTranslator(newCompilation(this.#translationContext), noScope).value(
      expression,
    );
    if (type) converted(typed, type);
  }

  #condition(condition: Expression): void {
    new ExpressionTranslator(newCompilation(this.#translationContext), noScope).condition(condition);
  }

  #declareTable({ name, table }: Statement & { kind: 'declareTable' }): void {
    const home = { id: 0, schema: 'dbo', name, storage: '"t"', temporary: 'variable' } as const;
    const built = buildTable(table, home, () => 0, columnRules(this.#translationContext, home));
    this.#tables.set(name.toLowerCase(), built);
  }
}

function withLine(error: SqlError, at: Position): SqlError {
  if (error.line === 0) error.line = at.line;
  return error;
}
