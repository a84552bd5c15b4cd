/** Arguments of functions of a schema. */
import type { Expression } from '../../tsql/ast.ts';
import { type Position, sqlErrorAt } from '../../tsql/sql-error.ts';
import type { Module } from '../catalog.ts';
import { parametersOf } from '../modules.ts';
import { resolveType } from '../type-names.ts';
import type { Translator } from './translator.ts';
import { converted, type Typed } from './typed.ts';

/** The arguments in the types of the parameters, by their names in lower case. Throws 313 and 8144 for their number. */
export function functionArguments(
  translator: Translator,
  module: Module,
  given: readonly Expression[],
  at: Position,
): ReadonlyMap<string, Typed> {
  const parameters = parametersOf(module);
  const called = `${module.schema}.${module.name}`;
  if (given.length < parameters.length) throw sqlErrorAt(at, 313, called);
  if (given.length > parameters.length) throw sqlErrorAt(at, 8144, called);
  return new Map(
    parameters.map((parameter, index): [string, Typed] => {
      const type = resolveType(parameter.type, index + 1);
      const written = given[index];
      const isDefault = !written || written.kind === 'default';
      const value = isDefault ? parameter.default : written;
      if (!value) throw sqlErrorAt(at, 313, called);
      // An argument is a value of its type, whatever column it came from.
      const { sql } = converted(translator.value(value), type);
      return [parameter.name.toLowerCase(), { sql, type, nullable: true }];
    }),
  );
}
