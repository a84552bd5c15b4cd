/** The caches of a process between requests: no answer may be stale, another caller's, or missing. */

import { describe, expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';
import { getFromHost } from '../support/get-from-host.ts';

const app = useCalendarApp();
const times = { start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 12:00:00' };

describe('the addresses in replies', () => {
  const getUnder = (host: string, path: string) => getFromHost(host, app.root + path);

  test('name the host of each request, whoever asked before', async () => {
    const up = await app.create('categories', { name: 'Up' });
    const below = await app.create('categories', { name: 'Below', parent: up.id });
    const tag = await app.create('tags', { name: 'Tag' });
    const fields = { ...times, categories: [below.id], tags: [tag.id] };
    const { id } = await app.create('events', { title: 'Hosted', ...fields });
    await app.create('events', { title: 'Hosted too', ...fields });
    const { host, pathname } = new URL(app.root);
    const ofLinks = new RegExp(`http://[^/"]+(?=${pathname})`, 'g');
    const hosts = ['odd.example.org', host, 'other.example.org:8080', host];
    const paths = [
      '',
      `/events/${id}`,
      '/events?per_page=1',
      '/events?per_page=1&page=2',
      '/venues',
      '/organizers',
      `/categories/${below.id}`,
      '/categories?per_page=1',
      `/tags/${tag.id}`,
      '/tags',
      '/doc',
    ];
    for (const path of paths) {
      const found = [];
      for (const host of hosts) {
        const addresses = (await getUnder(host, path)).match(ofLinks) ?? [];
        found.push([...new Set(addresses)]);
      }
      expect([path, found]).toEqual([path, hosts.map((host) => [`http://${host}`])]);
    }
  });

  test('name the host also after more hosts than are cached', async () => {
    const { id } = await app.create('events', { title: 'Many hosts', ...times });
    for (let round = 0; round < 2; round += 1)
      for (let number = 0; number < 15; number += 1) {
        const { rest_url } = JSON.parse(await getUnder(`h${number}.example.org`, `/events/${id}`));
        expect(new URL(rest_url).host).toBe(`h${number}.example.org`);
      }
  });
});

describe('an event that was read before', () => {
  const readings = [
    ['alone', (id: number) => `/events/${id}`],
    ['in a list', (id: number) => `/events?include=${id}`],
  ] as const;
  const of = async (path: string, query = '') => {
    const { body } = await app.call('GET', path + query);
    return body.events?.[0] ?? body;
  };

  test.each(readings)(
    'and is read again %s has the present number of events of its terms',
    async (how, pathOf) => {
      const category = await app.create('categories', { name: `Counted ${how}` });
      const tag = await app.create('tags', { name: `Counted ${how}` });
      const links = { categories: [category.id], tags: [tag.id] };
      const { id } = await app.create('events', { title: 'First', ...times, ...links });
      const counts = async () => {
        const { categories, tags } = await of(pathOf(id));
        return [categories[0].count, tags[0].count];
      };
      expect(await counts()).toEqual([1, 1]);
      const second = await app.create('events', { title: 'Second', ...times, ...links });
      expect(await counts()).toEqual([2, 2]);
      const write = (body: object) => app.change(`/events/${second.id}`, body);
      const seen = [];
      for (const body of [
        { status: 'draft' },
        { status: 'publish' },
        { tags: [] },
        { tags: [tag.id] },
        { status: 'trash' },
      ]) {
        await write(body);
        seen.push(await counts());
      }
      expect(seen).toEqual([
        [1, 1],
        [2, 2],
        [2, 1],
        [2, 2],
        [1, 1],
      ]);
    },
  );

  test.each(readings)(
    'and is read again %s has the present terms, venue, organizers and image',
    async (how, pathOf) => {
      const up = await app.create('categories', { name: `Above ${how}` });
      const category = await app.create('categories', { name: `Old ${how}` });
      const tag = await app.create('tags', { name: `Old ${how}` });
      const venue = await app.create('venues', { venue: 'Old' });
      const organizer = await app.create('organizers', { organizer: 'Old' });
      const links = { categories: [category.id], tags: [tag.id], venue: venue.id, organizer: organizer.id };
      const { id } = await app.create('events', { title: 'Linked', ...times, ...links });
      const seen = async (query = '') => {
        const event = await of(pathOf(id), query);
        const [item] = event.categories;
        return [item.name, item.urls.up, event.tags[0].name, event.venue.venue, event.organizer[0].organizer];
      };
      const old = [`Old ${how}`, undefined, `Old ${how}`, 'Old', 'Old'];
      expect(await seen()).toEqual(old);
      expect(await seen(how === 'alone' ? '?translation_language=da' : '&translation_language=da')).toEqual(
        old,
      );
      const write = (path: string, body: object) => app.change(path, body);
      await write(`/categories/${category.id}`, { name: 'New', parent: up.id });
      await write(`/tags/${tag.id}`, { name: 'New' });
      await write(`/venues/${venue.id}`, { venue: 'New' });
      await write(`/organizers/${organizer.id}`, { organizer: 'New' });
      const now = ['New', `${app.root}/categories/${up.id}`, 'New', 'New', 'New'];
      expect(await seen()).toEqual(now);
      await app.call('DELETE', `/categories/${up.id}`, { as: 'editor' });
      expect((await seen())[1]).toBeUndefined();
    },
  );

  test('is found by its present words, in each language', async () => {
    const { id } = await app.create('events', { title: 'Formerly', ...times });
    const found = async (search: string) =>
      (await app.call('GET', `/events?include=${id}&search=${search}`)).body.total;
    expect([await found('formerly'), await found('formerly&translation_language=da')]).toEqual([1, 1]);
    await app.change(`/events/${id}`, { title: 'Nowadays' });
    await app.change(`/events/${id}?translation_language=da`, { title: 'Nutidig' });
    expect([await found('formerly'), await found('nowadays'), await found('nutidig')]).toEqual([0, 1, 0]);
    expect(await found('nutidig&translation_language=da')).toBe(1);
  });
});

describe('a page that was read before', () => {
  test.each([
    ['events', 'title'],
    ['venues', 'venue'],
    ['categories', 'name'],
  ])('has another tag for another text of the same length: /%s', async (collection, name) => {
    const { id } = await app.create(collection, { [name]: 'Text A', ...times });
    const etag = async () =>
      (await app.call('GET', `/${collection}?search=text&hide_empty=0`)).headers.get('etag');
    const before = await etag();
    await app.change(`/${collection}/${id}`, { [name]: 'Text B' });
    expect(await etag()).not.toBe(before);
  });

  test('has another tag when only the total changes', async () => {
    const create = (hour: number) =>
      app.create('events', { title: 'Counted', ...times, start_date: `2027-06-01 0${hour}:00:00` });
    for (const hour of [1, 2, 3]) await create(hour);
    const read = async () => {
      const { headers, body } = await app.call('GET', '/events?search=counted&per_page=2');
      return { etag: headers.get('etag'), total: body.total, rest: { ...body, total: undefined } };
    };
    const before = await read();
    await create(4);
    const after = await read();
    expect([before.total, after.total, after.rest]).toEqual([3, 4, before.rest]);
    expect(after.etag).not.toBe(before.etag);
  });
});
