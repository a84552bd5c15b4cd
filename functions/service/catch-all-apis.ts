/** What stands at the paths of an API that another app serves, and at those of none. */

import type { ApiName } from '../../shared/config/parsers.ts';
import type { Api } from '../../shared/http/api.ts';
import type { ApiDescription } from '../../shared/http/description.ts';
import { problemApi } from './problem-api.ts';

/** Creates the API that stands at the paths of others, `apis`, which are not served here: it has nothing, and says so. */
export function notServedApi(name: ApiName, apis: readonly Pick<ApiDescription, 'mounts'>[]): Api<undefined> {
  return {
    ...problemApi,
    name: `${name}-elsewhere`,
    description: `What is not served here: the ${name} API.`,
    mounts: apis.flatMap(({ mounts }) => mounts.map((mount) => ({ ...mount, notServed: name }))),
    endpoints: [],
  };
}

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
