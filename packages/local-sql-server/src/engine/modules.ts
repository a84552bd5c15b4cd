/** Views and procedures, parsed. */
import { parseBatch } from '../tsql/parser/parser.ts';
import type {
  CreateFunction,
  CreateProcedure,
  ParameterDefinition,
  Statement,
} from '../tsql/statement-ast.ts';
import type { CatalogObject, Module } from './catalog.ts';

export type CreateView = Statement & { readonly kind: 'createView' };

const parsed = new WeakMap<Module, Statement>();

/** The parsed text of a view or procedure, parsed once. */
function parsedModule(module: Module): Statement {
  const cached = parsed.get(module);
  if (cached) return cached;
  const [statement] = parseBatch(module.text).statements;
  if (!statement) throw new TypeError(`The text of ${module.name} is empty`);
  parsed.set(module, statement);
  return statement;
}

export function parsedView(module: Module): CreateView {
  const statement = parsedModule(module);
  if (statement.kind !== 'createView') throw new TypeError(`The text of ${module.name} is no view`);
  return statement;
}

export function parsedProcedure(module: Module): CreateProcedure {
  const statement = parsedModule(module);
  if (statement.kind !== 'createProcedure') throw new TypeError(`The text of ${module.name} is no procedure`);
  return statement;
}

export function parsedFunction(module: Module): CreateFunction {
  const statement = parsedModule(module);
  if (statement.kind !== 'createFunction') throw new TypeError(`The text of ${module.name} is no function`);
  return statement;
}

/** The parameters that a procedure or function declares. */
export function parametersOf(module: Module): readonly ParameterDefinition[] {
  return module.kind === 'function' ? parsedFunction(module).parameters : parsedProcedure(module).parameters;
}

/** The code of an object in sys.objects, and what it stands for. */
export function codeOfObject(object: CatalogObject): readonly [code: string, description: string] {
  if (object.kind !== 'function') return codes[object.kind];
  return parsedFunction(object).returns.kind === 'scalar'
    ? ['FN', 'SQL_SCALAR_FUNCTION']
    : ['IF', 'SQL_INLINE_TABLE_VALUED_FUNCTION'];
}

const codes = {
  table: ['U ', 'USER_TABLE'],
  view: ['V ', 'VIEW'],
  procedure: ['P ', 'SQL_STORED_PROCEDURE'],
} as const;
