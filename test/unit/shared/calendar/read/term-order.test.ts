/** The orders of categories and tags: each attribute sorts otherwise than every other one. */

import { beforeAll, describe, expect, test } from 'vitest';
import { calendarInMemory } from '../../../../support/calendar-in-memory.ts';

interface Term {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly count: number;
}

const size = 11;
const letter = (number: number) => String.fromCharCode(97 + (number % size));
/** Terms whose attributes are in different orders: 2, 3, 5 and 7 have no factor in common with 11. */
const fields = Array.from({ length: size }, (_, index) => ({
  name: `${letter(index * 3)} name`,
  slug: `slug-${letter(index * 5)}`,
  description: `${letter(index * 7)} text`,
  count: (index * 2) % 4,
}));

describe.each(['categories', 'tags'] as const)('/%s', (collection) => {
  const calendar = calendarInMemory('2030-05-01 00:00:00');
  let terms: Term[] = [];
  beforeAll(async () => {
    for (const { count: _, ...term } of fields) await calendar.create(collection, term);
    const found = (await calendar.list(collection, { hide_empty: false, per_page: 50 }))[
      collection
    ] as Term[];
    const ids = new Map(found.map(({ name, id }) => [name, id]));
    for (const used of [1, 2, 3]) {
      const wanted = fields.filter(({ count }) => count >= used).map(({ name }) => ids.get(name));
      const times = { start_date: '2030-06-01 10:00:00', end_date: '2030-06-01 12:00:00' };
      await calendar.create('events', { title: 'E', ...times, [collection]: wanted });
    }
    terms = (await calendar.list(collection, { hide_empty: false, per_page: 50 }))[collection];
  });

  const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  const include = () => terms.map(({ id }) => id).toSorted((a, b) => ((a * 4) % 13) - ((b * 4) % 13));
  const orders: Record<string, (a: Term, b: Term) => number> = {
    name: (a, b) => byText(a.name, b.name),
    slug: (a, b) => byText(a.slug, b.slug),
    id: (a, b) => a.id - b.id,
    count: (a, b) => a.count - b.count || byText(a.name, b.name),
    description: (a, b) => byText(a.description, b.description),
    include: (a, b) => include().indexOf(a.id) - include().indexOf(b.id),
    term_group: (a, b) => byText(a.name, b.name),
    other: (a, b) => byText(a.name, b.name),
    toString: (a: Term, b: Term) => byText(a.name, b.name),
  };

  test.each(Object.keys(orders).flatMap((by) => (['asc', 'desc'] as const).map((order) => [by, order])))(
    'are sorted by %s, %s',
    async (orderby = '', order = '') => {
      expect(terms.map(({ count }) => count).toSorted()).toEqual(fields.map(({ count }) => count).toSorted());
      for (const [attribute, direction] of [
        [orderby, order],
        [orderby === 'toString' ? orderby : orderby.toUpperCase(), order.toUpperCase()],
      ]) {
        const query = {
          hide_empty: false,
          per_page: 50,
          include: include(),
          orderby: attribute,
          order: direction,
        };
        const found = (await calendar.list(collection, query))[collection] as Term[];
        const sign = order === 'asc' ? 1 : -1;
        const compare = orders[orderby] as (a: Term, b: Term) => number;
        const expected = terms.toSorted((a, b) => sign * compare(a, b));
        expect(found.map(({ name }) => name)).toEqual(expected.map(({ name }) => name));
      }
    },
  );

  test('are sorted by name, from the first on, unless told', async () => {
    const found = (await calendar.list(collection, { hide_empty: false, per_page: 50 }))[
      collection
    ] as Term[];
    expect(found.map(({ name }) => name)).toEqual(fields.map(({ name }) => name).toSorted());
  });
});
