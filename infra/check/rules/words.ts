/** Expressions of both languages, reduced to the words that matter, so that they can be compared. */

import { Expression, isObject, snakeCase, type Value } from '../model.ts';

/** Words that only say how a language writes things. */
const grammar = new Set(
  (
    'module outputs var local data current azurerm_client_config tenant subscription environment authentication ' +
    'string tostring join union merge concat distinct empty main group azurerm_resource_group try lookup'
  ).split(' '),
);

/** The words of a value in snake_case, each once, in alphabetical order. */
export function wordsOf(value: Value | undefined): string[] {
  return [...new Set(textsOf(value).flatMap(words))].sort();
}

function textsOf(value: Value | undefined): string[] {
  if (value instanceof Expression) return [value.text];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (isObject(value)) return Object.entries(value).flatMap(([name, inner]) => [name, ...textsOf(inner)]);
  return value === null || value === undefined ? [] : [`'${value}'`];
}

function words(text: string): string[] {
  const found = text.replace(/\[\d\]/g, '').match(/\w[\w-]*/g) ?? [];
  return found.map(snakeCase).filter((word) => !grammar.has(word));
}
