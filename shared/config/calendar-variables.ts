/** The environment variables of the calendar. */

import {
  connectionString,
  flag,
  partitionKey,
  path,
  siteRoots,
  tableName,
  timeZone,
  url,
  wholeNumber,
} from './parsers.ts';
import { setting } from './variable.ts';

/** Every variable of the calendar, by name. */
export const calendarVariables = {
  CALENDAR_TABLE_CONNECTION_STRING: setting(
    connectionString,
    'Connection string of the table storage (local runs); without it CALENDAR_TABLE_ENDPOINT is used.',
    { fallback: '' },
  ),
  CALENDAR_TABLE_ENDPOINT: setting(url, 'URL of the table service, reached with the managed identity.', {
    fallback: '',
  }),
  CALENDAR_TABLE_NAME: setting(tableName, 'Name of the table.', { fallback: 'calendar' }),
  CALENDAR_NAME: setting(partitionKey, 'Name of the calendar: its partition in the table.', {
    fallback: 'default',
  }),
  CALENDAR_BASE_PATH: setting(path, 'Path of the calendar API below the base path.', {
    fallback: 'tribe/events/v1',
  }),
  CALENDAR_SITE_ROOTS: setting(
    siteRoots,
    'Paths at the root of the site under which the calendar answers as well, for clients that know only the address of the site; or their public URLs. Separated by commas; none turns them off.',
    { fallback: [{ path: 'wp-json/tribe/events/v1', url: '' }] },
  ),
  CALENDAR_BASIC: setting(
    flag,
    'Whether the calendar takes the client id and a secret of an app registration as name and password (Basic), for clients that know only passwords.',
    { fallback: false },
  ),
  CALENDAR_SITE_URL: setting(
    url,
    'URL of the site that owns the calendar; pages and global ids are named after it. Without it they are the pages of this service.',
    { fallback: '' },
  ),
  CALENDAR_TIME_ZONE: setting(timeZone, 'IANA time zone of the calendar.', { fallback: 'UTC' }),
  CALENDAR_STALE_IF_ERROR: setting(
    wholeNumber,
    'Seconds for which reads are answered from memory while the table storage is unreachable.',
    { fallback: 300 },
  ),
} as const;
