/** The calendar API as several processes of the app on one table. */

import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DevStack } from '../../local/dev-stack.ts';
import { useApp } from '../support/app.ts';

const app = useApp();
let others: Awaited<ReturnType<DevStack['startAnotherApp']>>[] = [];
let addresses: string[] = [];
beforeAll(async () => {
  others = await Promise.all([app.stack.startAnotherApp(), app.stack.startAnotherApp()]);
  addresses = [app.stack.calendar, ...others.map(({ calendar }) => calendar)];
});
afterAll(() => Promise.all(others.map((other) => other.stop())));

interface Post {
  readonly id: number;
  readonly slug: string;
  readonly title: string;
}

const dates = { start_date: '2031-05-01 10:00:00', end_date: '2031-05-01 12:00:00' };

async function send(
  url: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; post: Post }> {
  const response = await fetch(`${url}/${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${app.token('alice@example.org', ['Calendar.Editor'])}`,
      'Content-Type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, post: (await response.json()) as Post };
}

function createEvent(url: string, title: string) {
  return send(url, 'POST', 'events', { title, ...dates });
}

/** Repeats something for each process, all at once, one after the other within a process. */
async function inEveryProcess<T>(
  times: number,
  work: (url: string, index: number) => Promise<T>,
): Promise<T[]> {
  const results = addresses.map(async (url) => {
    const found: T[] = [];
    for (let index = 0; index < times; index++) found.push(await work(url, index));
    return found;
  });
  return (await Promise.all(results)).flat();
}

describe('three processes of the app', () => {
  test('that create events of one name at once give each an id and a slug of its own', async () => {
    const created = await inEveryProcess(5, (url) => createEvent(url, 'Same name'));
    expect(created.map(({ status }) => status)).toEqual(Array(15).fill(201));
    expect(new Set(created.map(({ post }) => post.id)).size).toBe(15);
    expect(new Set(created.map(({ post }) => post.slug)).size).toBe(15);
  });

  test('let one of several tags of one name win', async () => {
    const created = await inEveryProcess(1, (url) => send(url, 'POST', 'tags', { name: 'Only once' }));
    expect(created.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  });

  test('see at once what was written through another', async () => {
    const { post } = await createEvent(addresses[0] ?? '', 'Seen at once');
    for (let round = 0; round < 6; round++) {
      const writer = addresses[round % 3] ?? '';
      const title = `Seen at once ${round}`;
      await send(writer, 'PATCH', `events/${post.id}`, { title });
      const seen = await Promise.all(addresses.map((url) => send(url, 'GET', `events/${post.id}`)));
      expect(seen.map((reply) => reply.post.title)).toEqual([title, title, title]);
    }
  });

  test('keep all that was acknowledged when one of them is killed while it writes', async () => {
    const victim = await app.stack.startAnotherApp();
    const acknowledged: number[] = [];
    const writing = (async () => {
      for (;;) {
        const reply = await createEvent(victim.calendar, 'Before the kill').catch(() => undefined);
        if (reply === undefined) return;
        acknowledged.push(reply.post.id);
        if (acknowledged.length === 5) victim.process.kill('SIGKILL');
      }
    })();
    await Promise.all([writing, once(victim.process, 'exit')]);
    const seen = await Promise.all(acknowledged.map((id) => send(addresses[1] ?? '', 'GET', `events/${id}`)));
    expect(seen.map(({ status, post }) => [status, post.id])).toEqual(acknowledged.map((id) => [200, id]));
    expect((await createEvent(addresses[2] ?? '', 'After the kill')).status).toBe(201);
  });
});
