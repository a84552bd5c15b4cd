/** The text of FOR JSON. */
import type { SQLOutputValue } from 'node:sqlite';
import type { JsonSpecification } from '../translate/for-json.ts';
import { typeById } from '../translate/typed.ts';
import { asJson, quoteJson } from '../values/json-value.ts';

type Tree = Map<string, Tree | string>;

/** The text of FOR JSON PATH for rows of SQLite values. */
export function writeJson(specificationText: string, rows: readonly (readonly SQLOutputValue[])[]): string {
  const specification = JSON.parse(specificationText) as JsonSpecification;
  const objects = rows.map((row) => rowText(specification, row)).join(',');
  if (specification.withoutWrapper) return objects;
  const array = `[${objects}]`;
  return specification.root === undefined ? array : `{${quoteJson(specification.root)}:${array}}`;
}

function rowText({ columns, includeNulls }: JsonSpecification, row: readonly SQLOutputValue[]): string {
  const tree: Tree = new Map();
  columns.forEach(({ path, type, isJson }, index) => {
    const value = row[index] ?? null;
    if (value === null && !includeNulls) return;
    place(tree, path, value === null ? 'null' : isJson ? String(value) : asJson(value, typeById(type)));
  });
  return treeText(tree);
}

function place(tree: Tree, [first = '', ...rest]: readonly string[], text: string): void {
  if (!rest.length) {
    tree.set(first, text);
    return;
  }
  const existing = tree.get(first);
  const inner: Tree = existing instanceof Map ? existing : new Map();
  if (inner !== existing) tree.set(first, inner);
  place(inner, rest, text);
}

function treeText(tree: Tree): string {
  const members = Array.from(
    tree,
    ([name, value]) => `${quoteJson(name)}:${value instanceof Map ? treeText(value) : value}`,
  );
  return `{${members.join(',')}}`;
}
