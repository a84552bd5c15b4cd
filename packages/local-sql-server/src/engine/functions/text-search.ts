/** Searching in texts by collation. */
import type { SqlType, SqlValue } from '../session.ts';
import { collationKey, searchedLetters } from '../values/collation.ts';
import { comparisonFor, likePattern } from './like.ts';

const text = String;

/** The folded texts in which a search by collation looks. One character stays one character, for the ASCII and Latin letters. */
export function searchable(value: string, type: SqlType | undefined): string {
  const comparison = comparisonFor(type);
  if (comparison === 'binary') return value;
  const letters = searchedLetters(value, comparison, true);
  const folded = comparison.includes('ci_')
    ? Array.from(letters, (c) => (c.toLowerCase().length === c.length ? c.toLowerCase() : c)).join('')
    : letters;
  return comparison.endsWith('ai')
    ? Array.from(folded, (c) => collationKey(c, 'cs_ai').charAt(0) || c).join('')
    : folded;
}

/** REPLACE: finds by collation. */
export function replaceAll(given: readonly SqlValue[], types: readonly SqlType[]): string {
  const [value = '', pattern = '', replacement = ''] = given.map(text);
  if (pattern === '') return value;
  const inside = searchable(value, types[0]);
  const wanted = searchable(pattern, types[0]);
  let out = '';
  let from = 0;
  for (let found = inside.indexOf(wanted); found >= 0; found = inside.indexOf(wanted, from)) {
    out += value.slice(from, found) + replacement;
    from = found + wanted.length;
  }
  return out + value.slice(from);
}

/** PATINDEX. */
export function patternIndex(pattern: string, value: string, type: SqlType | undefined): number {
  const anchored = !pattern.startsWith('%');
  const core = likePattern(pattern.replace(/^%/, '').replace(/%$/, ''), undefined, type, 'search');
  const flags = core.flags;
  const source = `${anchored ? '^' : ''}${core.source}${pattern.endsWith('%') ? '' : ' *$'}`;
  return value.search(new RegExp(source, flags)) + 1;
}
