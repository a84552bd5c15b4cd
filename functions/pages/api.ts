/** The pages: APIs of hidden endpoints at the root of the site, and below the base path. */

import type { Calendar } from '../../shared/calendar/calendar.ts';
import type { Api } from '../../shared/http/api.ts';
import { settingOf } from '../base-path.ts';
import { problemApi } from '../service/problem-api.ts';
import { assetEndpoint } from './assets.ts';
import { explorerEndpoints, recordsPageEndpoint } from './browser-pages.tsx';
import { createCalendarPages } from './calendar-pages.tsx';
import type { PagesOptions } from './places.ts';
import { startEndpoint } from './start.tsx';

/** Creates the APIs of the pages, and the page of an event, which shares its path with the event's feed; none where the setting turns them off. */
export function createPages(options: PagesOptions, calendar: () => Calendar) {
  // A setting that is unusable leaves them out: no page could say so.
  if (!settingOf(() => options.config.PAGES, false)) return { apis: [], event: undefined };
  const start = startEndpoint(options);
  const { endpoints, event } = createCalendarPages(options, calendar);
  const own = options.has.calendar ? { endpoints, event } : { endpoints: [], event: undefined };
  const common = { ...problemApi, description: 'Pages for people.' };
  const apis: Api<undefined>[] = [
    {
      ...common,
      name: 'pages',
      mounts: [{ path: '' }],
      endpoints: [start, assetEndpoint(), ...explorerEndpoints(options)],
    },
    {
      ...common,
      name: 'site-pages',
      mounts: [{ path: '', below: 'site' }],
      endpoints: [start, ...own.endpoints, ...(options.has.records ? [recordsPageEndpoint(options)] : [])],
    },
  ];
  return { apis, event: own.event };
}
