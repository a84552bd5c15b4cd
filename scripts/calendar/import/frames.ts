/** Frames in texts, such as videos and maps: links here, since no page of the calendar loads anything of others. */

import { decodeHTML } from 'entities/decode';
import { escapeUTF8 } from 'entities/escape';

const frame = /<iframe\b((?:"[^"]*"|'[^']*'|[^>"'])*)>(?:.*?<\/iframe\s*>)?/gis;
const attribute = (name: string) =>
  new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i');

/** Addresses that frames have, with those of the pages that show the same. */
const pages: readonly (readonly [frame: RegExp, page: string])[] = [
  [
    /^https:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]+).*$/i,
    'https://www.youtube.com/watch?v=$1',
  ],
  [/^https:\/\/player\.vimeo\.com\/video\/(\d+).*$/i, 'https://vimeo.com/$1'],
];

/** Returns HTML with links in place of frames that have an address, with their titles. */
export function withLinkedFrames(html: string): string {
  return html.replace(frame, (all, attributes: string) => {
    const textOf = (name: string) => {
      const [, double, single, plain] = attribute(name).exec(attributes) ?? [];
      return decodeHTML(double ?? single ?? plain ?? '').trim();
    };
    const source = textOf('src') || textOf('data-src');
    const url = URL.parse(source.startsWith('//') ? `https:${source}` : source);
    if (url === null || !/^https?:$/.test(url.protocol)) return all;
    const address = pages.reduce((text, [pattern, page]) => text.replace(pattern, page), url.href);
    const title = textOf('title') || address;
    return `<a href="${escapeUTF8(address)}">${escapeUTF8(title)}</a>`;
  });
}
