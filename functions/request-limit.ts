/** How many requests an instance takes at once, before the host would refuse. */

import { httpSetting } from './host-json.ts';

/** What the host takes where nothing limits it. */
const unlimited = 600;

/**
 * Returns the number of requests in flight at most: five sixths of the host's limit (an app setting, else host.json). The host's own
 * rejection has no body and knows no caller.
 */
export function requestLimit(environment: NodeJS.ProcessEnv): number {
  const taken = Number(httpSetting(environment, 'maxOutstandingRequests').value);
  return Math.max(1, Math.floor(((taken > 0 ? taken : unlimited) * 5) / 6));
}
