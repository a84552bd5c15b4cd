import type { SQLOutputValue } from 'node:sqlite';
import type { SqlType } from '../session.ts';
import type { JsonSpecification } from '../translate/for-json.ts';
import { typeById } from '../translate/typed.ts';
import { familyOf, isDateTime } from '../types.ts';
import { quoteJson } from '../values/json-quote.ts';

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
    place(tree, path, value === null ? 'null' : isJson ? String(value) : valueText(value, typeById(type)));
  });
  return treeText(tree);
}

function place(tree: Tree, [first = '', ...rest]: readonly string[], text: string): void {
  if (!rest.length) {
    tree.set(first, text);
    return;
  }
  const known = tree.get(first);
  const inner: Tree = known instanceof Map ? known : new Map();
  if (inner !== known) tree.set(first, inner);
  place(inner, rest, text);
}

function treeText(tree: Tree): string {
  const members = Array.from(
    tree,
    ([name, value]) => `${quoteJson(name)}:${value instanceof Map ? treeText(value) : value}`,
  );
  return `{${members.join(',')}}`;
}

/** A value as FOR JSON writes it: dates in ISO 8601, floats with 16 digits, bytes in base 64. */
function valueText(value: Exclude<SQLOutputValue, null>, type: SqlType): string {
  if (value instanceof Uint8Array) return `"${Buffer.from(value).toString('base64')}"`;
  const family = familyOf(type);
  if (type.name === 'bit') return Number(value) ? 'true' : 'false';
  if (family === 'float') return floatText(Number(value), type.name === 'real' ? 7 : 15);
  if (['integer', 'decimal', 'money'].includes(family)) return String(value);
  return quoteJson(isDateTime(type) ? dateText(String(value), type) : String(value));
}

function floatText(value: number, digits: number): string {
  return value
    .toExponential(digits)
    .replace(/e([+-])(\d+)$/, (_, sign: string, power: string) => `e${sign}${power.padStart(3, '0')}`);
}

function dateText(text: string, type: SqlType): string {
  if (type.name === 'date' || type.name === 'time') return trimFraction(text);
  const iso = text.replace(' ', 'T');
  if (type.name === 'datetimeoffset')
    return (
      trimFraction(iso.replace(/ ([+-]\d\d:\d\d)$/, '')) +
      (/ \+00:00$/.test(iso) ? 'Z' : (/ ([+-]\d\d:\d\d)$/.exec(iso)?.[1] ?? ''))
    );
  return trimFraction(iso);
}

/** A fraction of zeros is left out. */
function trimFraction(text: string): string {
  return text.replace(/\.0+$/, '');
}
