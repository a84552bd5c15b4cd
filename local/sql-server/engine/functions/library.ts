import { dateFunctions } from './dates.ts';
import type { FunctionLibrary, ScalarFunction } from './definition.ts';
import { jsonFunctions } from './json.ts';
import { numberFunctions } from './numbers.ts';
import { stringFunctions } from './strings.ts';
import { systemFunctions } from './system.ts';

/** All scalar functions that run in JavaScript, by name in upper case. */
export const library: FunctionLibrary = {
  ...stringFunctions,
  ...numberFunctions,
  ...dateFunctions,
  ...jsonFunctions,
  ...systemFunctions,
};

export function scalarFunction(name: string): ScalarFunction | undefined {
  return Object.hasOwn(library, name) ? library[name] : undefined;
}

/** The name under which SQLite knows a function of the library. */
export function sqliteName(name: string): string {
  return `fn_${name.replace('@@', 'global_').toLowerCase()}`;
}
