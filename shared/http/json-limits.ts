/** Limits on JSON text that are checked before it is parsed, because parsing is what costs. */

import { CodedError } from '../errors.ts';

export interface JsonLimits {
  /** Levels of objects and arrays. */
  readonly depth: number;
  /** Members of all objects together. */
  readonly members: number;
}

export const defaultJsonLimits: JsonLimits = { depth: 100, members: 100_000 };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/** Throws `json-too-deep` or `json-too-many-members` when the text goes over a limit. The text need not be well-formed. */
export function checkJsonLimits(text: string, limits: JsonLimits = defaultJsonLimits): void {
  let depth = 0;
  let members = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON && ++members > limits.members) throw tooMany(limits.members);
    else if (OPEN.has(code) && ++depth > limits.depth) throw tooDeep(limits.depth);
    else if (CLOSE.has(code)) depth--;
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
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
    `Cannot read the body: JSON has more than ${limit} members.`,
  );
}
