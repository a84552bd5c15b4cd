import { sqlError } from '../../tsql/sql-error.ts';
import { defaultCollation } from '../types.ts';

/** How a collation compares: by code point, or by letters with or without case and accents. */
export type Comparison = 'binary' | 'ci_as' | 'cs_as' | 'ci_ai' | 'cs_ai';

const known = /^(SQL_)?[A-Za-z0-9]+(_[A-Za-z0-9]+)*_(BIN2?|C[IS]_A[IS](_KS)?(_WS)?(_SC)?)(_UTF8)?$/i;

/** What a collation's name says. Throws 448 for a name that is none. */
export function comparisonOf(collation: string): Comparison {
  if (!known.test(collation)) throw sqlError(448, collation);
  if (/_BIN2?(_UTF8)?$/i.test(collation)) return 'binary';
  const sensitiveToCase = /_CS_/i.test(collation);
  const sensitiveToAccents = /_AS/i.test(collation);
  return `${sensitiveToCase ? 'cs' : 'ci'}_${sensitiveToAccents ? 'as' : 'ai'}`;
}

/** The collation that COLLATE names. Throws 448. */
export function collationNamed(name: string): string {
  if (/^database_default$/i.test(name)) return defaultCollation;
  comparisonOf(name);
  return name;
}

/** Whether a varchar of this collation holds all of Unicode. */
export function isUtf8(collation: string | undefined): boolean {
  return collation !== undefined && /_UTF8$/i.test(collation);
}

const isPlain = /^[\u0020-\u007e]*$/;
const marks = /[\u0300-\u036f]/g;
/** Signs sort before digits, digits before letters; ASCII has some signs after them. */
const lateSigns = /[:-@[-`{-~]/g;

/**
 * A text whose binary order and equality are those of a collation: letters first, then accents, then case;
 * trailing spaces do not count. Sorting signs is simplified: they come before digits, in ASCII order.
 */
export function collationKey(text: string, comparison: Comparison): string {
  const trimmed = text.replace(/ +$/, '');
  if (comparison === 'binary') return trimmed;
  const decomposed = isPlain.test(trimmed)
    ? trimmed
    : trimmed.normalize('NFD').replace(/ß/g, 'ss').replace(/æ/gi, 'ae');
  const base = decomposed
    .replace(marks, '')
    .toLowerCase()
    .replace(lateSigns, (sign) => `/${sign}`);
  const accents = comparison.endsWith('as') ? accentsOf(decomposed) : '';
  const cases = comparison.startsWith('cs') ? caseOf(decomposed) : '';
  return cases ? `${base}\u0001${accents}\u0001${cases}` : accents ? `${base}\u0001${accents}` : base;
}

/** The marks with their places, so that `né` and `ńe` differ. */
function accentsOf(text: string): string {
  if (isPlain.test(text)) return '';
  let accents = '';
  let place = 0;
  for (const character of text) {
    if (/[\u0300-\u036f]/.test(character)) accents += `${String.fromCharCode(0x20 + place)}${character}`;
    else place++;
  }
  return accents;
}

function caseOf(text: string): string {
  return Array.from(text.replace(marks, ''), (letter) => (letter === letter.toLowerCase() ? '0' : '1')).join(
    '',
  );
}

const windows1252 = new TextDecoder('windows-1252');
const inCodePage = new Set(Array.from({ length: 256 }, (_, byte) => windows1252.decode(Uint8Array.of(byte))));

/** Replaces what code page 1252 lacks by a question mark, as a conversion to varchar does. */
export function toCodePage(text: string): string {
  if (isPlain.test(text)) return text;
  let out = '';
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    out += inCodePage.has(character) ? character : '?';
  }
  return out;
}
