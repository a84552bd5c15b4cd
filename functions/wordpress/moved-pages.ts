/** Addresses at which there is nothing any more: where the page that they once had is now. */

import type { MovedTo } from '../../shared/http/handle.ts';
import { anonymous } from '../calendar/model/rights.ts';
import type { Calendar } from '../calendar/operations/calendar.ts';

/** Creates what finds the present address of a page by an earlier path of it. The query stays. */
export function movedPages(calendar: () => Calendar): MovedTo {
  return async ({ request: { url }, siteLink }) => {
    const request = { caller: anonymous, parameters: {}, root: '', language: undefined };
    const { value } = await calendar().pagePlace({ path: url.pathname }, request);
    return value === undefined ? undefined : siteLink(value + url.search);
  };
}
