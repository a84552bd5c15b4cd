/** Addresses at which there is nothing any more: where the page that they once had is now. */

import type { MovedTo } from '../../shared/http/handle.ts';
import { comparablePath, wordsOfPages } from '../calendar/model/page-paths.ts';
import { anonymous } from '../calendar/model/rights.ts';
import type { Calendar } from '../calendar/operations/calendar.ts';
import { type CalendarAddress, calendarRoot } from '../calendar/wire/address.ts';

/**
 * Creates what finds the present address of a page by an earlier path of it, and a picture by the page that WordPress has for it. The query of
 * a page stays. `served` has the first words of the paths of
 * this service: what is not there below one of them is nobody's page, whatever a site that was imported says.
 */
export function movedPages(
  calendar: () => Calendar,
  address: CalendarAddress,
  served: () => ReadonlySet<string>,
): MovedTo {
  return async ({ request: { url }, siteLink }) => {
    const [word = ''] = comparablePath(url.pathname).split('/');
    if (served().has(word) && !wordsOfPages.has(word)) return undefined;
    const root = calendarRoot(address, siteLink);
    const request = { caller: anonymous, parameters: {}, root, language: undefined };
    const { value: picture } = await calendar().pictures.ofPage(url.pathname, request);
    if (picture !== undefined) return picture;
    const { value } = await calendar().pagePlace({ path: url.pathname }, request);
    return value === undefined ? undefined : siteLink(value + url.search);
  };
}
