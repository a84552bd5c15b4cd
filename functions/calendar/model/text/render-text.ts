/** Stored texts as pages of the site show them: in a language, titles, and HTML in paragraphs (docs/calendar-contract.md, "Texts and slugs"). */

import type { Language, Translations } from '../values.ts';

const tags = /(<[^<>]*>)/;
/** Elements whose text stays as it was typed. */
const literal = /^<(\/?)(?:pre|code|kbd|samp|var)\b/i;
const bareAmpersand = /&(?!#?\w{1,32};)|&amp;/g;

/** What any of the characters that become typographic stands in. Most pieces of HTML hold none. */
const replaceable = /[&"'-]|\.\.\.|\dx\d|[.,]x\d/;

const blockNames =
  'address|article|aside|blockquote|details|div|dl|figure|footer|h[1-6]|header|main|nav|ol|p|pre|section|table|ul';
/** Elements that start on a new line, inside of others too. */
const lineNames = `caption|col|colgroup|dd|dt|figcaption|hr|li|summary|tbody|td|tfoot|th|thead|tr|${blockNames}`;
const opening = new RegExp(String.raw`(?<!\s)\s*(<(?:${lineNames})\b[^<>]*>)`, 'gi');
const closing = new RegExp(String.raw`(</(?:${lineNames})>|<hr\b[^<>]*>)\s*`, 'gi');
const plainQuote = new RegExp(
  String.raw`(<blockquote\b[^<>]*>)([^<]*(?:<(?!/?(?:${lineNames})\b)[^<]*)*)(?=</blockquote>)`,
  'gi',
);
/** The look behind keeps long runs of whitespace from being tried from each of them. */
const lineBreak = /(?:<br ?\/?>)?(?<![ \t])[ \t]*\n[ \t]*/g;
const twoBreaks = /<br ?\/?>\s*<br ?\/?>/gi;
const lineTag = new RegExp(String.raw`</?(?:${lineNames})\b`, 'gi');
const boundary = new RegExp(String.raw`<hr\b[^<>]*>|<(/?)(?:${blockNames})\b[^<>]*>`, 'gi');

/** Returns a text in a language; without a translation, the default one. */
export function textIn<Field extends string>(
  record: { readonly [F in Field]?: string } & { readonly translations?: Translations },
  field: Field,
  language: Language | undefined,
): string {
  const translated = language && record.translations?.[language]?.[field];
  return translated ?? record[field] ?? '';
}

/** Returns the language of the text that `textIn` returns; undefined for one of which nobody said what it is written in. */
export function languageOfText<Field extends string>(
  record: { readonly [F in Field]?: string } & { readonly translations?: Translations },
  field: Field,
  language: Language | undefined,
): Language | undefined {
  const { translations = {} } = record;
  if (language !== undefined && translations[language]?.[field] !== undefined) return language;
  const text = record[field];
  const languages = Object.keys(translations) as Language[];
  return text ? languages.find((one) => translations[one]?.[field] === text) : undefined;
}

/** Renders a stored title: trimmed, with typographic characters in entities. */
export function renderTitle(title: string): string {
  return typographic(title.trim());
}

/** Renders a stored description or excerpt: in paragraphs, with typographic characters in entities. */
export function renderHtml(html: string): string {
  return paragraphs(typographic(html));
}

/**
 * Writes `&` as `&#038;`, and quotes, dashes, ellipses and multiplication signs as typographic ones, all as entities. Leaves tags and code
 * alone.
 */
export function typographic(html: string): string {
  if (!replaceable.test(html)) return html;
  let depth = 0;
  return html
    .split(tags)
    .map((part) => {
      if (!part.startsWith('<')) return depth > 0 ? part : typographicText(part);
      const [isLiteral, closing] = literal.exec(part) ?? [];
      if (isLiteral !== undefined) depth = Math.max(0, depth + (closing === '/' ? -1 : 1));
      return part;
    })
    .join('');
}

function typographicText(text: string): string {
  if (!replaceable.test(text)) return text;
  return text
    .replace(bareAmpersand, '&#038;')
    .replace(/(^|[\s([{\u2013\u2014-])"/g, '$1&#8220;')
    .replaceAll('"', '&#8221;')
    .replace(/(^|[\s([{;])'(?!\d\ds?\b)/g, '$1&#8216;')
    .replaceAll("'", '&#8217;')
    .replaceAll('...', '&#8230;')
    .replace(/---|(?<=^|\s)--(?=\s|$)/g, '&#8212;')
    .replace(/--|(?<=^|\s)-(?=\s|$)/g, '&#8211;')
    .replace(/(?<=\b(?:[1-9][\d.,]*|0[\d.,]+))x(?=\d[\d.,]*\b)/g, '&#215;');
}

/**
 * Wraps text in `<p>`. Blank lines and two breaks separate paragraphs, single line breaks become `<br />`; block elements keep their text,
 * each on a new line.
 */
export function paragraphs(html: string): string {
  return blocks(html.replace(/\r\n?/g, '\n').replace(twoBreaks, '\n\n'))
    .flatMap(({ text, isBlock }) => (isBlock ? [onLines(text)] : wrap(text)))
    .join('\n');
}

/** Text that stands in a quotation alone becomes paragraphs. What is `<pre>` keeps its whitespace. */
function onLines(block: string): string {
  if (isOneLine(block) || /<pre\b/i.test(block)) return block;
  return block
    .replace(opening, '\n$1')
    .replace(closing, '$1\n')
    .replace(plainQuote, (_all, tag: string, text: string) => tag + wrap(text).join('\n'))
    .trim();
}

/** Checks whether a block is one element with no other block in it, as most are: then nothing has to be done. */
function isOneLine(block: string): boolean {
  const [start = '', end = '', third] = block.match(lineTag) ?? [];
  if (third !== undefined || start[1] === '/' || end[1] !== '/') return false;
  return block.startsWith(start) && block.endsWith(`${end}>`) && !/^<blockquote/i.test(block);
}

interface Block {
  readonly text: string;
  readonly isBlock: boolean;
}

/** Splits HTML into its outermost block elements and what stands between them. */
function blocks(html: string): Block[] {
  const found: Block[] = [];
  let depth = 0;
  let start = 0;
  for (const tag of html.matchAll(boundary)) {
    const isVoid = tag[1] === undefined;
    const isClosing = tag[1] === '/';
    const end = tag.index + tag[0].length;
    if (depth === 0 && !isClosing) {
      found.push({ text: html.slice(start, tag.index), isBlock: false });
      start = tag.index;
    }
    depth = Math.max(0, depth + (isVoid ? 0 : isClosing ? -1 : 1));
    if (depth === 0) {
      found.push({ text: html.slice(start, end), isBlock: true });
      start = end;
    }
  }
  found.push({ text: html.slice(start), isBlock: depth > 0 });
  return found;
}

function wrap(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${paragraph.replace(lineBreak, '<br />\n')}</p>`);
}
