/** Links in the places of other programs: a meeting on the Web is no venue. */

/** A link in a text: with a scheme, or with `www.`; it may stand in angle brackets. */
const link = /<?((?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.|mailto:|tel:|sips?:)[^\s<>"]+)>?/gi;
/** A text that is a host with a path: `meet.google.com/abc-defg-hij`. */
const hostAndPath = /^(?:[a-z0-9-]+\.)+[a-z]{2,}\/\S*$/i;
/** What may stand behind a link, and does not belong to it. */
const afterLink = '),.;:]';
/** What stands between a link and other words. */
const separators = ' \t,;:|-';

/** A text, and the links that it had. */
export interface TextAndLinks {
  /** The text without its links, and without what only held them. */
  readonly text: string;
  /** Links with a scheme. */
  readonly links: readonly string[];
}

/** Takes the links out of the text of a place. */
export function takeLinks(place: string): TextAndLinks {
  if (hostAndPath.test(place.trim())) return { text: '', links: [`https://${place.trim()}`] };
  const links: string[] = [];
  const text = place.replace(link, (_all, found: string) => {
    const address = trim(found, '', afterLink);
    links.push(/^www\./i.test(address) ? `https://${address}` : address);
    return found.slice(address.length);
  });
  return links.length === 0 ? { text: place, links } : { text: tidy(text), links };
}

/** Removes what stood around a link: brackets, separators, and lines without text. */
function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => trim(line.replace(/[([][)\]]/g, ''), separators, separators))
    .filter((line) => line !== '')
    .join('\n');
}

/** Removes characters at the beginning and at the end. */
function trim(text: string, atStart: string, atEnd: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && atStart.includes(text.charAt(start))) start += 1;
  while (end > start && atEnd.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
