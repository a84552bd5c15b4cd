/** How the log spells JSON texts: with the value that was put, and characters that its stores handle well. */

const wide = /[\u0100-\uffff]/g;
const lineSeparators = /[\u2028\u2029]/g;
const escapeLength = 6;

/**
 * Spells a JSON text for the log. The same text is stored and held by every process.
 *
 * V8 keeps a string with one byte per character as long as all are below U+0100, and with two bytes as soon as one is not:
 * so a text with few wider characters has them escaped (`\u2013`), and one with many is left as it is.
 * U+2028 and U+2029 are always escaped: Azurite takes them for ends of lines, and then never answers.
 */
export function spellJson(json: string): string {
  const count = json.match(wide)?.length ?? 0;
  if (count === 0) return json;
  if (json.length + (escapeLength - 1) * count >= 2 * json.length)
    return json.replace(lineSeparators, escaped);
  // Replacing in a two-byte string makes another one, so the text takes a way through bytes.
  return Buffer.from(json.replace(wide, escaped), 'latin1').toString('latin1');
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
