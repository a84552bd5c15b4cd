/** What stands at the root of the site, outside of the base path. */

import type { Api } from '../../shared/http/api.ts';
import { problemApi } from './problem-api.ts';

/** Creates the API of the site's root. It has no path, so that it answers those that are none's: every address of the app is ours. */
export function siteApi(): Api<undefined> {
  return {
    ...problemApi,
    name: 'site',
    description: 'What is outside of the base path.',
    mounts: [{ path: '', below: 'site' }],
    endpoints: [],
  };
}
