/** What a page is made for: where the service is for the caller, and in which language. */

import Negotiator from 'negotiator';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Config } from '../../shared/config.ts';
import type { RequestContext } from '../../shared/http/context.ts';
import { type PageLanguage, pageLanguages, type Word, words } from './words.ts';

/** What the pages need to know of the service. */
export interface PagesOptions {
  readonly config: Config;
  /** Paths of the service, such as `/api`, and of its calendar. */
  readonly basePath: string;
  readonly calendarPath: string;
  /** Which APIs the app serves: it has the pages of these alone. */
  readonly has: { readonly calendar: boolean; readonly records: boolean };
}

/** The part of a call that pages ask. */
export type PageCall = Pick<RequestContext<unknown>, 'request' | 'siteLink'>;

export interface PageContext {
  readonly url: URL;
  /** Absolute URL of the site, and its origin. */
  readonly siteUrl: string;
  readonly origin: string;
  /** Paths as the browser of the caller sees them, without a slash at the end. */
  readonly site: string;
  readonly base: string;
  /** Path of the calendar API; undefined when the app does not serve it. */
  readonly calendar: string | undefined;
  /** Path of the newest version of the records API; undefined when the app does not serve it. */
  readonly records: string | undefined;
  readonly language: PageLanguage;
  readonly word: (word: Word) => string;
  /** The query that keeps a language that was chosen; empty when the browser's decides. */
  readonly query: string;
}

/** Gives the parts of a page what it is made for. */
export const Current = createContext({} as PageContext);
export const usePage = () => useContext(Current);

/** Returns what a page is made for. Pages of one language are in English. */
export function contextOf({ request, siteLink }: PageCall, options: PagesOptions, only?: 'en'): PageContext {
  const { basePath, calendarPath, has } = options;
  const siteUrl = siteLink('');
  const { origin, pathname } = new URL(siteUrl);
  const site = pathname.replace(/\/$/, '');
  const base = site + basePath;
  const language = only ?? languageOf(request);
  const isChosen = request.url.searchParams.has('translation_language');
  return {
    ...{ url: request.url, siteUrl, origin, site, base, language },
    calendar: has.calendar ? site + calendarPath : undefined,
    records: has.records ? `${base}/v8.0` : undefined,
    word: words(language),
    query: isChosen ? `?translation_language=${language}` : '',
  };
}

function negotiatorOf({ headers }: PageCall['request']): Negotiator {
  return new Negotiator({ headers: Object.fromEntries(headers) });
}

/** Checks whether JSON is wanted rather than a page; who takes either gets the page. */
export function wantsJson(request: PageCall['request']): boolean {
  return negotiatorOf(request).mediaType(['text/html', 'application/json']) === 'application/json';
}

/** Returns the language of a page: that of `translation_language`, else the one that the browser prefers. */
function languageOf(request: PageCall['request']): PageLanguage {
  const asked = request.url.searchParams.get('translation_language');
  const preferred = negotiatorOf(request).language([...pageLanguages]);
  return pageLanguages.find((one) => one === asked) ?? pageLanguages.find((one) => one === preferred) ?? 'en';
}
