/** What a reader sees of HTML. */

import { decode } from 'html-entities';

/** Gives HTML as plain text: tags dropped, entities decoded, blanks joined. */
export function plainText(html: string): string {
  // No tag holds another `<`, so that a text of nothing else is read once, and not from each of them to its end.
  const spaced = html.replace(/<(?:br|\/?(?:p|div|li|h[1-6]|tr|td|th|blockquote))\b[^<>]*>/gi, ' ');
  return oneLine(decode(spaced.replace(/<[^<>]*>/g, '')));
}

/** Gives a text on one line: blanks and line breaks joined to one blank, none around it. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
