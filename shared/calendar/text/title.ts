/** Titles and names as they are shown (behaviour section 9). */

const pieces = /(<[^>]*>)/;
const bareAmpersand = /&(?!#?\w{1,32};)|&amp;/g;

/** Renders a stored title: trimmed, `&` as `&#038;`, quotes, dashes and ellipses as typographic ones in entities. Tags are left alone. */
export function renderTitle(title: string): string {
  return title
    .trim()
    .split(pieces)
    .map((piece) => (piece.startsWith('<') ? piece : typographic(piece)))
    .join('');
}

function typographic(text: string): string {
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
