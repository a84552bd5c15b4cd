/** The messages of `npm start` about an app that is not ready, and the sample calendar. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endedWhole, useStarts } from '../../../support/npm-start.ts';

const runs = useStarts();

/** The settings of the calendar, without the server of the databases. */
const sampleCalendar = { SAMPLE_DATA: 'on', DB_SERVER: 'localhost,1' };

test('it fills the calendar again after an interruption, at the root of the address too', async () => {
  const environment = { ...sampleCalendar, SERVICE_API_BASE_URL: '/', CALENDAR_BASE_PATH: '/' };
  const first = await runs.start({ environment, until: 'Loading the sample calendar' });
  await expect
    .poll(() => existsSync(join(runs.folder, 'tables', 'filling')) || first.output().includes('stops it'))
    .toBe(true);
  await endedWhole(first.child, 'SIGINT');
  const { output } = await runs.start({ environment });
  // The requests that load samples are not logged; the one below is.
  const said = output();
  const list = new URL(/curl "(\S+per_page=3)"/.exec(said)?.[1] ?? said);
  expect(list.pathname).toBe('/events');
  const events = await fetch(new URL('?start_date=2000-01-01&per_page=1', list));
  expect(await events.json()).toMatchObject({ total: expect.toSatisfy((total: number) => total > 50) });
  expect(said).not.toMatch(/^(GET|POST|PATCH) (venue|event|\S+events)/m);
});
