/** Line breaks of descriptions as HTML (behaviour section 9). */

const blockNames =
  'address|article|aside|blockquote|details|div|dl|figure|footer|h[1-6]|header|main|nav|ol|p|pre|section|table|ul';
const boundary = new RegExp(String.raw`<hr\b[^>]*>|<(/?)(?:${blockNames})\b[^>]*>`, 'gi');

/** Wraps text in `<p>`: blank lines separate paragraphs, single line breaks become `<br />`; block elements are left alone. */
export function paragraphs(html: string): string {
  return blocks(html.replace(/\r\n?/g, '\n'))
    .flatMap(({ text, isBlock }) => (isBlock ? [text] : wrap(text)))
    .join('\n');
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
    .map((paragraph) => `<p>${paragraph.replace(/(?:<br ?\/?>)?[ \t]*\n[ \t]*/g, '<br />\n')}</p>`);
}
