/** What every page has: its head, the way to the others, its language, and the headers that guard it. */

import { hash } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import { type Reply, raw } from '../../shared/http/reply.ts';
import { assetUrl, type PageAsset } from './assets.ts';
import { type PageLanguage, pageLanguages } from './negotiate.ts';
import type { Places } from './places.ts';
import { words } from './words.ts';

export interface Page {
  readonly title: string;
  readonly description?: string;
  readonly places: Places;
  readonly language: PageLanguage;
  /** URL of the page with its query, for the switch of languages; pages of one language have none. */
  readonly url?: URL;
  /** More for the head: linked data, alternates. */
  readonly head?: ComponentChildren;
  readonly script?: PageAsset;
  readonly style?: PageAsset;
  readonly children: ComponentChildren;
  /** Origin that the page's script may call beside its own: that of the identity provider. */
  readonly connects?: string;
  readonly status?: number;
  /** Version of the calendar that the page shows; it becomes part of the entity tag. */
  readonly version?: number;
}

/** Replies a page. It runs no script but the service's own; linked data is data, which no policy concerns. */
export function pageReply(page: Page): Reply {
  const text = `<!doctype html>${render(<Shell {...page} />)}`;
  const tag = `W/"${page.version === undefined ? '' : `${page.version}-`}${hash('sha1', text, 'base64url')}"`;
  const reply = raw('text/html; charset=utf-8', text, {
    'Content-Security-Policy': policy(page.connects),
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cache-Control': 'public, no-cache',
    Vary: 'Accept, Accept-Language',
    ...(page.status === undefined ? { ETag: tag } : {}),
    'X-Robots-Tag': page.status === undefined ? 'all' : 'noindex',
  });
  return { ...reply, status: page.status ?? 200 };
}

function policy(connects = ''): string {
  const media = 'https: http: data:';
  return [
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; form-action 'self'",
    `img-src 'self' ${media}; media-src ${media}; connect-src 'self' ${connects}`.trimEnd(),
    "frame-ancestors 'none'; base-uri 'none'",
  ].join('; ');
}

function Shell({ title, description, places, language, url, head, script, style, children }: Page) {
  const { base, calendar } = places;
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        {description && <meta name="description" content={description} />}
        {calendar && <link rel="https://api.w.org/" href={apiRoot(places)} />}
        <link rel="icon" href={assetUrl(base, 'icon.svg')} type="image/svg+xml" />
        <link rel="stylesheet" href={assetUrl(base, 'page.css')} />
        {style && <link rel="stylesheet" href={assetUrl(base, style)} />}
        {script && <script type="module" src={assetUrl(base, script)} />}
        {head}
      </head>
      <body>
        <Header places={places} language={language} url={url} />
        <main>{children}</main>
      </body>
    </html>
  );
}

/** Clients look for the index of a site at `/wp-json/` below it. */
function apiRoot({ url }: Places): string {
  return `${url}/wp-json/`;
}

type HeaderProps = Pick<Page, 'places' | 'language'> & { readonly url: URL | undefined };

function Header({ places: { site, base, calendar, records }, language, url }: HeaderProps) {
  const word = words(language);
  return (
    <header>
      <nav aria-label={word('pages')}>
        <a href={`${site}/`}>{word('start')}</a>
        {calendar && <a href={`${site}/calendar${languageQuery(language, url)}`}>{word('calendar')}</a>}
        {records && <a href={`${site}/records`}>{word('records')}</a>}
        <a href={`${base}/swagger`}>{word('explorer')}</a>
      </nav>
      {url && <Languages language={language} url={url} />}
    </header>
  );
}

function Languages({ language, url }: { readonly language: PageLanguage; readonly url: URL }) {
  return (
    <nav aria-label={words(language)('language')}>
      {pageLanguages.map((one) => (
        <a
          key={one}
          href={`?${withLanguage(url, one)}`}
          lang={one}
          aria-current={one === language ? 'true' : undefined}
        >
          {words(one)('ownName')}
        </a>
      ))}
    </nav>
  );
}

function withLanguage({ searchParams }: URL, language: PageLanguage): string {
  const query = new URLSearchParams(searchParams);
  query.set('translation_language', language);
  return query.toString();
}

/** Returns the query that keeps a language that was chosen; empty when the browser's decides. */
export function languageQuery(language: PageLanguage, url: URL | undefined): string {
  return url?.searchParams.has('translation_language') ? `?translation_language=${language}` : '';
}
