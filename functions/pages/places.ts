/** Where the pages of the service are, and what they lead to. */

import type { Config } from '../../shared/config.ts';
import type { RequestContext } from '../../shared/http/context.ts';
import { rootPath } from '../../shared/http/mount.ts';
import { settingOf } from '../base-path.ts';

/** What the pages need to know of the service. */
export interface PagesOptions {
  readonly config: Config;
  /** The base path of the service, such as `/api`. */
  readonly basePath: string;
  /** Which APIs the app serves: it has the pages of these alone. */
  readonly has: { readonly calendar: boolean; readonly records: boolean };
}

/** Paths as the browser of a caller sees them, without a slash at the end. */
export interface Places {
  /** Absolute URL of the site. */
  readonly url: string;
  readonly site: string;
  readonly base: string;
  /** The calendar API; undefined when the app does not serve it. */
  readonly calendar: string | undefined;
  /** The newest version of the records API; undefined when the app does not serve it. */
  readonly records: string | undefined;
}

/** Returns the places of the site by which a request came. */
export function placesOf({ siteLink }: Pick<RequestContext<unknown>, 'siteLink'>, options: PagesOptions) {
  const { config, basePath, has } = options;
  const url = siteLink('');
  const site = new URL(url).pathname.replace(/\/$/, '');
  const base = site + basePath;
  const namespace = settingOf(() => config.CALENDAR_BASE_PATH, 'tribe/events/v1');
  return {
    url,
    site,
    base,
    calendar: has.calendar ? site + rootPath({ path: namespace }, basePath) : undefined,
    records: has.records ? `${base}/v8.0` : undefined,
  } satisfies Places;
}
