/** Two ways to spell a JSON text with other characters and the same value: JSON may spell any character of a text as an escape. */

const wide = /[\u0100-\uffff]/g;
const lineSeparators = /[\u2028\u2029]/g;
const escapeLength = 6;

/**
 * Spells a JSON text so that it takes the least memory: V8 keeps a string with one byte per character as long as all are
 * below U+0100, and with two bytes as soon as one is not. So a text with few wider characters has them escaped (`\u2013`);
 * a text with many is returned unchanged.
 */
export function oneByteJson(json: string): string {
  const count = json.match(wide)?.length ?? 0;
  if (count === 0 || json.length + (escapeLength - 1) * count >= 2 * json.length) return json;
  // Replacing in a two-byte string makes another one, so the text takes a way through bytes.
  return Buffer.from(json.replace(wide, escaped), 'latin1').toString('latin1');
}

/** Spells a JSON text without U+2028 and U+2029, which Azurite takes for ends of lines, and then never answers. */
export function withoutLineSeparators(json: string): string {
  return json.replace(lineSeparators, escaped);
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
