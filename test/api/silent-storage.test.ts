/**
 * Table and blob storages that answer nothing: packets vanish on their way, or the process stands still. What callers get within their
 * time, what health says, that all else goes on, and recovery without a restart.
 */

import { describe, expect, test } from 'vitest';
import { send } from '../support/app.ts';
import { png } from '../support/pictures.ts';
import { customDataPath, eventsPath, refused, useSilencedStack } from '../support/silenced-stack.ts';

const tested = useSilencedStack();
const { call, failing, statusOf, token } = tested;
const kinds = Object.keys(tested.silences) as (keyof typeof tested.silences)[];

describe('a table storage', () => {
  const event = { title: 'Silent', start_date: '2030-01-01 10:00:00', end_date: '2030-01-01 11:00:00' };

  test.each(kinds)('%s is unavailable: reads are answered from memory, writes refused', async (kind) => {
    await expect.poll(() => statusOf('POST', tested.app.base + eventsPath, event)).toBe(201);
    tested.silences[kind]('tables');
    expect(
      (await Promise.all([1, 2, 3].map(() => call('GET', tested.app.base + eventsPath)))).map(
        ({ status }) => status,
      ),
    ).toEqual([200, 200, 200]);
    expect(await failing()).toEqual({ calendar: 'tables-unreachable' });
    const { status, code, comesBack } = await call('POST', tested.app.base + eventsPath, event);
    expect([status, comesBack]).toEqual([503, true]);
    expect(['calendar-unavailable', 'calendar-outcome-unknown']).toContain(code);
    expect(await call('GET', tested.app.base + customDataPath)).toMatchObject({ status: 200 });
    tested.proxies.tables.silent = false;
    tested.stack.processes['tables']?.kill('SIGCONT');
    await expect.poll(() => statusOf('POST', tested.app.base + eventsPath, event)).toBe(201);
    await expect.poll(() => failing()).toEqual({});
  });

  test('that is silent from the start of an app makes its calendar unavailable, and nothing else', async () => {
    tested.proxies.tables.silent = true;
    const other = await tested.start({});
    await expect.poll(() => statusOf('GET', other.base + customDataPath)).toBe(200);
    expect(await failing(other)).toEqual({ calendar: 'tables-unreachable' });
    expect(await call('GET', other.base + eventsPath)).toEqual(refused('calendar-unavailable'));
    tested.proxies.tables.silent = false;
    await expect.poll(() => statusOf('GET', other.base + eventsPath)).toBe(200);
    await expect.poll(() => failing(other)).toEqual({});
  });
});

describe('a blob storage', () => {
  const media = () => `${new URL(tested.app.base).origin}/wp-json/wp/v2/media`;
  const headers = { 'Content-Type': 'image/png', 'Content-Disposition': 'attachment; filename="a.png"' };
  async function uploaded() {
    const { status, text } = await send('POST', media(), {
      token: token(),
      headers,
      body: new Uint8Array(png()),
    });
    expect(status).toBe(201);
    return JSON.parse(text) as { readonly id: number; readonly source_url: string };
  }

  test.each(kinds)('%s is unavailable, and nothing else', async (kind) => {
    const [shown, deleted] = [await uploaded(), await uploaded()];
    tested.silences[kind]('blobs');
    const reads = await Promise.all(Array.from({ length: 20 }, () => call('GET', shown.source_url)));
    expect(reads).toEqual(Array.from({ length: 20 }, () => refused('pictures-unavailable')));
    expect(await call('POST', media(), new Uint8Array(png()), headers)).toEqual(
      refused('pictures-unavailable'),
    );
    // Its record is gone, and its bytes are nobody's then.
    expect(await call('DELETE', `${media()}/${deleted.id}?force=true`)).toMatchObject({ status: 200 });
    expect(await failing()).toEqual({});
    expect(await call('GET', tested.app.base + eventsPath)).toMatchObject({ status: 200 });
    tested.proxies.blobs.silent = false;
    tested.stack.processes['blobs']?.kill('SIGCONT');
    await expect.poll(() => statusOf('GET', shown.source_url)).toBe(200);
    await uploaded();
  });
});
