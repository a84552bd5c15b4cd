import { expect, test } from 'vitest';
import { readCalendarAddress } from '../../../../functions/calendar/wire/address.ts';
import { siteMount } from '../../../../functions/wordpress/site.ts';
import { readConfig } from '../../../../shared/config.ts';

test.each<[roots: string, path: string, mounts: [path: string, url: string | undefined][]]>([
  ['none', '', []],
  ['/events/v1', '', []],
  ['/wp-json/tribe/events/v1', '', [['wp-json', '']]],
  ['/wp-json/tribe/events/v1', 'wp/v2', [['wp-json/wp/v2', '']]],
  ['https://www.example.org/wp-json/tribe/events/v1', '', [['wp-json', 'https://www.example.org/wp-json']]],
  [
    'https://www.example.org/wp-json/tribe/events/v1',
    'wp/v2',
    [['wp-json/wp/v2', 'https://www.example.org/wp-json/wp/v2']],
  ],
])('beside the roots %j the API at %j has these: %j', (roots, path, mounts) => {
  const found = siteMount(readCalendarAddress(readConfig({ CALENDAR_SITE_ROOTS: roots })), path);
  expect(found.map((mount) => [mount.path, mount.publicUrl?.()])).toEqual(mounts);
  expect(found.every(({ below }) => below === 'site')).toBe(true);
});
