/** The context of a page: addresses as the caller sees them, the language, and the site. */

import type { Config } from '../../../shared/config.ts';
import { preferencesOf, prefers } from '../../../shared/http/accept.ts';
import type { RequestContext } from '../../../shared/http/request-context.ts';
import { plainText } from '../../calendar/model/text/plain-text.ts';
import { type PageLanguage, pageLanguages, words } from './views/words.ts';

/** Settings and addresses of the service. */
export interface PagesOptions {
  readonly config: Config;
  /** Paths of the service, such as `/api`, and of its calendar. */
  readonly basePath: string;
  readonly calendarPath: string;
  /** Whether `/wp-json/` has an index of the site. */
  readonly hasSiteIndex: boolean;
  /** The served APIs, whose pages alone the app has. */
  readonly servedApis: { readonly calendar: boolean; readonly records: boolean };
  /** The OpenAPI documents: their names in the explorer, and their paths below that of the service. */
  readonly documents: readonly { readonly name: string; readonly path: string }[];
}

/** The part of a call that pages ask. */
export interface PageCall extends Pick<RequestContext<unknown>, 'request' | 'siteLink' | 'client'> {
  readonly path: Readonly<Record<string, string>>;
  /** Status of the error that a page tells of. */
  readonly status?: number;
}

export type PageContext = ReturnType<typeof contextOf>;

/** Returns the context of a page; `only` for a page in English alone. */
export function contextOf({ request, siteLink, client }: PageCall, options: PagesOptions, only?: 'en') {
  const { basePath, calendarPath, servedApis, config, hasSiteIndex } = options;
  const parameter = request.url.searchParams.get('translation_language');
  const siteUrl = siteLink('');
  const { origin, pathname } = new URL(siteUrl);
  // Paths are as the browser of the caller sees them, without a slash at the end.
  const site = pathname.replace(/\/$/, '');
  const base = site + basePath;
  const preferred = preferencesOf(request.headers).language([...pageLanguages]) as PageLanguage | undefined;
  const language =
    only ??
    pageLanguages.find((pageLanguage) => pageLanguage === parameter) ??
    preferred ??
    config.CALENDAR_LANGUAGE;
  return {
    url: request.url,
    client,
    siteUrl,
    origin,
    site,
    base,
    language,
    word: words(language),
    plain: plainText,
    currency: config.CALENDAR_CURRENCY,
    textLanguage: config.CALENDAR_LANGUAGE,
    config,
    hasSiteIndex,
    /** Paths of the calendar API, and of the newest version of the records API, where the app serves them. */
    calendar: servedApis.calendar ? site + calendarPath : undefined,
    records: servedApis.records ? `${base}/v8.0` : undefined,
    /** Path of the start page for developers. */
    start: `${site}/${isSite(options) ? 'developers' : ''}`,
    /** The query that keeps a language that was chosen; empty when the browser's decides. */
    query: parameter === null ? '' : `?translation_language=${language}`,
  };
}

/** Checks whether the service is a site for citizens, which has a name. */
export function isSite({ config, servedApis }: PagesOptions): boolean {
  return servedApis.calendar && config.SITE_NAME !== '';
}

/** Checks whether a caller prefers JSON to a page; one who takes either gets the page. */
export function wantsJson(request: PageCall['request']): boolean {
  return prefers(request.headers, 'application/json', 'text/html');
}
