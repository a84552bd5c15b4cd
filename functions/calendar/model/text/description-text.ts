/** HTML as text of several lines, for calendar programs. Load it on first use: its library is large. The only importer of html-to-text. */

import { compile } from 'html-to-text';

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
  selector,
  options: { uppercase: false },
}));

/** Turns HTML into text with its line breaks, lists and the addresses of its links. */
const htmlToText = compile({
  wordwrap: false,
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['(', ')'] } },
    { selector: 'img', format: 'skip' },
    // A caption stands apart from the address of its picture.
    { selector: 'figure', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'figcaption', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ...headings,
  ],
});

/** Stands for a line break of text that is no HTML; an element for each would take far longer. */
const lineMark = '\u0001';

/** Elements that change nothing in text; without them there is less to parse. */
const plainElements =
  /<\/?(?:abbr|b|bdi|bdo|cite|code|del|dfn|em|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|time|u|var)\b[^<>]*>/gi;

/** Whitespace within lines, as the library reads it: to text without markup it does nothing else. */
const whitespace = /[ \t\r\f\u200b]+/g;

/** Returns a description as text. Line breaks in text that is no HTML are breaks, as on the page. */
export function descriptionText(html: string): string {
  const hasMarkup = html.includes('<') || html.includes('&') || html.includes(lineMark);
  return hasMarkup ? withoutMarkup(html) : onLines(html.replace(whitespace, ' '));
}

function withoutMarkup(html: string): string {
  const isHtml = /<(?:p|br|div|ul|ol|h[1-6]|table|blockquote|figure)\b/i.test(html);
  const innerHtml = html.replace(plainElements, '');
  if (isHtml) return htmlToText(innerHtml).trim();
  return onLines(htmlToText(innerHtml.replaceAll('\n', lineMark)).replaceAll(lineMark, '\n'));
}

function onLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, ''))
    .join('\n')
    .trim();
}
