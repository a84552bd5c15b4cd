/** What can be said of JSON text before it is parsed, because parsing is what costs: its limits, and where its strings end. */

import { CodedError } from '../errors.ts';

export interface JsonLimits {
  /** Levels of objects and arrays. */
  readonly depth: number;
  /** Members of all objects and values of all arrays together. */
  readonly members: number;
}

export const defaultJsonLimits: JsonLimits = { depth: 100, members: 100_000 };

const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Throws `json-too-deep` or `json-too-many-members` when the text goes over a limit. The text need not be well-formed. */
export function checkJsonLimits(text: string, limits: JsonLimits = defaultJsonLimits): void {
  /** Whether each open bracket is that of an array. */
  const open: boolean[] = [];
  let members = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (code === COLON || (code === COMMA && open.at(-1) === true)) members++;
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      open.push(code === OPEN_ARRAY);
      if (code === OPEN_ARRAY && !isEmptyArray(text, at)) members++;
      if (open.length > limits.depth) throw tooDeep(limits.depth);
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) open.pop();
    if (members > limits.members) throw tooMany(limits.members);
  }
}

const whitespace = /\s/;

function isEmptyArray(text: string, start: number): boolean {
  let at = start + 1;
  while (whitespace.test(text.charAt(at))) at++;
  return text.charCodeAt(at) === CLOSE_ARRAY;
}

function tooDeep(limit: number): CodedError {
  return new CodedError(
    'json-too-deep',
    `Cannot read the body: JSON is nested more than ${limit} levels deep.`,
  );
}

function tooMany(limit: number): CodedError {
  return new CodedError(
    'json-too-many-members',
    `Cannot read the body: JSON has more than ${limit} members and values of arrays.`,
  );
}

/** Returns the offset behind the JSON string whose opening quote is at an offset; the end of the text where it is not closed. Searches for quotes and not through characters, since a string may be as long as a body. */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1))
    if (!isEscaped(text, quote)) return quote + 1;
  return text.length;
}

/** Checks whether a quote in a string stands behind an odd number of backslashes. */
function isEscaped(text: string, quote: number): boolean {
  let position = quote - 1;
  while (text[position] === '\\') position--;
  return (quote - position) % 2 === 0;
}
