/** Line breaks of descriptions as HTML (behaviour section 9). */

const blockNames =
  'address|article|aside|blockquote|details|div|dl|figure|footer|h[1-6]|header|main|nav|ol|p|pre|section|table|ul';
/** Elements that start on a line of their own, inside of others too. */
const lineNames = `caption|col|colgroup|dd|dt|figcaption|hr|li|summary|tbody|td|tfoot|th|thead|tr|${blockNames}`;
const opening = new RegExp(String.raw`(?<!\s)\s*(<(?:${lineNames})\b[^<>]*>)`, 'gi');
const closing = new RegExp(String.raw`(</(?:${lineNames})>|<hr\b[^<>]*>)\s*`, 'gi');
const plainQuote = new RegExp(
  String.raw`(<blockquote\b[^<>]*>)([^<]*(?:<(?!/?(?:${lineNames})\b)[^<]*)*)(?=</blockquote>)`,
  'gi',
);
/** The look behind keeps long runs of blanks from being tried from each of them. */
const lineBreak = /(?:<br ?\/?>)?(?<![ \t])[ \t]*\n[ \t]*/g;
const twoBreaks = /<br ?\/?>\s*<br ?\/?>/gi;
const boundary = new RegExp(String.raw`<hr\b[^<>]*>|<(/?)(?:${blockNames})\b[^<>]*>`, 'gi');

/** Wraps text in `<p>`: blank lines and two breaks separate paragraphs, single line breaks become `<br />`; block elements keep their text, each on a line of its own. */
export function paragraphs(html: string): string {
  return blocks(html.replace(/\r\n?/g, '\n').replace(twoBreaks, '\n\n'))
    .flatMap(({ text, isBlock }) => (isBlock ? [onLines(text)] : wrap(text)))
    .join('\n');
}

/** Text that stands in a quotation alone becomes paragraphs. What is `<pre>` keeps its blanks. */
function onLines(block: string): string {
  if (/<pre\b/i.test(block)) return block;
  return block
    .replace(opening, '\n$1')
    .replace(closing, '$1\n')
    .replace(plainQuote, (_all, tag: string, text: string) => tag + wrap(text).join('\n'))
    .trim();
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
