/** Where the calendar is: its path below the base path, its roots at the root of the site, and the site that it belongs to. */

import { type Config, settingGroup } from '../../../shared/config.ts';
import type { CodedError } from '../../../shared/errors.ts';
import type { Mount } from '../../../shared/http/description.ts';

/** The addresses of the calendar, with defaults in place of settings that are unusable. */
export interface CalendarAddress {
  /** Path below the base path, such as `tribe/events/v1`. */
  readonly namespace: string;
  /** Roots at the root of the site, where clients look that know only its address. */
  readonly siteMounts: readonly Mount[];
  /** URL of the site that owns the calendar; empty where that is this service. */
  readonly siteUrl: string;
  /** Path below which the service stands, and the public URL of that path, or empty. */
  readonly basePath: string;
  readonly publicBaseUrl: string;
  /** The setting that keeps the calendar from standing anywhere. */
  readonly error: CodedError | undefined;
}

/** Reads where the calendar is. Without a usable CALENDAR_SITE_ROOTS it has no roots at the site. */
export function readCalendarAddress(config: Config): CalendarAddress {
  const path = settingGroup(config, ['CALENDAR_BASE_PATH']);
  const { values } = settingGroup(config, ['CALENDAR_SITE_ROOTS', 'CALENDAR_SITE_URL'], {
    CALENDAR_SITE_ROOTS: [],
  });
  const base = settingGroup(config, ['SERVICE_API_BASE_URL', 'PUBLIC_BASE_URL'], {
    SERVICE_API_BASE_URL: 'api',
    PUBLIC_BASE_URL: '',
  });
  const { SERVICE_API_BASE_URL: basePath, PUBLIC_BASE_URL: publicBaseUrl } = base.values;
  return {
    namespace: path.values.CALENDAR_BASE_PATH,
    siteMounts: values.CALENDAR_SITE_ROOTS.map(({ path, url }) => ({
      path,
      below: 'site',
      publicUrl: () => url,
    })),
    siteUrl: values.CALENDAR_SITE_URL,
    basePath: basePath === '' ? '' : `/${basePath}`,
    publicBaseUrl,
    error: path.errors[0],
  };
}

/** Returns the URL of the first root of the calendar at the site; without one, of that below the base path. */
export function calendarRoot(address: CalendarAddress, siteLink: (path: string) => string): string {
  const { siteMounts, basePath, publicBaseUrl, namespace } = address;
  const [first] = siteMounts;
  if (first !== undefined) return first.publicUrl?.() || siteLink(`/${first.path}`);
  return `${publicBaseUrl || siteLink(basePath)}/${namespace}`;
}
