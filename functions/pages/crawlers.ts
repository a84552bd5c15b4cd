/** What crawlers of search engines read: robots.txt (RFC 9309), and the site map of public pages (sitemaps.org). */

import { xmlText } from '../../shared/calendar/model/text/html.ts';
import { contentReply, type Reply } from '../../shared/http/reply.ts';
import type { PageContext } from './context.ts';
import type { Reader } from './reader.ts';
import type { ContactView, EventView } from './views/types.ts';

/** Pages of the event list in one site map: a thousand events. */
const pagesPerMap = 20;

const caching = { 'Cache-Control': 'public, max-age=3600' };

/** Replies which pages crawlers may read: those for citizens, with their pictures. */
export function robotsReply({ site, base, siteUrl, calendar }: PageContext): Reply {
  const closed = ['developers', 'records', 'edit'].map((path) => `Disallow: ${site}/${path}`);
  const lines = [
    ...['User-agent: *', ...closed, `Disallow: ${base}/swagger`],
    ...(calendar === undefined ? [] : [`Sitemap: ${siteUrl}/sitemap.xml`]),
  ];
  return contentReply('text/plain; charset=utf-8', `${lines.join('\n')}\n`, caching);
}

/** Replies the site map; of many events an index of the maps that have a thousand each. */
export async function siteMapReply({ context, list, all }: Reader): Promise<Reply> {
  const { siteUrl, url } = context;
  const asked = /^[1-9]\d{0,4}$/.exec(url.searchParams.get('map') ?? '')?.[0];
  // From the first event to the last, which the default window of lists leaves out.
  const whole = { start_date: '0001-01-01', end_date: '9999-12-31' };
  const { pages } = await list('event', whole);
  const maps = Math.max(1, Math.ceil(pages / pagesPerMap));
  if (asked === undefined && maps > 1) {
    const numbers = Array.from({ length: maps }, (_, index) => index + 1);
    return xml(
      'sitemapindex',
      numbers.map((number) => `<sitemap>${loc(`${siteUrl}/sitemap.xml?map=${number}`)}</sitemap>`),
    );
  }
  const number = Number(asked ?? 1);
  const events = await all<EventView>('event', whole, (number - 1) * pagesPerMap + 1);
  const contacts =
    number > 1
      ? []
      : await Promise.all(
          (['venue', 'organizer'] as const).map(async (kind) =>
            (await all<ContactView>(kind)).map(
              ({ slug }) => `<url>${loc(`${siteUrl}/${kind}/${slug}/`)}</url>`,
            ),
          ),
        );
  return xml('urlset', [
    ...(number > 1 ? [] : [`<url>${loc(`${siteUrl}/calendar`)}</url>`]),
    ...events.map(
      ({ slug, modified_utc }) =>
        `<url>${loc(`${siteUrl}/event/${slug}/`)}<lastmod>${modified_utc.replace(' ', 'T')}Z</lastmod></url>`,
    ),
    ...contacts.flat(),
  ]);
}

const loc = (url: string) => `<loc>${xmlText(url)}</loc>`;

function xml(root: 'urlset' | 'sitemapindex', items: readonly string[]): Reply {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${items.join('\n')}\n</${root}>\n`;
  return contentReply('application/xml; charset=utf-8', text, caching);
}
