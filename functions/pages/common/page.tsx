/** The parts of every page: its head, the frame of its readers around it, its language, and the headers that guard it. */

import { hash } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import type { SiteLink, TextByLanguage } from '../../../shared/config/parsers.ts';
import { contentReply, type Reply } from '../../../shared/http/reply.ts';
import { assetUrl, colorsUrl } from './assets.ts';
import type { PageContext } from './page-context.ts';
import { type PageLanguage, pageLanguages, words } from './views/words.ts';

export interface Page {
  readonly title: string;
  /** Whether the title is the heading of the page; else the page has its heading itself. Default true. */
  readonly isTitled?: boolean;
  readonly children: ComponentChildren;
  readonly description?: string;
  /** URL under which search engines know the page; a page without it is not for them. */
  readonly canonical?: string;
  /** Whether the picture of the site stands above it. */
  readonly hasBanner?: boolean;
  /** Whether it has nothing for search engines, and no links for them: a month without events on either side. */
  readonly isPastTheEnd?: boolean;
  /** Type and picture of the page in Open Graph. */
  readonly type?: 'article' | 'website';
  readonly picture?: string | undefined;
  /** More for the head: linked data, alternates. */
  readonly head?: ComponentChildren;
  /** Names of files. The script finds what its libraries have defined. */
  readonly script?: string;
  readonly libraries?: readonly string[];
  readonly style?: string;
  /** Colours of categories that the page shows. */
  readonly colors?: readonly string[];
  /**
   * The frame around it: that of the site for citizens, that of people at work, that for developers, the links of the latter alone, for a
   * page of a library with style and landmarks of its own, or none, where a frame of another site has the page.
   */
  readonly frame?: 'site' | 'work' | 'developers' | 'links' | 'embedded';
  /** Whether the page shows a frame of the service itself. */
  readonly hasFrames?: boolean;
  /** Origin that the page's script may call beside its own: that of the identity provider. */
  readonly connects?: string;
  readonly status?: number;
  /** Version of the calendar that the page shows; it becomes part of the entity tag. */
  readonly version?: number;
}

/** Seconds for which the gateway, or a network for content, may answer with a page of the calendar; a browser asks anew, since its reader may have changed it. */
const maxAge = 30;

/** Answers with a page. It runs no script but the service's own; linked data is data, which no policy concerns. */
export function pageReply(page: Page, context: PageContext): Reply {
  const { connects = '', status, version, frame, canonical, hasFrames, isPastTheEnd = false } = page;
  const text = `<!doctype html>${render(shell(page, context))}`;
  const tag = `W/"${version === undefined ? '' : `${version}-`}${hash('sha1', text, 'base64url')}"`;
  const media = 'https: http: data:';
  const { EMBED_ORIGINS: origins } = context.config;
  const ancestors = frame === 'embedded' && origins.length > 0 ? `'self' ${origins.join(' ')}` : "'none'";
  const policy = [
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; form-action 'self'",
    `img-src 'self' ${media}; media-src ${media}; connect-src 'self' ${connects}`.trimEnd(),
    `${hasFrames ? "frame-src 'self'; " : ''}frame-ancestors ${ancestors}; base-uri 'none'`,
  ];
  const isForSearch = status === undefined && frame === undefined && canonical !== undefined;
  const reply = contentReply('text/html; charset=utf-8', text, {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cache-Control':
      status === undefined && version !== undefined
        ? `public, max-age=0, s-maxage=${maxAge}`
        : 'public, no-cache',
    Vary: 'Accept, Accept-Language',
    ...(status === undefined ? { ETag: tag } : {}),
    'X-Robots-Tag': isPastTheEnd ? 'noindex, nofollow' : isForSearch ? 'all' : 'noindex',
  });
  return { ...reply, status: status ?? 200 };
}

function shell(page: Page, context: PageContext) {
  const { title, script, libraries = [], style, colors, frame = 'site' } = page;
  const { site, base, calendar, records, language, config } = context;
  const sheets = [
    ...(frame === 'links' ? [] : [assetUrl(base, 'page.css')]),
    colorsUrl(base, config.SITE_COLOR, colors),
    ...(style === undefined ? [] : [assetUrl(base, style)]),
  ];
  const name = frame === 'site' || frame === 'embedded' ? config.SITE_NAME : '';
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{name ? `${title} – ${name}` : title}</title>
        <link rel="icon" href={assetUrl(base, 'icon.svg')} type="image/svg+xml" />
        {sheets.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        {libraries.map((library) => (
          <script key={library} defer src={assetUrl(base, library)} />
        ))}
        {script && <script type="module" src={assetUrl(base, script)} />}
        {preview(page, context)}
      </head>
      <body class={frame} data-site={site} data-base={base} data-calendar={calendar} data-records={records}>
        {frames[frame](page, context)}
      </body>
    </html>
  );
}

/** The part of the head for search engines, previews and clients. */
function preview(
  { title, description, canonical, type = 'website', picture, head }: Page,
  context: PageContext,
) {
  const { calendar, siteUrl, language, config, hasSiteIndex } = context;
  const properties = {
    'og:type': type,
    'og:title': title,
    'og:site_name': config.SITE_NAME,
    'og:description': description,
    'og:url': canonical && addressIn(language, canonical, context),
    'og:locale': { en: 'en_GB', da: 'da_DK', sv: 'sv_SE' }[language],
    'og:image': picture || config.SITE_IMAGE,
  };
  return (
    <>
      {description && <meta name="description" content={description} />}
      {/* Clients look for the index of a site at `/wp-json/` below it. */}
      {calendar && hasSiteIndex && <link rel="https://api.w.org/" href={`${siteUrl}/wp-json/`} />}
      {canonical && <link rel="canonical" href={addressIn(language, canonical, context)} />}
      {canonical && <link rel="alternate" hreflang="x-default" href={canonical} />}
      {canonical &&
        pageLanguages.map((other) => (
          <link key={other} rel="alternate" hreflang={other} href={addressIn(other, canonical, context)} />
        ))}
      {canonical &&
        Object.entries(properties).map(
          ([property, content]) => content && <meta key={property} property={property} content={content} />,
        )}
      {canonical && (
        <meta name="twitter:card" content={properties['og:image'] ? 'summary_large_image' : 'summary'} />
      )}
      {head}
    </>
  );
}

/** Returns the address of a page in a language; that of the calendar's language is what a program without one of its own gets. */
function addressIn(language: PageLanguage, canonical: string, { config }: PageContext): string {
  return language === config.CALENDAR_LANGUAGE ? canonical : `${canonical}?translation_language=${language}`;
}

const frames = { site: framed, work: framed, developers: framed, links, embedded };

function links({ children }: Page, context: PageContext) {
  return (
    <>
      {developersNavigation(context)}
      {children}
    </>
  );
}

function embedded({ title, children }: Page) {
  return (
    <main>
      <h1 class="hidden">{title}</h1>
      {children}
    </main>
  );
}

function framed(page: Page, context: PageContext) {
  const { title, isTitled = true, children, frame, hasBanner } = page;
  const { SITE_IMAGE: image } = context.config;
  const headers = { work: workNavigation, developers: developersNavigation };
  const header = frame === 'work' || frame === 'developers' ? headers[frame] : undefined;
  return (
    <>
      <a class="skip" href="#main">
        {context.word('skip')}
      </a>
      <header class="frame">
        <div class="container-fluid">{header ? header(context) : <SiteHeader context={context} />}</div>
      </header>
      {hasBanner && image && <img class="site-image" src={image} alt="" />}
      <main id="main" class="container-fluid" tabIndex={-1}>
        {isTitled && <h1>{title}</h1>}
        {children}
      </main>
      {!header && <SiteFooter context={context} />}
    </>
  );
}

interface SiteProps {
  readonly context: PageContext;
}

/** The logo and the name of the site, the way to the site that it belongs to, and the languages. */
function SiteHeader({ context }: SiteProps) {
  const { site, query, config, word, language } = context;
  const { SITE_NAME: name, SITE_LOGO: logo, SITE_HOME: home } = config;
  return (
    <>
      <a class="name" href={`${site}/calendar${query}`}>
        {logo && <img class="logo" src={logo} alt="" />}
        {name || word('calendar')}
      </a>
      <div class="beside-name">
        {home.href && (
          <a href={home.href}>
            {word('home')} {textIn(home.text, language)}
          </a>
        )}
        {languages(context)}
      </div>
    </>
  );
}

/** Address, contact and what a site has to say about itself in columns; the door of editors apart. */
function SiteFooter({ context }: SiteProps) {
  const { site, query, config, word, language } = context;
  const textOf = (text: TextByLanguage) => textIn(text, language);
  const address = textOf(config.SITE_ADDRESS)
    .split(/\s*;\s*/)
    .filter(Boolean);
  const toLink = ({ text, href }: SiteLink) => ({ text: textOf(text), href });
  const about = [
    { text: word('accessibility'), href: textOf(config.SITE_ACCESSIBILITY) },
    { text: word('privacy'), href: textOf(config.SITE_PRIVACY) },
    ...config.SITE_LINKS.map(toLink),
  ].filter(({ href }) => href !== '');
  const forEditors = [
    ...(config.EMBED_ORIGINS.length > 0 ? [{ text: word('embed'), href: `${site}/embed${query}` }] : []),
    { text: word('edit'), href: `${site}/edit${query}` },
  ];
  return (
    <footer class="frame">
      <div class="container-fluid footer-columns">
        {address.length > 0 && (
          <section>
            <h2>{word('address')}</h2>
            <address>
              {[config.SITE_NAME, ...address].map((line) => (
                <span key={line}>{line}</span>
              ))}
            </address>
          </section>
        )}
        <FooterLinks heading={word('contact')} links={config.SITE_CONTACT.map(toLink)} />
        <FooterLinks heading={word('about')} links={about} />
        <FooterLinks heading={word('forEditors')} links={forEditors} />
      </div>
    </footer>
  );
}

interface FooterLinksProps {
  readonly heading: string;
  readonly links: readonly { readonly text: string; readonly href: string }[];
}

function FooterLinks({ heading, links }: FooterLinksProps) {
  if (links.length === 0) return null;
  return (
    <nav aria-label={heading}>
      <h2>{heading}</h2>
      <ul>
        {links.map(({ text, href }) => (
          <li key={href}>
            <a href={href}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function textIn({ text, others }: TextByLanguage, language: PageLanguage): string {
  return others[language] ?? text;
}

/** The pages of who works with cases: nothing of the APIs behind them. */
function workNavigation({ site, calendar, records, query, word }: PageContext) {
  return (
    <nav aria-label={word('pages')}>
      {records && <a href={`${site}/records${query}`}>{word('recordsTitle')}</a>}
      {calendar && <a href={`${site}/calendar${query}`}>{word('calendar')}</a>}
    </nav>
  );
}

function developersNavigation({ site, base, calendar, records, start, word }: PageContext) {
  return (
    <nav aria-label={word('pages')}>
      <a href={start}>Start</a>
      {calendar && <a href={`${site}/calendar`}>Calendar</a>}
      {records && <a href={`${site}/records`}>Records</a>}
      <a href={`${base}/swagger`}>API explorer</a>
    </nav>
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
