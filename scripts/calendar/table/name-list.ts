/** Lists of names in one cell of a table: `Jazz; "Rock; Pop"`. */

import { decodeHTML } from 'entities/decode';

/** A name in quotes, or all up to the next separator. */
const itemBefore = (separator: string) =>
  new RegExp(`\\s*(?:"((?:[^"]|"")*)"\\s*(?=${separator}|$)|([^${separator}]*))(?:${separator}|$)`, 'gs');
const items = { ';': itemBefore(';'), ',': itemBefore(',') };

/** Returns a cell with names. A name with a separator, or whose text reads otherwise, is quoted. */
export function joinNames(names: readonly string[], separators = /[;,]/): string {
  return names.map((name) => itemOf(withEntities(name), separators)).join('; ');
}

function itemOf(name: string, separators: RegExp): string {
  const isPlain =
    !separators.test(name) && !name.includes(';') && !name.startsWith('"') && name === name.trim();
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`;
}

/** Returns a text that is read unchanged where entities are decoded. */
function withEntities(text: string): string {
  return decodeHTML(text) === text ? text : text.replaceAll('&', '&amp;');
}

/** Splits a cell at semicolons outside of quotes. Without any it is split at commas, where names have none. */
export function namesIn(cell: string, hasCommas: boolean): string[] {
  const decoded = decodeHTML(cell);
  const names = split(decoded, ';');
  return names.length > 1 || !hasCommas || isQuoted(decoded) ? names : split(decoded, ',');
}

function isQuoted(cell: string): boolean {
  return /^\s*"(?:[^"]|"")*"\s*$/.test(cell);
}

/** Splits a text at a separator outside of quotes. */
export function split(text: string, separator: ';' | ','): string[] {
  return [...text.matchAll(items[separator])]
    .map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain.trim())
    .filter((name) => name !== '');
}
