/** What every page has: its head, the way to the others, its language, and the headers that guard it. */

import { hash } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import { type Reply, raw } from '../../shared/http/reply.ts';
import { assetUrl } from './assets.ts';
import type { PageContext } from './context.ts';
import { pageLanguages, words } from './words.ts';

export interface Page {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly description?: string;
  /** More for the head: linked data, alternates. */
  readonly head?: ComponentChildren;
  /** Names of files. */
  readonly script?: string;
  readonly style?: string;
  /** Origin that the page's script may call beside its own: that of the identity provider. */
  readonly connects?: string;
  readonly status?: number;
  /** Version of the calendar that the page shows; it becomes part of the entity tag. */
  readonly version?: number;
}

/** Replies a page. It runs no script but the service's own; linked data is data, which no policy concerns. */
export function pageReply(page: Page, context: PageContext): Reply {
  const { connects = '', status, version } = page;
  const text = `<!doctype html>${render(shell(page, context))}`;
  const tag = `W/"${version === undefined ? '' : `${version}-`}${hash('sha1', text, 'base64url')}"`;
  const media = 'https: http: data:';
  const policy = [
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; form-action 'self'",
    `img-src 'self' ${media}; media-src ${media}; connect-src 'self' ${connects}`.trimEnd(),
    "frame-ancestors 'none'; base-uri 'none'",
  ];
  const reply = raw('text/html; charset=utf-8', text, {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cache-Control': 'public, no-cache',
    Vary: 'Accept, Accept-Language',
    ...(status === undefined ? { ETag: tag } : {}),
    'X-Robots-Tag': status === undefined ? 'all' : 'noindex',
  });
  return { ...reply, status: status ?? 200 };
}

function shell({ title, description, head, script, style, children }: Page, context: PageContext) {
  const { site, base, calendar, records, siteUrl, language, isEnglish, query, word } = context;
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        {description && <meta name="description" content={description} />}
        {/* Clients look for the index of a site at `/wp-json/` below it. */}
        {calendar && <link rel="https://api.w.org/" href={`${siteUrl}/wp-json/`} />}
        <link rel="icon" href={assetUrl(base, 'icon.svg')} type="image/svg+xml" />
        <link rel="stylesheet" href={assetUrl(base, 'page.css')} />
        {style && <link rel="stylesheet" href={assetUrl(base, style)} />}
        {script && <script type="module" src={assetUrl(base, script)} />}
        {head}
      </head>
      <body data-site={site} data-base={base} data-calendar={calendar} data-records={records}>
        <header class="container-fluid">
          <nav aria-label={word('pages')}>
            <a href={`${site}/`}>{word('start')}</a>
            {calendar && <a href={`${site}/calendar${isEnglish ? '' : query}`}>{word('calendar')}</a>}
            {records && <a href={`${site}/records`}>{word('records')}</a>}
            <a href={`${base}/swagger`}>{word('explorer')}</a>
          </nav>
          {!isEnglish && languages(context)}
        </header>
        <main class="container-fluid">
          <h1>{title}</h1>
          {children}
        </main>
      </body>
    </html>
  );
}

/** Links to the same page in each language. */
function languages({ url, language, word }: PageContext) {
  const query = new URLSearchParams(url.searchParams);
  const links = pageLanguages.map((pageLanguage) => {
    query.set('translation_language', pageLanguage);
    return (
      <a
        key={pageLanguage}
        href={`?${query}`}
        lang={pageLanguage}
        aria-current={pageLanguage === language ? 'true' : undefined}
      >
        {words(pageLanguage)('ownName')}
      </a>
    );
  });
  return <nav aria-label={word('language')}>{links}</nav>;
}
