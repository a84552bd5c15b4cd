/** LIKE. */
import { LRUCache } from 'lru-cache';
import { sqlError } from '../../tsql/sql-error.ts';
import type { SqlType } from '../session.ts';
import { isCharacter, isUnicode, serverCollation } from '../types.ts';
import { type Comparison, comparisonOf, searchedLetters } from '../values/collation.ts';
import { withoutTrailingSpaces } from '../values/without-trailing-spaces.ts';

const cache = new LRUCache<string, RegExp>({ max: 1000 });

/**
 * The regular expression of a LIKE pattern: `%`, `_`, `[a-f]`, `[^a-f]`, with an optional escape character.
 * Case and accents count as the type's collation says. A `whole` pattern must match all of a text.
 */
export function likePattern(
  pattern: string,
  escapeCharacter: string | undefined,
  type: SqlType | undefined,
  extent: 'whole' | 'search' = 'whole',
): RegExp {
  const comparison = comparisonFor(type);
  const flags = comparison.includes('ci_') ? 'is' : 's';
  const searched = searchedLetters(pattern, comparison);
  const key = `${extent}${flags}${escapeCharacter}\n${searched}`;
  const cached = cache.get(key);
  if (cached) return cached;
  const body = translate(searched, escapeCharacter);
  const made = new RegExp(extent === 'whole' ? `^${body}$` : body, flags);
  cache.set(key, made);
  return made;
}

/** How the collation of a type compares. */
export function comparisonFor(type: SqlType | undefined): Comparison {
  return comparisonOf((type && isCharacter(type) ? type.collation : undefined) ?? serverCollation);
}

function translate(pattern: string, escapeCharacter: string | undefined): string {
  let out = '';
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern.charAt(index);
    if (escapeCharacter !== undefined && character === escapeCharacter)
      out += literal(pattern.charAt(++index));
    else if (character === '%') out += '.*';
    else if (character === '_') out += '.';
    else if (character === '[') {
      const end = pattern.indexOf(']', index + 2);
      // An open bracket that is never closed matches nothing.
      if (end < 0) return `${out}(?!)`;
      out += characterSet(pattern.slice(index + 1, end));
      index = end;
    } else out += literal(character);
  }
  return out.replace(/(\.\*)+/g, '.*');
}

function characterSet(inside: string): string {
  const negated = inside.startsWith('^');
  const members = (negated ? inside.slice(1) : inside).replace(/[\\\][^]/g, '\\$&');
  try {
    return String(new RegExp(`[${negated ? '^' : ''}${members}]`)).slice(1, -1);
  } catch (error) {
    // A range from high to low matches nothing, as in SQL Server.
    if (error instanceof SyntaxError) return '(?!)';
    throw error;
  }
}

function literal(character: string): string {
  return character.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

/** Whether a text is LIKE a pattern. Trailing spaces of a text of varchar may be missing from the pattern, not the reverse. */
export function isLike(
  text: string,
  pattern: string,
  escapeCharacter: string | undefined,
  type: SqlType | undefined,
): boolean {
  if (escapeCharacter !== undefined && escapeCharacter.length !== 1)
    throw sqlError(506, escapeCharacter, 'LIKE predicate');
  const expression = likePattern(pattern, escapeCharacter, type);
  const searched = searchedLetters(text, comparisonFor(type));
  if (expression.test(searched)) return true;
  const isVarying = type !== undefined && isCharacter(type) && !isUnicode(type);
  return isVarying && / $/.test(text) && expression.test(withoutTrailingSpaces(searched));
}
