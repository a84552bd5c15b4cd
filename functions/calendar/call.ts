/** From a call to what the calendar is asked. */

import type { CalendarRequest } from '../../shared/calendar/calendar.ts';
import { type Language, languages } from '../../shared/calendar/model/records.ts';
import type { Caller } from '../../shared/calendar/model/rights.ts';
import type { Named } from '../../shared/calendar/operations/find.ts';
import { invalidParameter, noRoute } from '../../shared/calendar/problems.ts';
import { type Call, endpointsFor } from '../../shared/http/endpoint.ts';
import type { Sent } from './input.ts';

/** Makes an endpoint of the calendar. */
export const endpoint = endpointsFor<Caller>();

export type CalendarCall = Call<Caller, unknown, Sent, unknown>;

/** Gives what the calendar is asked. */
export function requestOf({ caller, query, link, ifMatch }: CalendarCall): CalendarRequest {
  return { caller, sent: query, root: link(''), language: languageOf(query), ifMatch };
}

/** Gives the record that the path names. An id that is no number is a path that is not there. */
export function namedBy({ path }: CalendarCall): Named {
  const { id, slug } = path as { id?: string; slug?: string };
  return slug === undefined ? { id: idOf(id) } : { slug };
}

function idOf(id: unknown): number {
  if (typeof id !== 'string' || !/^\d+$/.test(id)) throw noRoute();
  return Number(id);
}

function languageOf({ translation_language: sent }: Sent): Language | undefined {
  if (sent === undefined) return undefined;
  const language = languages.find((one) => one === sent);
  if (language === undefined)
    throw invalidParameter('translation_language', `must be one of ${languages.join(', ')}`);
  return language;
}
