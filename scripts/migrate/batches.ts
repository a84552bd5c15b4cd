/** Splits a script into batches at its lines GO, as Microsoft's tools do. */

export interface Batch {
  /** Where it starts in the script, from 1. */
  readonly line: number;
  readonly text: string;
  /** How often it runs: the number after GO. */
  readonly count: number;
}

/** Text in which GO, comments and quotes mean nothing: strings and delimited names, in which a doubled end stands for itself. */
const quoted = String.raw`'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|\[(?:[^\]]|\]\])*(?:\]|$)`;
const lineComment = String.raw`--[^\r\n]*`;
const token = new RegExp(String.raw`${quoted}|${lineComment}|/\*|\*/`, 'g');

/** A line that separates: GO alone, perhaps with a number (sqlcmd's) and a semicolon. Comments are blanks by now. */
const separator = /^\s*GO(?:\s+(?<count>\d+))?\s*;?\s*$/i;

const lineBreak = /\r\n|\r|\n/g;

/**
 * Splits a script at each line that holds only GO, in any case, with blanks and comments around it. GO inside of a comment, a string or
 * a delimited name is text. `GO 5` runs its batch five times. Batches that hold nothing but comments are left out.
 */
export function batches(script: string): Batch[] {
  const text = script.replace(/^\uFEFF/, '');
  const masked = withoutComments(text);
  const found: Batch[] = [];
  let start = 0;
  for (const { from, to } of [...linesOf(masked), { from: text.length, to: text.length }]) {
    const isEnd = from === text.length;
    const go = separator.exec(masked.slice(from, to).trimEnd());
    if (!isEnd && go === null) continue;
    const count = Number(go?.groups?.['count'] ?? 1);
    if (masked.slice(start, from).trim() !== '') found.push(batchAt(text, start, from, count));
    start = to;
  }
  return found;
}

function batchAt(script: string, start: number, end: number, count: number): Batch {
  const line = [...script.slice(0, start).matchAll(lineBreak)].length + 1;
  if (count < 1)
    throw new Error(
      `GO 0 after the batch that starts in line ${line} means nothing: the number must be 1 or more.`,
    );
  return { line, text: script.slice(start, end).replace(/(?:\r\n|\r|\n)$/, ''), count };
}

/** The lines with their breaks. Those inside of comments and quotes are blanked already, so that they break nothing. */
function linesOf(masked: string): { from: number; to: number }[] {
  const ends = [...masked.matchAll(lineBreak)].map(({ index, 0: found }) => index + found.length);
  if (ends.at(-1) !== masked.length) ends.push(masked.length);
  return ends.map((to, index) => ({ from: ends[index - 1] ?? 0, to })).filter(({ from, to }) => to > from);
}

/** The same text, as long, with blanks for comments (which nest) and letters for what is quoted, line breaks included. */
function withoutComments(script: string): string {
  let masked = '';
  let at = 0;
  let depth = 0;
  token.lastIndex = 0;
  for (let next = token.exec(script); next !== null; next = token.exec(script)) {
    const { 0: found, index } = next;
    masked += depth > 0 ? ' '.repeat(index - at) : script.slice(at, index);
    at = index;
    const isBlock = found === '/*' || found === '*/';
    if (depth > 0 && !isBlock) {
      // Quotes and dashes mean nothing in a comment: continue behind the first character.
      token.lastIndex = index + 1;
      masked += ' ';
      at = index + 1;
      continue;
    }
    if (found === '/*') depth += 1;
    if (found === '*/' && depth > 0) depth -= 1;
    masked += (isBlock || found.startsWith('--') ? ' ' : 'x').repeat(found.length);
    at = index + found.length;
  }
  return masked + (depth > 0 ? ' '.repeat(script.length - at) : script.slice(at));
}
