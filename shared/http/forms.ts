/** Forms of pairs, within limits of what they cost to be read. */

import { yieldToEventLoop } from '../limits/chunks.ts';
import { mustHaveFewNames } from './body.ts';

/** A name and its text. */
type Pair = readonly [name: string, text: string];

/** Characters of a form that are parsed in one chunk. */
const formChunkLength = 256 * 1024;

/** Returns the pairs of a form. Throws `form-too-large` above `maxPairs`. */
export async function pairsOf(form: string, maxPairs: number): Promise<readonly Pair[]> {
  const texts = form.split('&', maxPairs + 1);
  mustHaveFewNames(texts.length, maxPairs);
  const pairs: Pair[] = [];
  let length = 0;
  for (let start = 0, end = 1; end <= texts.length; end++) {
    length += texts[end - 1]?.length ?? 0;
    if (length < formChunkLength && end < texts.length) continue;
    // URLSearchParams drops a question mark at the start, where it is part of a name.
    const prefix = start === 0 ? '' : '&';
    pairs.push(...new URLSearchParams(prefix + withSpaces(texts.slice(start, end).join('&'))));
    start = end;
    length = 0;
    if (end < texts.length) await yieldToEventLoop();
  }
  return pairs;
}

const [plus = 0, space = 0] = Buffer.from('+ ');

/**
 * Replaces each `+` by the space that it stands for. Node's parser would need half a second for as many as a body may hold, as would a
 * search in the text.
 */
function withSpaces(text: string): string {
  if (!text.includes('+')) return text;
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === plus) bytes[at] = space;
  return bytes.toString();
}
