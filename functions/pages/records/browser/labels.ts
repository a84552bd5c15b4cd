/** What the fields of objects are called. */

import { word } from '../../common/browser/session.tsx';
import { isWord } from '../../common/views/words.ts';
import { wordsOf } from './reading.ts';

/** A customer's field: the type in its name, and its number. */
export const bkPattern = /^bk(Str|Int|Date|Float)(\d+)$/;

/** Returns what a field of the metadata is called: by the customer, or else by the page. */
export function labelOf(name: string, label: string | null | undefined): string {
  if (label) return label;
  const [, type, number] = bkPattern.exec(name) ?? [];
  const key = type === undefined ? `fact_${name}` : `bk_${type}`;
  if (!isWord(key)) return wordsOf(name);
  return number === undefined ? word(key) : `${word(key)} ${Number(number)}`;
}
