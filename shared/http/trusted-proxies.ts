/** The proxies in front of the app whose X-Forwarded-For is trusted. */

import type { Config } from '../config.ts';
import { settingOf } from './base-path.ts';

/**
 * Returns the number of proxies that append to X-Forwarded-For before a request reaches the app: the front end of Azure, which no request
 * can bypass, and the gateway of TRUST_FORWARDED_HEADERS.
 */
export function trustedProxies(config: Config, { WEBSITE_SITE_NAME }: NodeJS.ProcessEnv): number {
  const frontEnd = WEBSITE_SITE_NAME === undefined ? 0 : 1;
  const gateway = settingOf(() => config.TRUST_FORWARDED_HEADERS, false) ? 1 : 0;
  return frontEnd + gateway;
}
