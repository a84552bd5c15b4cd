/** The roots of the calendar at the root of the site, where clients look that know only the address of a site. */

import type { Config } from '../../shared/config.ts';
import { isCodedError } from '../../shared/errors.ts';
import type { Mount } from '../../shared/http/description.ts';

/** Returns the roots of the calendar at the root of the site; none while their setting is unusable, and where one is below the base path. */
export function siteMounts(config: Config): Mount[] {
  try {
    return config.CALENDAR_SITE_ROOTS.map(({ path, url }) => ({ path, below: 'site', publicUrl: () => url }));
  } catch (error) {
    if (!isCodedError(error, 'configuration')) throw error;
    return [];
  }
}

/** Returns the function that names the first root of the calendar at the site. */
export function calendarRoot(config: Config): (siteLink: (path: string) => string) => string {
  return (siteLink) => {
    const [beside] = siteMounts(config);
    return beside?.publicUrl?.() || siteLink(beside === undefined ? '' : `/${beside.path}`);
  };
}
