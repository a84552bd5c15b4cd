/** Splits JSON text without losing how it was written: a value keeps its own source text, digit for digit. */

import type { Turns } from '../limits/turns.ts';
import { endOfString } from '../text/json-text.ts';

/** A member of a JSON object: its name, and the source text of its value. */
export interface JsonMember {
  readonly name: string;
  readonly text: string;
}

/**
 * Returns the members of a JSON object, duplicates included, in order. The text must be a valid JSON object
 * (`JSON.parse` has accepted it), so this only has to find where values start and end. Stops after `max` members.
 */
export function jsonMembers(text: string, max = Number.POSITIVE_INFINITY): JsonMember[] {
  return Array.from(items(text, max), toMember);
}

/** Members after which others get a turn, if these have taken long. */
const membersOfStep = 1_000;

/** Calls a function with each member of a JSON object, which may have very many. */
export async function eachJsonMember(
  text: string,
  turns: Turns,
  take: (member: JsonMember) => void,
): Promise<void> {
  let taken = 0;
  for (const item of items(text)) {
    take(toMember(item));
    taken += 1;
    if (taken % membersOfStep === 0) await turns.next();
  }
}

function toMember(item: string): JsonMember {
  const end = endOfString(item, 0);
  return {
    name: JSON.parse(item.slice(0, end)) as string,
    text: item.slice(item.indexOf(':', end) + 1).trim(),
  };
}

/** Returns the source texts of the elements of a JSON array. The text must be a valid JSON array. */
export function jsonElements(text: string): string[] {
  return Array.from(items(text));
}

/** Splits what is between the outer brackets at the commas of that level. Stops after `max` of them. */
function* items(text: string, max = Number.POSITIVE_INFINITY): Generator<string, void> {
  let count = 0;
  let depth = 0;
  let start = text.search(/[[{]/) + 1;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && depth-- === 0) {
      const last = text.slice(start, at).trim();
      if (last !== '') yield last;
      return;
    } else if (character === ',' && depth === 0) {
      yield text.slice(start, at).trim();
      start = at + 1;
      count += 1;
      if (count >= max) return;
    }
  }
  throw new TypeError('The text is not a JSON object or array');
}

/** Checks whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
