/**
 * Addresses of a WordPress site that clients of The Events Calendar know beside its own API, all of them views of the same calendar: the
 * index of the site, `wp/v2`, `tec/v1`, feeds and RSS at the addresses of pages, and the addresses that pages and pictures had there.
 */

import type { Config } from '../../shared/config.ts';
import type { Api } from '../../shared/http/api.ts';
import type { MovedTo } from '../../shared/http/handle.ts';
import type { QueryRoute } from '../../shared/http/serve.ts';
import type { Caller } from '../calendar/model/rights.ts';
import type { Calendar } from '../calendar/operations/calendar.ts';
import { readCalendarAddress } from '../calendar/wire/address.ts';
import { movedPages } from './moved-pages.ts';
import { queryRoute, siteIndexApi } from './site.ts';
import { type SharedPages, siteFeedApis } from './site-feeds.ts';
import { tecApi } from './tec-v1/tec-api.ts';
import { uploadsApi } from './uploads.ts';
import { wpApi } from './wp-v2/wp-api.ts';

/** Further APIs of a calendar, and where the addresses of their site without a path lead. */
interface WordpressApis {
  readonly apis: readonly Api<Caller>[];
  readonly queryRoute: QueryRoute;
  readonly movedTo: MovedTo;
}

/** Creates the APIs beside `calendarApi`. `pages` share their addresses with feeds; `served` has the first words of all paths of the service. */
export function wordpressApis(
  config: Config,
  calendarApi: Api<Caller>,
  calendar: () => Calendar,
  pages: SharedPages,
  served: () => ReadonlySet<string>,
): WordpressApis | undefined {
  const address = readCalendarAddress(config);
  const wp = wpApi(config, address, calendarApi);
  const tec = tecApi(config, address, calendarApi);
  const index = siteIndexApi(config, address, [calendarApi, wp, tec]);
  const uploads = uploadsApi(address, calendarApi, pages);
  return {
    apis: [wp, tec, index, uploads, ...siteFeedApis(config, address, calendarApi, pages)],
    queryRoute,
    movedTo: movedPages(calendar, address, served),
  };
}
