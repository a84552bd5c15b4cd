/**
 * What clients of the calendar ask of WordPress's own API beside it: who they are, terms, media, and events as posts. Views of the same
 * calendar, as far as clients use them; lists of posts and pages are empty.
 */

import type { Config } from '../../../shared/config.ts';
import type { Api } from '../../../shared/http/api.ts';
import type { Caller } from '../../calendar/model/rights.ts';
import { calendarRoot } from '../../calendar/site-mounts.ts';
import { siteMount } from '../site.ts';
import { eventEndpoints } from './events.ts';
import { mediaEndpoints } from './media.ts';
import { emptyEndpoints } from './posts.ts';
import { termEndpoints } from './terms.ts';
import { userEndpoint } from './user.ts';

/** Creates the API at `/wp-json/wp/v2`; without a root where the calendar is not below `/wp-json`. */
export function wpApi(config: Config, api: Api<Caller>): Api<Caller> {
  return {
    ...api,
    name: 'platform',
    description: 'Users, terms, media and events as clients of WordPress know them.',
    mounts: siteMount(config, 'wp/v2'),
    recordsRoot: calendarRoot(config),
    endpoints: [
      userEndpoint,
      ...termEndpoints('tag'),
      ...termEndpoints('category'),
      ...eventEndpoints,
      ...mediaEndpoints,
      ...emptyEndpoints('posts'),
      ...emptyEndpoints('pages'),
    ],
  };
}
