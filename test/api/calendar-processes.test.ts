/** The calendar API in several processes of the app on one table, and what one of them sees of another's writes. */

import { once } from 'node:events';
import { beforeAll, describe, expect, test } from 'vitest';
import { names, outcome, useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp();
let addresses: string[] = [];
beforeAll(async () => {
  const otherApps = await Promise.all([app.another(), app.another()]);
  addresses = [app.root, ...otherApps.map(({ calendar }) => calendar)];
});

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
    headers: { Authorization: `Bearer ${app.token('editor')}`, 'Content-Type': 'application/json' },
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
    const victim = await app.another();
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

describe('another process', () => {
  let other = '';
  beforeAll(() => {
    other = addresses[1] ?? '';
  });

  test.each([
    ['events', 'event', { title: 'Slug holder', ...dates }],
    ['venues', 'venue', { venue: 'Slug holder' }],
    ['organizers', 'organizer', { organizer: 'Slug holder' }],
  ] as const)(
    'that is behind finds one of %s by the slug that it took over',
    async (collection, _kind, fields) => {
      const first = await app.create(collection, fields);
      const bySlug = async () => {
        const { body } = await app.call('GET', `/${collection}/by-slug/slug-holder`, { at: other });
        return body.id;
      };
      expect(await bySlug()).toBe(first.id);
      await app.call('DELETE', `/${collection}/${first.id}`, { as: 'editor' });
      const second = await app.create(collection, fields);
      await app.change(`/${collection}/${first.id}`, { description: 'in the trash' });
      expect([second.slug, await bySlug()]).toEqual(['slug-holder', second.id]);
      const third = await app.create(collection, fields);
      expect(third.slug).toBe('slug-holder-2');
    },
  );

  test('opens an event for the right password after any number of wrong ones', async () => {
    const { id } = await app.create('events', { title: 'Guessed', ...dates, access_password: 'sesame' });
    const tried = async (password: string) =>
      outcome(await app.call('GET', `/events/${id}?password=${password}`, { at: other }));
    const refusals = [];
    for (let count = 0; count < 35; count++) refusals.push(await tried(`guess-${count}`));
    expect(refusals).toEqual(Array(35).fill([403, 'event-password-protected']));
    expect(await tried('sesame')).toEqual([200, undefined]);
  });

  test('opens an event for its present password only', async () => {
    const { id } = await app.create('events', { title: 'Changed', ...dates, access_password: 'old' });
    const isUnlocked = async (password: string, at: string) =>
      (await app.call('GET', `/events/${id}?password=${password}`, { at })).status === 200;
    expect([await isUnlocked('old', app.root), await isUnlocked('old', other)]).toEqual([true, true]);
    await app.change(`/events/${id}`, { access_password: 'new' });
    for (const at of [app.root, other])
      expect([await isUnlocked('old', at), await isUnlocked('new', at)]).toEqual([false, true]);
  });

  test('lists what it listed before with what was written since', async () => {
    const listed = async () => names(await app.call('GET', '/organizers?search=everywhere', { at: other }));
    expect(await listed()).toEqual([]);
    const { id } = await app.create('organizers', { organizer: 'Everywhere' });
    expect(await listed()).toEqual(['Everywhere']);
    await app.call('DELETE', `/organizers/${id}`, { as: 'editor' });
    expect(await listed()).toEqual([]);
  });
});
