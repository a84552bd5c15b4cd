/** Views and procedures, parsed. */
import { parseBatch } from '../tsql/parser/parser.ts';
import type { CreateProcedure, ParameterDefinition, Statement } from '../tsql/statement-ast.ts';
import type { Module } from './catalog.ts';

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

/** The parameters that a procedure declares. */
export function parametersOf(module: Module): readonly ParameterDefinition[] {
  return parsedProcedure(module).parameters;
}
