/**
 * Table and blob storages that answer nothing: packets vanish on their way, or the process stands still. What callers get within their
 * time, what health says, that all else goes on, and recovery without a restart.
 */

import { describe, type ExpectStatic, expect, test } from 'vitest';
import { send } from '../support/app.ts';
import { png } from '../support/pictures.ts';
import {
  type App,
  blockings,
  customDataPath,
  eventsPath,
  refused,
  useSilencedStack,
} from '../support/silenced-stack.ts';

const tested = useSilencedStack();
const { call, failing, statusOf, token } = tested;

interface Silence {
  begin(): unknown;
  end(): unknown;
}

const event = { title: 'Silent', start_date: '2030-01-01 10:00:00', end_date: '2030-01-01 11:00:00' };

/** While the tables are silent, reads are answered from memory and writes are refused. Tests that run at the same time have each an `expect`. */
async function goesOnWithoutTables(app: App, silence: Silence, expect: ExpectStatic): Promise<void> {
  const events = app.base + eventsPath;
  await expect.poll(() => statusOf('POST', events, event)).toBe(201);
  silence.begin();
  const reads = await Promise.all([1, 2, 3].map(() => call('GET', events)));
  expect(reads.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await failing(app)).toEqual({ calendar: 'tables-unreachable' });
  const { status, code, comesBack } = await call('POST', events, event);
  expect([status, comesBack]).toEqual([503, true]);
  expect(['calendar-unavailable', 'calendar-outcome-unknown']).toContain(code);
  expect(await call('GET', app.base + customDataPath)).toMatchObject({ status: 200 });
  silence.end();
  await expect.poll(() => statusOf('POST', events, event)).toBe(201);
  await expect.poll(() => failing(app)).toEqual({});
}

/** While the blobs are silent, pictures are unavailable, and nothing else. */
async function goesOnWithoutBlobs(app: App, silence: Silence, expect: ExpectStatic): Promise<void> {
  const media = `${new URL(app.base).origin}/wp-json/wp/v2/media`;
  const headers = { 'Content-Type': 'image/png', 'Content-Disposition': 'attachment; filename="a.png"' };
  const body = new Uint8Array(png());
  const uploaded = async () => {
    const { status, text } = await send('POST', media, { token: token(), headers, body });
    expect(status).toBe(201);
    return JSON.parse(text) as { readonly id: number; readonly source_url: string };
  };
  const [shown, deleted] = [await uploaded(), await uploaded()];
  silence.begin();
  const reads = await Promise.all(Array.from({ length: 20 }, () => call('GET', shown.source_url)));
  expect(reads).toEqual(Array.from({ length: 20 }, () => refused('pictures-unavailable')));
  expect(await call('POST', media, body, headers)).toEqual(refused('pictures-unavailable'));
  // Its record is gone, and its bytes are nobody's then.
  expect(await call('DELETE', `${media}/${deleted.id}?force=true`)).toMatchObject({ status: 200 });
  expect(await failing(app)).toEqual({});
  expect(await call('GET', app.base + eventsPath)).toMatchObject({ status: 200 });
  silence.end();
  await expect.poll(() => statusOf('GET', shown.source_url)).toBe(200);
  await uploaded();
}

const storages = [
  ['a table storage', 'tables', goesOnWithoutTables],
  ['a blob storage', 'blobs', goesOnWithoutBlobs],
] as const;

describe.each(storages)('%s', (_, name, goesOn) => {
  test('whose process stands still is unavailable, and nothing else', async () => {
    const silence = { begin: () => tested.stop(name), end: () => tested.resume(name) };
    await goesOn(tested.app, silence, expect);
  });

  // Each has an app of its own, and the storage goes on.
  describe.concurrent('behind a network', () => {
    test.for(Object.entries(blockings))(
      '%s is unavailable, and nothing else',
      async ([, block], { expect }) => {
        await using way = await tested.start();
        const proxy = way[name];
        const end = () => {
          proxy.silent = false;
        };
        await goesOn(way.app, { begin: () => block(proxy), end }, expect);
      },
    );
  });
});

test('a table storage that is silent from the start of an app makes its calendar unavailable, and nothing else', async () => {
  await using way = await tested.start({}, ['tables']);
  const { app, tables } = way;
  await expect.poll(() => statusOf('GET', app.base + customDataPath)).toBe(200);
  expect(await failing(app)).toEqual({ calendar: 'tables-unreachable' });
  expect(await call('GET', app.base + eventsPath)).toEqual(refused('calendar-unavailable'));
  tables.silent = false;
  await expect.poll(() => statusOf('GET', app.base + eventsPath)).toBe(200);
  await expect.poll(() => failing(app)).toEqual({});
});
