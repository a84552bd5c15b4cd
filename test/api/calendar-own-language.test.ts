/** A calendar whose default texts are in one of the languages of texts: what is written in that language is the default text. */

import { describe, expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';
import { collections, creationIn, nameOf } from '../support/calendar-bodies.ts';

const app = useCalendarApp({ CALENDAR_LANGUAGE: 'da' });
const create = creationIn(app);

const read = async (path: string) =>
  (await app.call('GET', `${path}?context=edit`, { as: 'editor' })).body.translations;

describe.each(collections)('a text of one of /%s', (collection) => {
  const name = nameOf[collection];
  const texts = { description: 'Om det', translations: { sv: { description: 'Om det på svenska' } } };

  test('is emptied in the language of the calendar, as without one', async () => {
    const ways: readonly [query: string, body: object][] = [
      ['', { description: '' }],
      ['?translation_language=da', { description: '' }],
      ['', { translations: { da: { description: '' } } }],
    ];
    for (const [query, body] of ways) {
      const path = await create(collection, texts);
      await app.change(`${path}?translation_language=da`, { description: 'Om det igen' });
      expect((await app.change(path + query, body)).status).toBe(200);
      expect([query, body, await read(path)]).toEqual([
        query,
        body,
        { default: { [name]: 'First' }, sv: { description: '<p>Om det på svenska</p>' } },
      ]);
    }
  });

  test('that must not be empty is refused there, too', async () => {
    const path = await create(collection, texts);
    for (const part of ['default', 'da'])
      expect((await app.change(path, { translations: { [part]: { [name]: '' } } })).status).toBe(400);
    expect((await read(path)).default[name]).toBe('First');
  });

  test('is emptied by a draft of the next version', async () => {
    const path = await create(collection, texts);
    const draft = { as: 'editor', body: { description: '' } } as const;
    await app.call('PATCH', `${path}/draft?translation_language=da`, draft);
    expect((await app.call('POST', `${path}/draft/publish`, { as: 'editor' })).status).toBe(200);
    expect((await read(path)).default).toEqual({ [name]: 'First' });
  });
});

test('of a category and a tag it is emptied as well', async () => {
  for (const kind of ['categories', 'tags']) {
    const { id } = await app.create(kind, { name: `Musik ${kind}`, description: 'Om det' });
    const path = `/${kind}/${id}`;
    await app.change(`${path}?translation_language=da`, { description: '' });
    expect((await read(path)).default).toEqual({ name: `Musik ${kind}` });
  }
});
