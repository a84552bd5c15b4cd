/**
 * What clients of the calendar ask of WordPress's own API beside it: who they are, terms, media, and events as posts. Views of the same
 * calendar, as far as clients use them; lists of posts and pages are empty.
 */

import type { Config } from '../../../shared/config.ts';
import type { Api } from '../../../shared/http/api.ts';
import type { Caller } from '../../calendar/model/rights.ts';
import { type CalendarAddress, calendarRoot } from '../../calendar/wire/address.ts';
import { siteMount } from '../site.ts';
import { eventEndpoints } from './events.ts';
import { mediaEndpoints } from './media.ts';
import { emptyEndpoints } from './posts.ts';
import { shownInContext } from './shown-in-context.ts';
import { termEndpoints } from './terms.ts';
import { userEndpoints } from './user.ts';

/** Creates the API at `/wp-json/wp/v2`; without a root where the calendar is not below `/wp-json`. */
export function wpApi(config: Config, address: CalendarAddress, api: Api<Caller>): Api<Caller> {
  return {
    ...api,
    name: 'wp-v2',
    description: 'Users, terms, media and events as clients of WordPress know them.',
    mounts: siteMount(address, 'wp/v2'),
    recordsRoot: (siteLink) => calendarRoot(address, siteLink),
    endpoints: shownInContext([
      userEndpoints(config),
      termEndpoints('tag'),
      termEndpoints('category'),
      eventEndpoints,
      mediaEndpoints,
      emptyEndpoints('posts'),
      emptyEndpoints('pages'),
    ]),
  };
}
