/** HTML that clients send, made safe: everything outside the allow lists below goes. The only importer of sanitize-html. */

import { escapeUTF8 } from 'entities/escape';
import type sanitizeHtml from 'sanitize-html';
import { createCache } from '../../../../shared/cache.ts';
import { compute } from '../../../../shared/telemetry/trace.ts';
import { oneLine, withoutControls } from './plain-text.ts';

/** The most levels of open elements: beyond it, the parser's time grows with the square of the text. */
const maxDepth = 200;
/** Elements of one text, at most: each costs as much as hundreds of characters. */
const maxElements = 4_000;

let library: typeof sanitizeHtml | undefined;

/** Loads the library, which takes a while, so that it costs nothing while the app starts. Await it before the first use of what is below. */
export async function loadSanitizer(): Promise<void> {
  library ??= (await import('sanitize-html')).default;
}

interface Sanitized {
  readonly html: string;
  /** Whether the text has more markup than is kept, so that its text alone is. */
  readonly isReduced: boolean;
}

/** Long texts as they were sanitized last: one is read before a write has its turn, and again in it. */
const sanitized = createCache<string, Sanitized>({
  maxEntries: 100,
  name: 'sanitized texts',
  bytes: { max: 8_000_000, of: ({ html }, key) => 2 * (html.length + key.length) },
});
const longText = 1_000;

/** Sanitizes a text. `way` names the options. */
function sanitize(way: string, text: string, options: sanitizeHtml.IOptions): Sanitized {
  const html = withoutControls(text);
  // Without these characters there is no markup, and nothing to escape.
  if (!/[<>&]/.test(html)) return { html, isReduced: false };
  if (html.length < longText) return sanitizeNow(html, options);
  const key = `${way} ${html}`;
  const cached = sanitized.get(key);
  if (cached !== undefined) return cached;
  const result = compute('input', 'sanitize', () => sanitizeNow(html, options));
  sanitized.set(key, result);
  return result;
}

function sanitizeNow(html: string, options: sanitizeHtml.IOptions): Sanitized {
  if (library === undefined) throw new TypeError('The sanitizer must be loaded before it is used.');
  let depth = 0;
  let elements = 0;
  try {
    const kept = library(html, {
      ...base,
      ...options,
      onOpenTag() {
        depth += 1;
        elements += 1;
        if (depth > maxDepth || elements > maxElements) throw new TooMuchMarkup();
      },
      onCloseTag() {
        depth -= 1;
      },
    });
    // A reference such as &#7; gives a control character again.
    return { html: withoutControls(kept), isReduced: false };
  } catch (error) {
    if (error instanceof TooMuchMarkup) return { html: withoutControls(withoutTags(html)), isReduced: true };
    throw error;
  }
}

/** The text has more elements, or deeper ones, than any text that a person wrote. */
class TooMuchMarkup extends Error {}

/** Drops code and comments, everything that may be a tag, and escapes the remains of one. */
function withoutTags(html: string): string {
  return html
    .replace(/<(script|style)\b[^<>]*>[^<]*(?:<(?!\/\1\b)[^<]*)*(?:<\/\1\b[^>]*>?|$)/gi, '')
    .replace(/<!--[^-]*(?:-(?!->)[^-]*)*(?:-->|$)/g, '')
    .replace(/<[^<>]*>/g, '')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** Elements of a title. */
const inline = ['abbr', 'b', 'bdi', 'bdo', 'br', 'cite', 'code', 'del', 'em', 'i', 'ins', 'kbd', 'mark', 'q'];
const inlineMore = ['s', 'small', 'span', 'strong', 'sub', 'sup', 'u', 'var', 'wbr'];
const titleTags = [...inline, ...inlineMore];

/** Elements of a description or excerpt. Not among them: script, style, iframe, object, embed, form and its fields, svg, math. */
const descriptionTags = [
  ...titleTags,
  'a',
  'address',
  'article',
  'aside',
  'audio',
  'blockquote',
  'caption',
  'col',
  'colgroup',
  'dd',
  'details',
  'dfn',
  'div',
  'dl',
  'dt',
  'figcaption',
  'figure',
  'footer',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'header',
  'hr',
  'img',
  'li',
  'main',
  'nav',
  'ol',
  'p',
  'picture',
  'pre',
  'samp',
  'section',
  'source',
  'summary',
  'table',
  'tbody',
  'td',
  'tfoot',
  'th',
  'thead',
  'time',
  'tr',
  'ul',
  'video',
];

/** Attributes, by element. No event handlers, no `style`. */
const attributes = {
  '*': ['class', 'dir', 'lang', 'title'],
  a: ['href', 'name', 'rel', 'target'],
  audio: ['controls', 'loop', 'muted', 'preload', 'src'],
  blockquote: ['cite'],
  col: ['span'],
  del: ['cite', 'datetime'],
  img: ['alt', 'height', 'loading', 'sizes', 'src', 'srcset', 'width'],
  ins: ['cite', 'datetime'],
  ol: ['reversed', 'start', 'type'],
  q: ['cite'],
  source: ['media', 'src', 'srcset', 'type'],
  td: ['colspan', 'headers', 'rowspan'],
  th: ['abbr', 'colspan', 'headers', 'rowspan', 'scope'],
  time: ['datetime'],
  video: ['controls', 'height', 'loop', 'muted', 'poster', 'preload', 'src', 'width'],
};

const base = {
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: true,
  // The text inside other elements that go, script among them, stays as text.
  nonTextTags: ['style'],
};

const sanitizedDescription = (html: string) =>
  sanitize('description', html, {
    allowedTags: descriptionTags,
    // What links inside of the text lead to.
    allowedAttributes: { ...attributes, '*': [...attributes['*'], 'id'] },
  });

/** Keeps the elements that a description or excerpt may have. */
export function sanitizeDescription(html: string): string {
  return sanitizedDescription(html).html;
}

/** Checks whether a description or excerpt has more markup than is kept, so that its text alone is. */
export function hasTooMuchMarkup(html: string): boolean {
  return html.length > maxDepth * '<i>'.length && sanitizedDescription(html).isReduced;
}

/** Keeps the simple markup that a title, or the description of a term, may have. */
export function sanitizeInline(html: string): string {
  return sanitize('inline', html, {
    allowedTags: [...titleTags, 'a'],
    allowedAttributes: { a: attributes.a, '*': attributes['*'] },
  }).html;
}

/** Drops every tag; what is left is HTML, with `&`, `<` and `>` escaped. */
export function escapedText(html: string): string {
  return sanitize('text', html, { allowedTags: [], allowedAttributes: {} }).html;
}

/** The same on one line, without scripts and styles and what is in them: for the names of terms. */
export function escapedLine(html: string): string {
  const nonTextTags = ['script', 'style'];
  return oneLine(sanitize('line', html, { allowedTags: [], allowedAttributes: {}, nonTextTags }).html);
}

/** The same for contact texts: `&` and entities stay as they were written; `<` and `>` are escaped, so that no tag can come about. */
export function contactLine(text: string): string {
  return escapedLine(text.replaceAll('&', '&amp;')).replaceAll('&amp;', '&');
}

/** Writes JSON that may stand as it is in a script element of a page, which is where linked data goes: nothing in it ends the element. */
export function scriptSafeJson(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** Characters that XML 1.0 has no way to write. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is dropped
const unwritable = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/** Escapes a text for an element of XML. */
export function xmlText(text: string): string {
  return escapeUTF8(text.toWellFormed().replace(unwritable, ''));
}
