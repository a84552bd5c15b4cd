/** Splits a script into batches at its lines GO, like Microsoft's tools. */

export interface Batch {
  /** The first line of the batch in the script, from 1. */
  readonly line: number;
  readonly text: string;
  /** Number of runs: the number after GO. */
  readonly count: number;
}

/** Strings and delimited names, in which GO, comments and quotes have no meaning. A doubled end is one character. */
const quotedText = String.raw`'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|\[(?:[^\]]|\]\])*(?:\]|$)`;
const lineComment = String.raw`--[^\r\n]*`;
const token = new RegExp(String.raw`${quotedText}|${lineComment}|/\*|\*/`, 'g');

/** A separator line: GO, optionally with a number (as in sqlcmd) and a semicolon. Comments are blanked before. */
const separator = /^\s*GO(?:\s+(?<count>\d+))?\s*;?\s*$/i;

const lineBreak = /\r\n|\r|\n/g;

/**
 * Splits a script at each line with GO only, in any case, between blanks and comments. GO inside of a comment, a string or a
 * delimited name is text. `GO 5` runs its batch five times. Batches of comments only are left out.
 */
export function batches(script: string): Batch[] {
  const text = script.replace(/^\uFEFF/, '');
  const masked = withoutComments(text);
  const result: Batch[] = [];
  let start = 0;
  for (const { from, to } of [...linesOf(masked), { from: text.length, to: text.length }]) {
    const isEnd = from === text.length;
    const go = separator.exec(masked.slice(from, to).trimEnd());
    if (!isEnd && go === null) continue;
    const count = Number(go?.groups?.['count'] ?? 1);
    if (masked.slice(start, from).trim() !== '') result.push(batchAt(text, start, from, count));
    start = to;
  }
  return result;
}

function batchAt(script: string, start: number, end: number, count: number): Batch {
  const line = [...script.slice(0, start).matchAll(lineBreak)].length + 1;
  if (count < 1)
    throw new Error(
      `GO 0 after the batch that starts in line ${line} means nothing: the number must be 1 or more.`,
    );
  return { line, text: script.slice(start, end).replace(/(?:\r\n|\r|\n)$/, ''), count };
}

/** Returns the ranges of the lines with their line breaks. Line breaks in comments and quotes are masked before. */
function linesOf(masked: string): { from: number; to: number }[] {
  const ends = [...masked.matchAll(lineBreak)].map(({ index, 0: lineEnd }) => index + lineEnd.length);
  if (ends.at(-1) !== masked.length) ends.push(masked.length);
  return ends.map((to, index) => ({ from: ends[index - 1] ?? 0, to })).filter(({ from, to }) => to > from);
}

/** Masks a text of the same length: blanks for nested comments, letters for quoted text, with their line breaks. */
function withoutComments(script: string): string {
  let masked = '';
  let at = 0;
  let depth = 0;
  token.lastIndex = 0;
  for (let next = token.exec(script); next !== null; next = token.exec(script)) {
    const { 0: matched, index } = next;
    masked += depth > 0 ? ' '.repeat(index - at) : script.slice(at, index);
    at = index;
    const isBlock = matched === '/*' || matched === '*/';
    if (depth > 0 && !isBlock) {
      // Quotes and dashes have no meaning in a comment: continue after the first character.
      token.lastIndex = index + 1;
      masked += ' ';
      at = index + 1;
      continue;
    }
    if (matched === '/*') depth += 1;
    if (matched === '*/' && depth > 0) depth -= 1;
    masked += (isBlock || matched.startsWith('--') ? ' ' : 'x').repeat(matched.length);
    at = index + matched.length;
  }
  return masked + (depth > 0 ? ' '.repeat(script.length - at) : script.slice(at));
}
