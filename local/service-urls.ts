/** The URLs of the app, by its settings. */

import type { Settings } from './emulators.ts';

/** The URLs at which an app answers. */
export interface ServiceUrls {
  /** URL of the base path: `http://localhost:7071/api`. */
  readonly base: string;
  /** URL of the calendar API: `http://localhost:7071/api/tribe/events/v1`. */
  readonly calendar: string;
}

/** Returns the URLs of the app whose host is at a URL. */
export function urlsOf(host: string, settings: Settings): ServiceUrls {
  return { base: host + basePathOf(settings), calendar: host + calendarPathOf(settings) };
}

/** Returns the base path of the service, such as `/api`; empty for none. */
export function basePathOf(settings: Settings): string {
  return withSlash(settings['SERVICE_API_BASE_URL'] ?? '/api');
}

function calendarPathOf(settings: Settings): string {
  return basePathOf(settings) + withSlash(settings['CALENDAR_BASE_PATH'] || 'tribe/events/v1');
}

function withSlash(path: string): string {
  const bare = path.replace(/^\/+|\/+$/g, '');
  return bare === '' ? '' : `/${bare}`;
}
