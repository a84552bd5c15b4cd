/** Descriptions of iCalendar: plain text, or HTML as Google and Outlook write it. */

import { escapeUTF8 } from 'entities/escape';

/** Elements and entities that Google writes into a description once it was edited as HTML. An address in angle brackets is no element. */
const markup =
  /<\/?(?:a|b|br|div|em|font|h[1-6]|html-blob|i|li|ol|p|span|strong|u|ul)(?:\s+[a-z][\w:-]*\s*=[^<>]*)?\s*\/?>|&(?:nbsp|amp|lt|gt|quot|#39);/i;

/** An address in angle brackets, as mail programs write it, beside markup. */
const bracketed = /<((?:https?|mailto|tel|sip|webcal):[^<>\s]+|[^<>\s@/"=]+@[^<>\s@/"=]+)>/gi;

/** Returns a description as HTML. `html` is that of Outlook, a whole document, which may be empty. */
export function descriptionOf(text: string, html: string): string {
  const body = bodyOf(withoutEscapes(html));
  if (body !== '') return body;
  const written = withoutEscapes(text);
  const escaped = markup.test(written) ? written.replace(bracketed, '&lt;$1&gt;') : escapeUTF8(text);
  return escaped.replaceAll('\r\n', '\n');
}

/** Reads the escapes within elements that some programs write twice, or for quotes: `<a href=\"https://example.org/a\,b\">`. */
function withoutEscapes(html: string): string {
  return html.replace(/<[a-z][^<>]*>/gi, (element) => element.replace(/\\([",;'])/g, '$1'));
}

/** Returns a URI without the escapes of a text, which some programs write in it. */
export function uriOf(text: string): string {
  return text.replace(/\\([,;])/g, '$1').trim();
}

/** Returns the body of a document without its head; an empty text for a body without text and pictures. */
function bodyOf(html: string): string {
  const body = html
    .replace(/^.*?<body\b[^<>]*>/is, '')
    .replace(/<\/body>.*$/is, '')
    .replace(/<!--.*?-->/gs, '')
    .trim();
  return /<img\b/i.test(body) || body.replace(/<[^<>]*>|&nbsp;|\s/gi, '') !== '' ? body : '';
}
