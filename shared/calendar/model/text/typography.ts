/** Typographic characters, as pages of the site show them (behaviour section 9). */

const tags = /(<[^<>]*>)/;
/** Elements whose text stays as it was typed. */
const literal = /^<(\/?)(?:pre|code|kbd|samp|var)\b/i;
const bareAmpersand = /&(?!#?\w{1,32};)|&amp;/g;

/** Writes `&` as `&#038;`, and quotes, dashes, ellipses and the sign of multiplication as typographic ones, all in entities. Tags, and what is code, are left alone. */
export function typographic(html: string): string {
  let depth = 0;
  return html
    .split(tags)
    .map((piece) => {
      if (!piece.startsWith('<')) return depth > 0 ? piece : typographicText(piece);
      const [isLiteral, closing] = literal.exec(piece) ?? [];
      if (isLiteral !== undefined) depth = Math.max(0, depth + (closing === '/' ? -1 : 1));
      return piece;
    })
    .join('');
}

function typographicText(text: string): string {
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
