/** Compiled statements, kept with their trees. */
import type { Expression, Node, Query } from '../../tsql/ast.ts';
import { readsVariable } from '../../tsql/contains.ts';
import { SqlError } from '../../tsql/sql-error.ts';
import type { Delete, Insert, Merge, Update } from '../../tsql/statement-ast.ts';
import { compileInsert, type InsertPlan } from '../changes/insert.ts';
import { compileMerge, type MergePlan } from '../changes/merge.ts';
import { type ChangePlan, compileChange } from '../changes/update-delete.ts';
import { newCompilation, noScope } from '../changes/writer.ts';
import type { Need } from '../security/access.ts';
import type { SqlType } from '../session.ts';
import type { Compilation } from '../translate/compilation.ts';
import { ExpressionTranslator } from '../translate/expressions.ts';
import { columnValue, converted, type OutputColumn } from '../translate/typed.ts';
import type { Context } from './context.ts';
import type { Frame } from './frame.ts';

interface Plan {
  readonly needs: readonly Need[];
}

/** A compiled query. */
export interface QueryPlan extends Plan {
  readonly sql: string;
  readonly columns: readonly OutputColumn[];
  readonly types: readonly SqlType[];
  readonly compilation: Compilation;
  readonly assigned: readonly string[];
  /** Whether it ends in FOR JSON. */
  readonly isJson: boolean;
}

/** A compiled expression or condition: a query for one value. */
export interface ValuePlan extends Plan {
  readonly sql: string;
  readonly type: SqlType;
  readonly compilation: Compilation;
}

const plans = new WeakMap<object, { readonly signature: string; readonly plan: unknown }>();
/** Errors that arose while compiling, with the call whose statement it was. */
const compileErrors = new WeakMap<SqlError, Frame>();

/**
 * The call that an error arose in while it was compiled. Such an error ends the batch with any number, and no TRY of that call takes it,
 * only one of its callers.
 */
export function compiledIn(error: SqlError): Frame | undefined {
  return compileErrors.get(error);
}

/** The plan of a part of a syntax tree, made once for a catalog and a set of temporary tables. Throws 229 where the user may not run it. */
function planned<Result extends Plan>(context: Context, node: object, compile: () => Result): Result {
  const plan = compiled(context, node, compile);
  context.mustBeAllowed(plan.needs);
  return plan;
}

function compiled<Result>(context: Context, node: object, compile: () => Result): Result {
  const { signature } = context;
  const cached = plans.get(node);
  if (cached && cached.signature === signature) return cached.plan as Result;
  try {
    const plan = compile();
    plans.set(node, { signature, plan });
    return plan;
  } catch (error) {
    if (error instanceof SqlError) compileErrors.set(error, context.frame);
    throw error;
  }
}

export function queryPlan(context: Context, query: Query): QueryPlan {
  return planned(context, query, () => {
    const compilation = newCompilation(context.translationContext);
    const assigned = assignedVariables(query);
    for (const { variable, expression } of assigned)
      if (assigned.some((other) => readsVariable(expression, other.variable)))
        compilation.volatileVariables.add(variable.toLowerCase());
    const { sql, columns } = compilation.query(query, noScope);
    const variables = assigned.map(({ variable }) => variable);
    return {
      sql: assigned.length ? assignmentSql(context, sql, columns, variables) : sql,
      columns,
      types: columns.map(({ type }) => type),
      compilation,
      needs: compilation.needs,
      assigned: variables,
      isJson: query.forJson !== undefined || query.forXmlText,
    };
  });
}

function assignedVariables({ body }: Query): { variable: string; expression: Expression }[] {
  if (body.kind !== 'select') return [];
  return body.items.flatMap((item) =>
    item.kind === 'assign' ? [{ variable: item.variable, expression: item.expression }] : [],
  );
}

/** Values are converted to the types of the variables that they are assigned to. */
function assignmentSql(
  context: Context,
  sql: string,
  columns: readonly OutputColumn[],
  variables: readonly string[],
): string {
  const list = columns.map((column, index) => {
    const target = context.variable(variables[index] ?? '')?.type ?? column.type;
    return converted(columnValue(column, `c${index}`), target).sql;
  });
  return `SELECT ${list.join(', ')} FROM (${sql})`;
}

export function valuePlan(context: Context, expression: Expression, type?: SqlType): ValuePlan {
  return planned(context, expression, () => {
    const compilation = newCompilation(context.translationContext);
    const typed = new ExpressionTranslator(compilation, noScope).value(expression);
    const value = type ? converted(typed, type) : typed;
    return { sql: `SELECT ${value.sql}`, type: value.type, compilation, needs: compilation.needs };
  });
}

export function conditionPlan(context: Context, condition: Expression): ValuePlan {
  return planned(context, condition, () => {
    const compilation = newCompilation(context.translationContext);
    const sql = new ExpressionTranslator(compilation, noScope).condition(condition);
    return { sql: `SELECT ${sql}`, type: { name: 'bit' }, compilation, needs: compilation.needs };
  });
}

export function mergePlan(context: Context, merge: Merge): MergePlan {
  return planned(context, keyOf(context, merge), () =>
    compileMerge(context.translationContext, merge, (table) => context.allowsIdentity(table)),
  );
}

export function insertPlan(context: Context, insert: Insert): InsertPlan {
  return planned(context, keyOf(context, insert), () =>
    compileInsert(context.translationContext, insert, (table) => context.allowsIdentity(table)),
  );
}

const variants = new WeakMap<Node, Map<string, object>>();

/** IDENTITY_INSERT changes what an INSERT without a column list means. */
function keyOf({ identityInsert }: Context, node: Node): object {
  return identityInsert === undefined ? node : keyed(node, String(identityInsert));
}

function keyed(node: Node, variant: string): object {
  const cached = variants.get(node) ?? new Map<string, object>();
  variants.set(node, cached);
  const key = cached.get(variant) ?? {};
  cached.set(variant, key);
  return key;
}

export function changePlan(context: Context, statement: Update | Delete): ChangePlan {
  return planned(context, statement, () => compileChange(context.translationContext, statement));
}
