/** How many requests an instance takes at once, before the host would refuse. */

import { httpSetting } from './host-json.ts';

/** What the host takes where nothing limits it. */
const unlimited = 600;

/** Returns requests in flight at once, at most: five of six that the host takes (an app setting, else host.json), since its own refusal has no body and knows no caller. */
export function requestLimit(environment: NodeJS.ProcessEnv): number {
  const taken = Number(httpSetting(environment, 'maxOutstandingRequests').value);
  return Math.max(1, Math.floor(((taken > 0 ? taken : unlimited) * 5) / 6));
}
