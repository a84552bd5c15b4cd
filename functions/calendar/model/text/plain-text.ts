/** HTML as one line of text, for titles, searches and slugs. */

import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** Elements that stand on lines of their own. */
const lineElements = new Set([
  'blockquote',
  'br',
  'div',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'li',
  'p',
  'td',
  'th',
  'tr',
]);

const ignore = () => {};
/** What is no text. */
const ignored: TokenizerCallbacks = {
  onattribdata: ignore,
  onattribend: ignore,
  onattribentity: ignore,
  onattribname: ignore,
  oncdata: ignore,
  onclosetag: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onend: ignore,
  onopentagend: ignore,
  onopentagname: ignore,
  onprocessinginstruction: ignore,
  onselfclosingtag: ignore,
  ontext: ignore,
  ontextentity: ignore,
};

/**
 * Returns HTML as plain text on one line: tags dropped, entities decoded, whitespace joined. The tokenizer is the one below html-to-text, whose
 * tree takes five times as long to be made and walked: seconds, for the search index of 100,000 events. No tree also means that the time grows
 * with the length of the text alone, however its tags are nested.
 */
export function plainText(html: string): string {
  if (!/[<&]/.test(html)) return oneLine(html);
  let text = '';
  const separate = (start: number, end: number) => {
    if (lineElements.has(html.slice(start, end).toLowerCase())) text += ' ';
  };
  const tokenizer = new Tokenizer(
    {},
    {
      ...ignored,
      ontext(start, end) {
        text += html.slice(start, end);
      },
      ontextentity(codePoint) {
        text += String.fromCodePoint(codePoint);
      },
      onopentagname: separate,
      onclosetag: separate,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return oneLine(text);
}

/** Returns a text on one line: each run of whitespace joined to one space, none around it. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Characters that say nothing to a reader, and that feeds cannot write: those below U+0020 but the tab and line breaks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is dropped
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f]/g;

/** References to characters below U+0064, in decimal or hexadecimal digits. */
const reference = /&#(?:x0*([\da-f]{1,2})(?![\da-f])|0*(\d{1,2})(?!\d));?/gi;

/** Drops the control characters of a text but the tab and line breaks, also those that HTML refers to. */
export function withoutControls(text: string): string {
  // What stood around a reference may be one as well, such as &#&#7;7; a space keeps what is left of it apart.
  return withReferences(withReferences(withoutRaw(text), ''), ' ');
}

/** Returns a text with something in place of its references to control characters. */
function withReferences(text: string, replacement: '' | ' '): string {
  return text.replace(reference, (written, hexadecimal?: string, decimal?: string) => {
    const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    return withoutRaw(String.fromCharCode(code)) === '' ? replacement : written;
  });
}

function withoutRaw(text: string): string {
  return text.replace(controls, '');
}
