/** Eight instances on one calendar that write snapshots, of which one after the other is killed: nothing is lost, and nothing seen twice. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { TableClient } from '@azure/data-tables';
import { beforeAll, expect, test } from 'vitest';
import { type CalendarReply, useCalendarApp } from '../support/calendar-app.ts';
import { fc } from '../support/properties.ts';
import { localTables, settingsOfOwnTable } from '../support/shared-emulators.ts';

const { CALENDAR_TABLE_NAME } = settingsOfOwnTable();
const settings = { CALENDAR_TABLE_NAME, CALENDAR_SNAPSHOT_AFTER: '20', CALENDAR_READ_STALENESS_MS: '100' };
const app = useCalendarApp(settings);
const start = () => app.another(settings);
type Instance = Awaited<ReturnType<typeof start>>;

let killable: Instance[] = [];
beforeAll(async () => {
  killable = await Promise.all(Array.from({ length: 7 }, start));
});

const dates = { start_date: '2031-05-01 10:00:00', end_date: '2031-05-01 12:00:00' };
const addresses = () => [app.root, ...killable.map(({ calendar }) => calendar)];

/** Sends to one instance after the other, from a first one on, until one answers that is neither gone nor too busy. */
async function sendOn(
  first: number,
  method: string,
  path: string,
  options: Parameters<typeof app.call>[2] = {},
): Promise<CalendarReply> {
  for (let index = first; ; index += 1) {
    const at = addresses()[index % 8] ?? app.root;
    const reply = await app.call(method, path, { ...options, at }).catch((error: unknown) => {
      if (error instanceof TypeError && error.message === 'fetch failed') return undefined;
      throw error;
    });
    if (reply !== undefined && reply.status !== 503) return reply;
  }
}

/** Creates events through one instance after the other. A creation whose answer is lost is sent again with its key. */
async function write(count: number, first: number, created: Map<string, number>): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const title = `Event ${randomUUID()}`;
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = { title, ...dates };
    const reply = await sendOn(first + index, 'POST', '/events', { as: 'editor', body, headers });
    expect(reply.status).toBe(201);
    created.set(title, reply.body.id);
  }
}

/** Follows the change feed through any instance, as a program without a role that keeps a copy. */
function follower() {
  const copy = new Map<number, string>();
  let next = '/changes?per_page=1000';
  let lastVersion = 0;
  let turn = 0;
  return {
    copy,
    /** Reads what is new, to the end. */
    async look() {
      for (;;) {
        turn += 1;
        const { status, body } = await sendOn(turn, 'GET', next);
        expect(status).toBe(200);
        for (const change of body.changes.filter(({ kind }: { kind: string }) => kind === 'event')) {
          expect(change.version, 'no change is named twice').toBeGreaterThan(lastVersion);
          lastVersion = change.version;
          const read = await sendOn(turn + change.id, 'GET', `/events/${change.id}`);
          expect([read.status, copy.has(change.id)]).toEqual([200, false]);
          copy.set(change.id, read.body.title);
        }
        next = `/changes?per_page=1000&since=${body.version}&history=${body.history}`;
        if (body.version === body.latest) return;
      }
    },
  };
}

const rounds = fc.array(fc.record({ victim: fc.nat(6), writes: fc.integer({ min: 2, max: 8 }) }), {
  minLength: 4,
  maxLength: 4,
});

test('each creation is there once, in lists, the change feed, and any instance that starts', async () => {
  const created = new Map<string, number>();
  const { copy, look } = follower();
  await fc.assert(
    fc.asyncProperty(rounds, async (list) => {
      for (const { victim, writes } of list) {
        const writing = Array.from({ length: 8 }, (_, first) => write(writes, first, created));
        const target = killable[victim];
        const before = created.size;
        const killing = (async () => {
          await expect.poll(() => created.size, { interval: 5 }).toBeGreaterThan(before + writes);
          target?.process.kill('SIGKILL');
          if (target?.process.exitCode === null && target.process.signalCode === null)
            await once(target.process, 'exit');
          killable[victim] = await start();
        })();
        await Promise.all([...writing, killing, look()]);
      }
      const expected = [...created].map(([title, id]) => [id, title]).sort();
      // A change is named once every instance shows it: a reader without a role may see a state that is a moment old.
      const copied = async () => {
        await look();
        return [...copy].sort();
      };
      await expect.poll(copied).toEqual(expected);
      for (const at of addresses()) {
        const found: [number, string][] = [];
        for (let page = 1; found.length < created.size; page += 1) {
          const path = `/events?per_page=50&page=${page}&start_date=2031-01-01&end_date=2032-01-01`;
          const { status, body } = await app.call('GET', path, { at, as: 'editor' });
          expect([status, body.total]).toEqual([200, created.size]);
          found.push(...body.events.map(({ id, title }: { id: number; title: string }) => [id, title]));
        }
        expect(found.sort()).toEqual(expected);
      }
    }),
    // Each run goes on with the calendar of the one before.
    { numRuns: 1, endOnFailure: true },
  );
  const client = TableClient.fromConnectionString(localTables(), CALENDAR_TABLE_NAME, {
    allowInsecureConnection: true,
  });
  // Instances that started meanwhile had snapshots to start from.
  expect(await client.getEntity('default', 'head')).toMatchObject({ snapshot: expect.any(String) });
});
