/** What the records API says of a refusal, in the language of the page: by the code of the problem, and by what is wrong at a place. */

import { isWord, type Word } from '../views/words.ts';
import { language, word } from './session.tsx';

/** What stands before the words of a procedure, which are the customer's own. */
const ofService = /^Cannot [^:]*: /;

/** Returns what a problem means; undefined where the page has no words for its code. In English the API says it itself. */
export function wordsOfProblem(code: string, detail: string): string | undefined {
  const name = `problem_${code}`;
  if (language === 'en' || !isWord(name)) return undefined;
  const words = word(name);
  return words.endsWith(':') ? `${words} ${detail.replace(ofService, '')}` : words;
}

/** What can be wrong with a value, as `shared/http/validate.ts` and the records API say it. */
const faults: readonly (readonly [RegExp, Word])[] = [
  [/^is missing$/, 'wrong_missing'],
  [/^is read-only$/, 'wrong_readOnly'],
  [/^is unknown(;|$)/, 'wrong_unknown'],
  [/^must be a whole number$/, 'wrong_integer'],
  [/^must be a (finite )?number( within|$)/, 'wrong_number'],
  [/^must be true or false$/, 'wrong_boolean'],
  [/^must be a string$/, 'wrong_text'],
  [/^must be (a date, YYYY-MM-DD|a day that exists)$/, 'wrong_date'],
  [/^must be (a moment, such as|written like) /, 'wrong_moment'],
  [/^must (?:have at most|not have more than) (\d+) (?:characters|UTF-16 code units|bytes)/, 'wrong_long'],
  [/^must (not be empty|have at least 1 character)$/, 'wrong_empty'],
  [/^must be from (\S+) to (\S+)$/, 'wrong_range'],
  [/^must be at least (\S+)$/, 'wrong_least'],
  [/^must be at most (\S+)$/, 'wrong_most'],
  [/^must have at most (\d+) digits before and (\d+) after the point$/, 'wrong_digits'],
  [/^was rejected by its procedure$/, 'wrong_rejected'],
  [/^(must not contain U\+0000|has characters that)/, 'wrong_characters'],
];

/** Returns what is wrong with a value; undefined where the page has no words for it, or speaks English. */
export function wordsOfFault(detail: string): string | undefined {
  if (language === 'en') return undefined;
  for (const [pattern, name] of faults) {
    const found = pattern.exec(detail.replace(/ or null$/, ''));
    if (found !== null) return word(name).replaceAll(/\{(\d)\}/g, (_, index) => found[Number(index)] ?? '');
  }
  return undefined;
}
