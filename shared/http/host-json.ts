/** What the host is set to by host.json, or by the app setting that overrides it, and the number of requests that follows from it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type HttpSettings = Readonly<Partial<Record<'routePrefix' | 'maxOutstandingRequests', string | number>>>;

/** A setting of the host, and where it stands, as a message names the place. */
export interface HostSetting {
  readonly value: string | number | undefined;
  /** The app setting that says so; undefined for host.json. */
  readonly override: string | undefined;
}

/** Returns what the host goes by: an app setting such as `AzureFunctionsJobHost__extensions__http__routePrefix`, else host.json. */
export function httpSetting(environment: NodeJS.ProcessEnv, name: keyof HttpSettings): HostSetting {
  const path = ['AzureFunctionsJobHost', 'extensions', 'http', name];
  const overriding = new RegExp(`^${path.join('(__|:)')}$`, 'i');
  const [override, value] = Object.entries(environment).find(([key]) => overriding.test(key)) ?? [];
  return { value: value ?? ofHostJson()[name], override };
}

function ofHostJson(): HttpSettings {
  const file = join(import.meta.dirname, '..', '..', 'host.json');
  const host = JSON.parse(readFileSync(file, 'utf8')) as { extensions?: { http?: HttpSettings } };
  return host.extensions?.http ?? {};
}

/** What the host takes where nothing limits it. */
const unlimited = 600;

/**
 * Returns the number of requests in flight at most: five sixths of the host's limit (an app setting, else host.json). The host's own
 * rejection has no body and knows no caller.
 */
export function requestLimit(environment: NodeJS.ProcessEnv): number {
  const hostLimit = Number(httpSetting(environment, 'maxOutstandingRequests').value);
  return Math.max(1, Math.floor(((hostLimit > 0 ? hostLimit : unlimited) * 5) / 6));
}
