/** Files for crawlers of search engines: robots.txt (RFC 9309), and the site map of public pages (sitemaps.org). */

import { contentReply, type Reply } from '../../../shared/http/reply.ts';
import { xmlText } from '../../calendar/model/text/html.ts';
import type { PageContext } from '../common/page-context.ts';
import { instantOf } from '../common/views/when.ts';
import { farFuture } from './event-lists.ts';
import type { Reader } from './reader.ts';

/** Pages of the event list in one site map: a thousand events. */
const pagesPerMap = 20;

/** Pages of the lists of venues and organizers: 20,000 of each, since a site map has 50,000 addresses at most. */
const contactPages = 400;

const caching = { 'Cache-Control': 'public, max-age=3600' };

/** Tells which pages crawlers may read: those for citizens, with their pictures. */
export function robotsReply({ site, base, siteUrl, calendar }: PageContext): Reply {
  const paths = [...['developers', 'records', 'edit'].map((path) => `${site}/${path}`), `${base}/swagger`];
  const lines = ['User-agent: *', ...paths.map((path) => `Disallow: ${path}`)];
  if (calendar !== undefined) lines.push(`Sitemap: ${siteUrl}/sitemap.xml`);
  return contentReply('text/plain; charset=utf-8', `${lines.join('\n')}\n`, caching);
}

/** Answers with the site map; of many events an index of the maps that have a thousand each. */
export async function siteMapReply({ context, list, all }: Reader): Promise<Reply> {
  const { siteUrl, url } = context;
  const parameter = /^[1-9]\d{0,4}$/.exec(url.searchParams.get('map') ?? '')?.[0];
  // From the first event to the last, which the default window of lists leaves out.
  const always = { start_date: '0001-01-01', end_date: farFuture };
  const { pages } = await list('event', always);
  if (parameter === undefined && pages > pagesPerMap) {
    const numbers = Array.from({ length: Math.ceil(pages / pagesPerMap) }, (_, index) => index + 1);
    const maps = numbers.map(
      (number) => `<sitemap>${location(`${siteUrl}/sitemap.xml?map=${number}`)}</sitemap>`,
    );
    return xmlReply('sitemapindex', maps);
  }
  const number = Number(parameter ?? 1);
  const entry = (path: string, more = '') => `<url>${location(siteUrl + path)}${more}</url>`;
  const events = await all('event', always, (number - 1) * pagesPerMap + 1);
  const ofEvents = events.map(({ slug, modified_utc: time }) =>
    entry(`/event/${slug}/`, `<lastmod>${instantOf(time)}</lastmod>`),
  );
  if (number > 1) return xmlReply('urlset', ofEvents);
  const contactsOf = async (kind: 'venue' | 'organizer') =>
    (await all(kind, {}, 1, contactPages)).map(({ slug }) => entry(`/${kind}/${slug}/`));
  const contacts = await Promise.all([contactsOf('venue'), contactsOf('organizer')]);
  return xmlReply('urlset', [entry('/calendar'), ...ofEvents, ...contacts.flat()]);
}

const location = (url: string) => `<loc>${xmlText(url)}</loc>`;

function xmlReply(root: 'urlset' | 'sitemapindex', items: readonly string[]): Reply {
  const element = `<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${items.join('\n')}\n</${root}>`;
  return contentReply(
    'application/xml; charset=utf-8',
    `<?xml version="1.0" encoding="UTF-8"?>\n${element}\n`,
    caching,
  );
}
