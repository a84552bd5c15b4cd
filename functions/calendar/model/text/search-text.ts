/** Texts as searches compare them. */

import removeAccents from 'remove-accents';

/** Typographic quotes and dashes, which keyboards of phones write by themselves, with what stands in texts as often. */
const quotes = /[‘’ʼ]/g;
const doubleQuotes = /[“”„]/g;
const dashes = /[‐‑‒–—]/g;

/**
 * Returns a text without case and accents, as the collation of WordPress compares: `Café`, however its letters are composed, is `cafe`, å and
 * ä are a, ø and ö are o, æ is ae. A search and what it looks through are both written so, so that each of these letters finds itself too.
 */
export function searchText(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  return removeAccents(text.normalize('NFKC').replaceAll('ß', 'ss'))
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(quotes, "'")
    .replace(doubleQuotes, '"')
    .replace(dashes, '-');
}
