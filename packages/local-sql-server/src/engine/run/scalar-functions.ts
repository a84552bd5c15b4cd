/** Scalar functions of a schema. Their bodies run inside of a query, so nothing in them waits. */
import { sqlError, unsupported } from '../../tsql/sql-error.ts';
import type { Statement } from '../../tsql/statement-ast.ts';
import type { Module } from '../catalog.ts';
import { parsedFunction } from '../modules.ts';
import type { SqlType, SqlValue } from '../session.ts';
import { resolveType } from '../type-names.ts';
import type { Context } from './context.ts';
import { Frame } from './frame.ts';
import { conditionPlan, queryPlan, valuePlan } from './plans.ts';
import { sendQuery } from './queries.ts';
import type { Outcome } from './statement-kinds.ts';

const maxCallDepth = 32;

/** Returns what a function gives for arguments in the types of its parameters. Throws 217 where calls nest too deeply. */
export function callScalarFunction(context: Context, module: Module, given: readonly SqlValue[]): SqlValue {
  const { parameters, returns } = parsedFunction(module);
  if (returns.kind !== 'scalar') throw new TypeError(`${module.name} gives no value`);
  const { level } = context.frame;
  if (level >= maxCallDepth) throw sqlError(217);
  const frame = new Frame(level + 1, { id: module.id, name: module.name });
  parameters.forEach((parameter, index) => {
    const type = resolveType(parameter.type, index + 1);
    const value = plainValue(given[index] ?? null, type);
    frame.variables.set(parameter.name.toLowerCase(), { type, value });
  });
  const { rowCount } = context;
  const depth = context.frames.length;
  context.frames.push(frame);
  try {
    const body = new FunctionBody(context, resolveType(returns.type));
    body.run(returns.body);
    return body.result;
  } finally {
    context.frames.length = depth;
    context.rowCount = rowCount;
  }
}

/** SQLite gives integers as bigints. */
function plainValue(value: SqlValue, type: SqlType): SqlValue {
  return typeof value === 'bigint' && type.name !== 'bigint' ? Number(value) : value;
}

/** Runs the statements that a function may have. */
class FunctionBody {
  result: SqlValue = null;
  readonly #context: Context;
  readonly #type: SqlType;

  constructor(context: Context, type: SqlType) {
    this.#context = context;
    this.#type = type;
  }

  run(statements: readonly Statement[]): Outcome {
    for (const statement of statements) {
      const outcome = this.#statement(statement);
      if (outcome !== 'next') return outcome;
    }
    return 'next';
  }

  #statement(statement: Statement): Outcome {
    const context = this.#context;
    switch (statement.kind) {
      case 'block':
        return this.run(statement.statements);
      case 'if':
        if (this.#isTrue(statement.condition)) return this.#statement(statement.consequent);
        return statement.otherwise ? this.#statement(statement.otherwise) : 'next';
      case 'while':
        return this.#while(statement);
      case 'break':
      case 'continue':
        return statement.kind;
      case 'return':
        this.result = statement.value ? this.#value(statement.value, this.#type) : null;
        return 'return';
      case 'declare': {
        const type = resolveType(statement.type);
        const value = statement.value ? this.#value(statement.value, type) : null;
        context.frame.variables.set(statement.name.toLowerCase(), { type, value });
        return 'next';
      }
      case 'set':
        context.assign(
          statement.variable,
          this.#value(statement.value, context.variable(statement.variable)?.type),
        );
        return 'next';
      case 'select':
        context.rowCount = sendQuery(context, queryPlan(context, statement.query));
        return 'next';
      case 'empty':
        return 'next';
      default:
        throw unsupported(`${statement.kind} in a function`, statement.at);
    }
  }

  #while({ condition, body }: Statement & { kind: 'while' }): Outcome {
    while (this.#isTrue(condition)) {
      const outcome = this.#statement(body);
      if (outcome === 'return') return outcome;
      if (outcome === 'break') break;
    }
    return 'next';
  }

  #isTrue(condition: Parameters<typeof conditionPlan>[1]): boolean {
    const { sql, type, compilation } = conditionPlan(this.#context, condition);
    const parameters = this.#context.values(compilation.parameters);
    return Number(this.#context.connection.query(sql, parameters, [type])[0]?.[0] ?? 0) !== 0;
  }

  #value(expression: Parameters<typeof valuePlan>[1], wanted: SqlType | undefined): SqlValue {
    const { sql, type, compilation } = valuePlan(this.#context, expression, wanted);
    const parameters = this.#context.values(compilation.parameters);
    return this.#context.connection.query(sql, parameters, [type])[0]?.[0] ?? null;
  }
}
