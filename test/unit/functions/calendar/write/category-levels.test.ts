/** How deep categories may stand below each other. */

import { expect, test } from 'vitest';
import { calendarInMemory } from '../../../../support/calendar-in-memory.ts';

const refusal = {
  code: 'rest_invalid_param',
  message: expect.stringContaining('must not lead to more than 50 levels of categories'),
};

/** A calendar with nested categories, each below the one before; returns their ids. */
async function levels(count: number) {
  const calendar = calendarInMemory('2030-05-01 00:00:00');
  const ids = [0];
  for (let level = 1; level <= count; level++) {
    const below = level === 1 ? {} : { parent: ids.at(-1) };
    const { id } = await calendar.create('categories', { name: `Level ${level}`, ...below });
    ids.push(id);
  }
  return { calendar, ids };
}

const codeOf = (error: unknown) => {
  const { code, facts } = error as { code: string; facts: object };
  return { code, message: JSON.stringify(facts) };
};

test('there are 50 levels of categories, and no more', async () => {
  const { calendar, ids } = await levels(50);
  const more = calendar.create('categories', { name: 'Too deep', parent: ids[50] });
  expect(codeOf(await more.catch((error) => error))).toEqual(refusal);
  expect(await calendar.create('categories', { name: 'Beside', parent: ids[49] })).toMatchObject({
    parent: ids[49],
  });
});

test('a category is moved with all that stands below it', async () => {
  const { calendar, ids } = await levels(49);
  const { id } = await calendar.create('categories', { name: 'Moved' });
  await calendar.create('categories', { name: 'Below it', parent: id });
  const moved = calendar.update('categories', id, { parent: ids[49] });
  expect(codeOf(await moved.catch((error) => error))).toEqual(refusal);
  expect(await calendar.update('categories', id, { parent: ids[48] })).toMatchObject({ parent: ids[48] });
});
