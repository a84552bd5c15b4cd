/** Splits JSON text without losing how it was written: a value keeps its own source text, digit for digit. */

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
  return items(text, max).map((item) => {
    const end = endOfString(item, 0);
    return {
      name: JSON.parse(item.slice(0, end)) as string,
      text: item.slice(item.indexOf(':', end) + 1).trim(),
    };
  });
}

/** Returns the source texts of the elements of a JSON array. The text must be a valid JSON array. */
export function jsonElements(text: string): string[] {
  return items(text);
}

/** Splits what is between the outer brackets at the commas of that level. */
function items(text: string, max = Number.POSITIVE_INFINITY): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = text.search(/[[{]/) + 1;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && depth-- === 0)
      return withLast(found, text.slice(start, at).trim());
    else if (character === ',' && depth === 0) {
      found.push(text.slice(start, at).trim());
      start = at + 1;
      if (found.length >= max) return found;
    }
  }
  throw new TypeError('The text is not a JSON object or array');
}

function withLast(found: string[], last: string): string[] {
  if (last !== '') found.push(last);
  return found;
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
