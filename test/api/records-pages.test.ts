/** Pages of lists and of custom data of many while others change the objects: none that nobody touches is missing, or twice. */

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { numRuns } from '../support/properties.ts';
import { recordsAs } from '../support/records.ts';

const app = useApp();
const alice = recordsAs(app, 'alice@example.org');
const cases = '/v8.0/journalized-cases';

interface Item {
  readonly id: string;
}

/** Reads one page, and returns the address of the next below the base path. */
async function page(path: string) {
  const { status, json, headers, text } = await alice('GET', path);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  const next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return { ids: (json as Item[]).map(({ id }) => id), next: next?.slice(app.base.length) };
}

const sortable = ['title', 'number', 'createdAt', 'updatedAt', 'bkStr01', 'bkInt01', 'bkFloat01', 'bkDate01'];
const texts = ['a', 'A', 'a ', 'å', 'aa', 'a-b', 'ab', '', '\u{1F600}', "'", null];
const fields = fc.record({
  title: fc.constantFrom('x', 'X', 'y', 'Æble'),
  bkStr01: fc.constantFrom(...texts),
  bkInt01: fc.constantFrom(null, -2_147_483_648, 0, 7),
  bkFloat01: fc.constantFrom(null, -0.1, 0, 1e-300, 0.1 + 0.2),
  bkDate01: fc.constantFrom(null, '0001-01-01', '2026-11-21', '9999-12-31'),
});
const sort = fc
  .uniqueArray(fc.constantFrom(...sortable), { maxLength: 3 })
  .chain((names) => fc.tuple(...names.map((name) => fc.constantFrom(name, `-${name}`))));
/** What somebody does between two pages, to one of the objects or to a new one. */
const change = fc.record({
  target: fc.nat(5),
  kind: fc.constantFrom('leave', 'change', 'create'),
  fields,
});

describe.each(['lists', 'custom data of many'])('%s', (what) => {
  test('have each object that nobody touches once, in every order', { timeout: 120_000 }, async () => {
    const { id: diary } = (await alice('POST', '/v8.0/diaries', { body: { title: 'P', year: 2031 } }))
      .json as Item;
    const list = `/v8.0/diaries/${diary}/journalized-cases`;
    const scenario = fc.record({
      objects: fc.array(fields, { minLength: 6, maxLength: 6 }),
      sort,
      limit: fc.integer({ min: 1, max: 3 }),
      changes: fc.array(fc.array(change, { maxLength: 2 }), { maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ objects, sort: order, limit, changes }) => {
        const mark = randomUUID();
        const create = async (body: object) =>
          ((await alice('POST', list, { body: { ...body, bkStr30: mark } })).json as Item).id;
        const ids = await Promise.all(objects.map(create));
        const query = `bkStr30=${mark}${order.length === 0 ? '' : `&sort=${order.join(',')}`}`;
        if (what !== 'lists')
          for (const id of ids) await alice('PUT', `${cases}/${id}/custom-data/of-pages`, { body: '1' });
        const path = what === 'lists' ? `${cases}?${query}` : `${cases}/custom-data/of-pages?${query}`;
        const whole = (await page(path)).ids;
        const touched = new Set<string>();
        const seen: string[] = [];
        let next: string | undefined = `${path}&limit=${limit}`;
        for (let number = 0; next !== undefined; number++) {
          const read = await page(next);
          seen.push(...read.ids);
          next = read.next;
          for (const { target, kind, fields: body } of changes[number] ?? []) {
            const id = ids[target] ?? '';
            if (kind === 'create') await create(body);
            else {
              touched.add(id);
              await alice('PATCH', `${cases}/${id}`, { body: kind === 'leave' ? { bkStr30: null } : body });
            }
          }
        }
        const isUntouched = (id: string) => ids.includes(id) && !touched.has(id);
        expect(seen.filter(isUntouched)).toEqual(whole.filter(isUntouched));
      }),
      numRuns(10),
    );
  });
});

test('a key is of its order, and no page has two beginnings', async () => {
  const { id: diary } = (await alice('POST', '/v8.0/diaries', { body: { title: 'K', year: 2031 } }))
    .json as Item;
  const list = `/v8.0/diaries/${diary}/journalized-cases`;
  for (let count = 0; count < 2; count++) await alice('POST', list, { body: { title: 'x' } });
  const { next = '' } = await page(`${list}?sort=title&limit=1`);
  const key = new URLSearchParams(next.split('?')[1]).get('after') ?? '';
  const written = (values: unknown) => Buffer.from(JSON.stringify(values)).toString('base64url');
  for (const after of [
    'x',
    '%00',
    written(null),
    written({}),
    written(['title']),
    written(['title', 1, 1]),
    written(['title', 'x', '1']),
    written(['title', 'x', 1e300]),
  ])
    expect(await alice('GET', `${list}?sort=title&after=${after}`)).toMatchObject({
      status: 400,
      json: { code: 'invalid-parameters', errors: [{ pointer: 'query:after' }] },
    });
  for (const [order, value] of [
    ['bkDate01', '2026-02-31'],
    ['updatedAt', '2026-01-01T99:00:00'],
    ['bkInt01', 2_147_483_648],
    ['bkFloat01', 'x'],
  ])
    expect((await alice('GET', `${list}?sort=${order}&after=${written([order, value, 1])}`)).status).toBe(
      400,
    );
  expect((await alice('GET', `${list}?sort=-title&after=${key}`)).status).toBe(400);
  expect(await alice('GET', `${list}?sort=title&after=${key}&offset=1`)).toMatchObject({
    status: 400,
    json: { errors: [{ pointer: 'query:offset' }] },
  });
});
