/** Texts of all languages side by side: what is missing, what is older than its original, and what somebody has said is right still. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';
import { bodies, collections, creationIn, nameOf } from '../support/calendar-bodies.ts';

const app = useCalendarApp();
const create = creationIn(app);

const read = async (path: string) =>
  (await app.call('GET', `${path}${path.includes('?') ? '&' : '?'}context=edit`, { as: 'editor' })).body;
const states = async (path: string) => (await read(path)).translation_states;

describe.each(collections)('texts of one of /%s', (collection) => {
  const name = nameOf[collection];

  test('are written at once, and a language that lacks some is told', async () => {
    const path = await create(collection, {
      description: 'About it',
      translations: { da: { [name]: 'Første' }, sv: { [name]: 'Första', description: 'Om det' } },
    });
    expect(await read(path)).toMatchObject({
      translations: {
        default: { [name]: 'First', description: '<p>About it</p>' },
        da: { [name]: 'Første' },
        sv: { [name]: 'Första', description: '<p>Om det</p>' },
      },
      translation_states: {
        da: { [name]: 'current', description: 'missing' },
        sv: { [name]: 'current', description: 'current' },
      },
    });
    const inDanish = await app.call('GET', `${path}?translation_language=da`);
    expect(inDanish.body).toMatchObject({ [name]: 'Første', description: '<p>About it</p>' });
    expect(inDanish.body).not.toHaveProperty('translations');
    const byReader = await app.call('GET', `${path}?context=edit`);
    expect(byReader.body).not.toHaveProperty('translation_states');
  });

  test('are older than an original that changes, until they are written or said to be right', async () => {
    const path = await create(collection, { translations: { da: { [name]: 'Første' } } });
    await app.change(path, { [name]: 'Second' });
    expect(await states(path)).toMatchObject({ da: { [name]: 'older' }, sv: { [name]: 'missing' } });
    // What does not touch texts says nothing of them.
    await app.change(`${path}?translation_language=da`, { [name]: 'Første', status: 'draft' });
    expect(await states(path)).toMatchObject({ da: { [name]: 'older' } });
    await app.change(path, { confirmed_translations: [`da.${name}`] });
    expect(await states(path)).toMatchObject({ da: { [name]: 'current' } });
    const { body } = await app.call('GET', `${path}/history`, { as: 'editor' });
    expect(body.versions[0].changes).toEqual([
      { field: 'confirmed_translations', language: 'da', before: null, after: [name] },
    ]);
    await app.change(path, { [name]: 'Third' });
    await app.change(`${path}?translation_language=da`, { [name]: 'Tredje' });
    expect(await states(path)).toMatchObject({ da: { [name]: 'current' } });
    // The original as it was when it was translated.
    await app.change(path, { [name]: 'Fourth' });
    await app.change(path, { [name]: 'Third' });
    expect(await states(path)).toMatchObject({ da: { [name]: 'current' } });
    await app.change(path, { translations: { da: { [name]: '' } } });
    expect(await states(path)).toMatchObject({ da: { [name]: 'missing' } });
  });

  test('are found by what they need, by those who may edit alone', async () => {
    const unique = `q${Math.random().toString(36).slice(2)}`;
    const whole = { translations: { da: { [name]: unique }, sv: { [name]: unique } } };
    const complete = await create(collection, { [name]: unique, ...whole });
    const lacking = await create(collection, { [name]: unique, translations: { sv: { [name]: unique } } });
    const older = await create(collection, { [name]: `${unique} one`, ...whole });
    await app.change(older, { [name]: `${unique} two` });
    const found = async (needs: string) => {
      const { body } = await app.call(
        'GET',
        `/${collection}?search=${unique}&start_date=2030-01-01&end_date=2032-01-01&needs_translation=${needs}`,
        { as: 'editor' },
      );
      return body[collection].map(({ id }: { id: number }) => `/${collection}/${id}`).sort();
    };
    expect(await found('da')).toEqual([lacking, older].sort());
    expect(await found('da.missing')).toEqual([lacking]);
    expect(await found('da.older,sv.missing')).toEqual([older]);
    expect(await found('sv')).toEqual([older]);
    await app.change(complete, { [name]: `${unique} three`, confirmed_translations: 'sv' });
    expect(await found('sv.older')).toEqual([older]);
    expect((await app.call('GET', `/${collection}?needs_translation=da`)).status).toBe(400);
    expect((await app.call('GET', `/${collection}?needs_translation=de`, { as: 'editor' })).status).toBe(400);
  });
});

test.each([
  [{ translations: { de: { title: 'Erste' } } }, 'must have default, da, sv alone'],
  [{ translations: { da: { titel: 'Første' } } }, 'must not have titel'],
  [{ translations: { da: { title: 5 } } }, 'has title in da, which must be a text'],
  [{ translations: { da: { title: 'x'.repeat(100_001) } } }, 'must not be longer than 100000 characters'],
  [{ translations: 'Første' }, 'must be an object of texts by language'],
  [{ confirmed_translations: ['da.slug'] }, 'must be of da, sv'],
  [{ confirmed_translations: ['da.title.more'] }, 'must be of da, sv'],
])('what is no text in a language is refused: %#', async (body, message) => {
  const path = await create('events');
  const reply = await app.change(path, body);
  expect(reply.status).toBe(400);
  expect(JSON.stringify(reply.body)).toContain(message);
});

test('two long texts are taken, and a form may send them', async () => {
  const path = await create('events');
  const long = 'x'.repeat(60_000);
  const reply = await app.change(path, {
    translations: { da: { description: long }, sv: { description: long } },
  });
  expect(reply.status).toBe(200);
  await app.change(path, 'translations[da][title]=F%C3%B8rste');
  expect((await read(path)).translations.da.title).toBe('Første');
});

test('categories and tags have them, too', async () => {
  for (const kind of ['categories', 'tags']) {
    const name = `Music of ${kind}`;
    const { id } = await app.create(kind, { name, translations: { da: { name: `Musik ${kind}` } } });
    const path = `/${kind}/${id}`;
    expect(await states(path)).toEqual({ da: { name: 'current' }, sv: { name: 'missing' } });
    await app.change(path, { name: `${name} now` });
    expect(await states(path)).toMatchObject({ da: { name: 'older' } });
    const list = await app.call('GET', `/${kind}?needs_translation=da.older&hide_empty=false`, {
      as: 'editor',
    });
    expect(list.body[kind].map((term: { id: number }) => term.id)).toEqual([id]);
    await app.change(path, { confirmed_translations: ['da'] });
    expect(await states(path)).toMatchObject({ da: { name: 'current' } });
  }
});

test('a version that is put back has the texts and originals that it had', async () => {
  const path = await create('events', { translations: { da: { title: 'Første' } } });
  await app.change(path, { title: 'Second' });
  const { body } = await app.call('GET', `${path}/history`, { as: 'editor' });
  const [second, first] = body.versions;
  await app.call('POST', `${path}/history/${first.version}/restore`, { as: 'editor' });
  expect(await states(path)).toMatchObject({ da: { title: 'current' } });
  await app.call('POST', `${path}/history/${second.version}/restore`, { as: 'editor' });
  expect(await states(path)).toMatchObject({ da: { title: 'older' } });
});

test('a copy has the texts of all languages, as old as they are, also where it is made in another one', async () => {
  const path = await create('events', {
    translations: { da: { title: 'Første' }, sv: { title: 'Första' } },
  });
  await app.change(path, { title: 'Second', confirmed_translations: ['sv'] });
  const id = Number(path.split('/').at(-1));
  const { start_date, end_date } = bodies.events;
  const copy = async (language: string, fields: object) => {
    const { body } = await app.call('POST', `/events${language}`, {
      as: 'editor',
      body: { start_date, end_date, copy_of: id, ...fields },
    });
    return read(`/events/${body.id}`);
  };
  expect(await copy('', { title: 'Second' })).toMatchObject({
    translations: { default: { title: 'Second' }, da: { title: 'Første' } },
    translation_states: { da: { title: 'older' }, sv: { title: 'current' } },
  });
  expect(await copy('', { title: 'Third' })).toMatchObject({
    translation_states: { da: { title: 'older' }, sv: { title: 'older' } },
  });
  expect(await copy('?translation_language=da', { title: 'Anden' })).toMatchObject({
    translations: { default: { title: 'Second' }, da: { title: 'Anden' }, sv: { title: 'Första' } },
    translation_states: { da: { title: 'current' }, sv: { title: 'current' } },
  });
});

describe('in a draft of the next version', () => {
  const save = (path: string, body: object) => app.call('PATCH', `${path}/draft`, { as: 'editor', body });
  const publish = (path: string, query = '') =>
    app.call('POST', `${path}/draft/publish${query}`, { as: 'editor' });

  test('texts of all languages become those of the record together', async () => {
    const path = await create('events', { translations: { da: { title: 'Første' } } });
    const told = await save(path, { title: 'Second', translations: { da: { title: 'Anden' } } });
    expect(told.body.changes).toEqual([
      { field: 'title', before: 'First', after: 'Second' },
      { field: 'title', language: 'da', before: 'Første', after: 'Anden' },
    ]);
    expect(await states(path)).toMatchObject({ da: { title: 'current' } });
    await publish(path);
    expect(await states(path)).toMatchObject({ da: { title: 'current' } });
  });

  test('a text is on the original that it was made on, whatever others make of that meanwhile', async () => {
    const path = await create('events', { translations: { sv: { title: 'Första' } } });
    await app.change(path, { title: 'Second' });
    await save(path, { translations: { da: { title: 'Anden' } }, confirmed_translations: ['sv'] });
    expect((await read(`${path}/draft`)).changes).toContainEqual({
      field: 'confirmed_translations',
      language: 'sv',
      before: null,
      after: ['title'],
    });
    await app.change(path, { title: 'Third' });
    expect((await publish(path)).status).toBe(200);
    expect(await states(path)).toEqual({ da: { title: 'older' }, sv: { title: 'older' } });
    await app.change(path, { title: 'Second' });
    expect(await states(path)).toEqual({ da: { title: 'current' }, sv: { title: 'current' } });
  });

  test('a title that is drafted after its translation makes that older', async () => {
    const path = await create('events');
    await save(path, { translations: { da: { title: 'Første' } } });
    await save(path, { title: 'Second' });
    await publish(path);
    expect(await states(path)).toMatchObject({ da: { title: 'older' } });
  });
});

describe('in a series', () => {
  const dates = { rrule: 'FREQ=WEEKLY;COUNT=4', ...bodies.events };
  const seriesOf = async (fields: object = {}) => {
    const { status, body } = await app.call('POST', '/series', {
      as: 'editor',
      body: { ...dates, ...fields },
    });
    expect(status).toBe(201);
    const paths: string[] = body.dates.map(({ event }: { event: number }) => `/events/${event}`);
    const change = (index: number, scope: string, sent: object) =>
      app.change(`/series/${body.id}`, { event: Number(paths[index]?.split('/').at(-1)), scope, ...sent });
    const all = () => Promise.all(paths.map(async (path) => (await states(path)).da?.title));
    return { id: body.id, paths, change, all };
  };

  test('each date knows what its texts were made on', async () => {
    const { id, paths, change, all } = await seriesOf({ translations: { da: { title: 'Første' } } });
    expect(await all()).toEqual(['current', 'current', 'current', 'current']);
    await app.change(paths[1] ?? '', { title: 'Special' });
    expect(await all()).toEqual(['current', 'older', 'current', 'current']);
    await change(0, 'all', { title: 'Second' });
    expect(await all()).toEqual(['older', 'older', 'older', 'older']);
    // A text for the title of the series is none for that of the date which has its own.
    await change(0, 'all', { translations: { da: { title: 'Anden' } } });
    expect(await all()).toEqual(['current', 'older', 'current', 'current']);
    await change(2, 'later', { title: 'Third' });
    expect(await all()).toEqual(['current', 'older', 'older', 'older']);
    await change(2, 'later', { confirmed_translations: ['da'] });
    expect(await all()).toEqual(['current', 'older', 'current', 'current']);
    const { body } = await app.call('GET', `/series/${id}`, { as: 'editor' });
    expect(body.dates.map((date: { changed: string[] }) => date.changed)).toEqual([[], ['title'], [], []]);
    await app.change(`/series/${id}`, { rrule: 'FREQ=WEEKLY;COUNT=5' });
    const { body: longer } = await app.call('GET', `/series/${id}`, { as: 'editor' });
    expect(await states(`/events/${longer.dates[4].event}`)).toMatchObject({ da: { title: 'current' } });
  });

  test('dates that come later have texts as old as the series has them', async () => {
    const { id, change } = await seriesOf({ translations: { da: { title: 'Første' } } });
    await change(0, 'all', { title: 'Second' });
    await app.change(`/series/${id}`, { rrule: 'FREQ=WEEKLY;COUNT=6' });
    const { body } = await app.call('GET', `/series/${id}`, { as: 'editor' });
    expect(await states(`/events/${body.dates[5].event}`)).toMatchObject({ da: { title: 'older' } });
  });
});

test('the state of a text follows what was written last, by any way', async () => {
  const step = fc.oneof(
    fc.record({ what: fc.constant('original'), text: fc.constantFrom('A', 'B', 'C') }),
    fc.record({ what: fc.constant('translation'), text: fc.constantFrom('a', 'b', '') }),
    fc.record({
      what: fc.constant('both'),
      text: fc.constantFrom('A', 'B'),
      other: fc.constantFrom('a', 'c'),
    }),
    fc.record({ what: fc.constant('confirm') }),
    fc.record({ what: fc.constant('else') }),
  );
  type Step = { what: string; text?: string; other?: string };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps: Step[]) => {
      const path = await create('venues', { venue: 'A' });
      let original = 'A';
      let text = '';
      let from = '';
      for (const { what, text: sent = '', other = '' } of steps) {
        const isOriginal = what === 'original' || what === 'both';
        const translation = what === 'both' ? other : sent;
        const isTranslation = what === 'translation' || what === 'both';
        const isByLanguage = what === 'translation' && sent !== '' && sent === 'a';
        const query = isByLanguage ? '?translation_language=da' : '';
        const body = {
          ...(isOriginal ? { venue: sent } : {}),
          ...(isByLanguage
            ? { venue: sent }
            : isTranslation
              ? { translations: { da: { venue: translation } } }
              : {}),
          ...(what === 'confirm' ? { confirmed_translations: ['da'] } : {}),
          ...(what === 'else' ? { city: `City ${Math.random()}` } : {}),
        };
        expect((await app.change(`${path}${query}`, body)).status).toBe(200);
        if (isOriginal) original = sent;
        if (isTranslation && translation !== text) [text, from] = [translation, original];
        if (what === 'confirm') from = original;
        const expected = text === '' ? 'missing' : from === original ? 'current' : 'older';
        expect([steps, (await states(path)).da.venue]).toEqual([steps, expected]);
      }
    }),
    { numRuns: 25 },
  );
});
