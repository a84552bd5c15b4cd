/** What a browser would rather have: a media type, and a language. */

import Negotiator from 'negotiator';
import { type Language, languages } from '../../shared/calendar/model/values.ts';
import type { IncomingRequest } from '../../shared/http/request.ts';

/** Languages of pages; texts of the calendar have English as their default. */
export type PageLanguage = Language | 'en';
export const pageLanguages: readonly PageLanguage[] = ['en', ...languages];

function negotiatorOf({ headers }: IncomingRequest): Negotiator {
  return new Negotiator({ headers: Object.fromEntries(headers) });
}

/** Checks whether JSON is wanted rather than a page; who takes either gets the page. */
export function wantsJson(request: IncomingRequest): boolean {
  return negotiatorOf(request).mediaType(['text/html', 'application/json']) === 'application/json';
}

/** Returns the language of a page: that of `translation_language`, else the one that the browser prefers. */
export function languageOf(request: IncomingRequest): PageLanguage {
  const asked = request.url.searchParams.get('translation_language');
  const preferred = negotiatorOf(request).language([...pageLanguages]);
  return pageLanguages.find((one) => one === asked) ?? pageLanguages.find((one) => one === preferred) ?? 'en';
}
