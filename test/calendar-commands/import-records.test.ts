/** `npm run calendar -- import` of files of records (`.jsonl`): every value passes the checks of a write. */

import { mkdtempSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { exportCalendar } from '../../scripts/calendar/export.ts';
import { importCommand } from '../../scripts/calendar/import/command.ts';
import { defaultLimits, type Limits } from '../../scripts/calendar/import/limits.ts';
import { parseRecord } from '../../scripts/calendar/import/record.ts';
import { openTarget } from '../../scripts/calendar/import/target.ts';
import { readConfig } from '../../shared/config.ts';
import { newCalendar, openTestLog, put } from '../support/calendar-log.ts';
import { anyText, fc } from '../support/properties.ts';
import { connectionStringOfTables } from '../support/shared-emulators.ts';
import { withoutNotes } from './support/without-notes.ts';

const config = readConfig({ CALENDAR_SITE_URL: 'https://new.example.org', CALENDAR_TIME_ZONE: 'UTC' });
const folder = mkdtempSync(join(tmpdir(), 'records-'));
const file = join(folder, 'calendar.jsonl');
const header = { format: 'calendar-records-1', source: 'https://old.example.org' };

const at = '2030-01-01 00:00:00';
const dates = { date: at, date_utc: at, modified: at, modified_utc: at };
const post = { author: 1, status: 'publish', title: 'Title', ...dates };
const times = {
  start_date: '2031-05-01 10:00:00',
  end_date: '2031-05-01 12:00:00',
  timezone: 'UTC',
  utc_start_date: '2031-05-01 10:00:00',
  utc_end_date: '2031-05-01 12:00:00',
};
const author = { kind: 'author', id: 1, subject: 'ann' };
const event = { kind: 'event', id: 10, slug: 'ten', ...post, ...times };
const venue = { kind: 'venue', id: 11, slug: 'hall', ...post };
const category = (id: number, fields = {}) => ({
  kind: 'category',
  id,
  name: `C${id}`,
  slug: `c${id}`,
  ...fields,
});

/** Imports records or lines into a calendar. Returns the outcome, the output and the records by key. */
async function run(
  lines: readonly (object | string)[],
  {
    limits = {},
    settings = newCalendar(connectionStringOfTables()),
  }: { limits?: Partial<Limits>; settings?: ReturnType<typeof newCalendar> } = {},
) {
  const texts = [header, ...lines].map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  await writeFile(file, texts.join('\n'));
  const output: string[] = [];
  const outcome = await importCommand(file, await openTarget(config, settings), {
    isDryRun: false,
    say: (line: string) => output.push(line),
    folder,
    limits: { ...defaultLimits, ...limits },
  });
  const target = await openTarget(config, settings);
  const records = new Map(
    (await target.records()).map((record) => [`${record.kind}/${record.id}`, withoutNotes(record)]),
  );
  target.close();
  return { outcome, output: output.join('\n'), records, settings };
}

describe('a record of a file', () => {
  test.each<[field: string, record: object, reason: string]>([
    ['a title', { ...event, title: 7 }, 'title must be a text'],
    ['a website', { ...event, website: 'javascript:alert(1)' }, 'website must be an absolute URL'],
    ['a website', { ...venue, website: '//example.org' }, 'website must be an absolute URL'],
    ['a date', { ...event, start_date: '2031-02-30 10:00:00' }, 'start_date must be a date'],
    ['a missing date', { ...event, modified: undefined }, 'modified is missing'],
    ['a zone', { ...event, timezone: 'Mars/Olympus' }, 'timezone must be'],
    ['a status', { ...event, status: 'secret' }, 'status must be one of'],
    ['a list', { ...event, categories: 5 }, 'categories must be a list of ids'],
    ['a link', { ...event, venue: ['11'] }, 'venue must be a list of links'],
    ['a link of a version', { ...event, venue: [[11, 'x']] }, 'venue must be a list of links'],
    ['a cost', { ...event, cost: { a: 1 } }, 'cost must be'],
    ['a flag', { ...event, featured: 'often' }, 'featured must be true or false'],
    ['a translation', { ...event, translations: { da: { title: 7 } } }, 'translations has an invalid title'],
    ['a latitude', { ...venue, geo_lat: 91 }, 'geo_lat must be a number from -90 to 90'],
    ['an image', { kind: 'image', id: 5, url: 'javascript:x' }, 'url must be an absolute http(s) URL'],
    ['a subject', { kind: 'author', id: 5, subject: 7 }, 'subject must be a text'],
    ['a subject', { kind: 'author', id: 5, subject: 'a\u0007' }, 'subject must be a text'],
    ['a name', { ...category(5), name: ['a'] }, 'name must be a text'],
    ['an id', { ...event, id: 2 ** 31 }, 'id must be a whole number up to 2147483647'],
    ['an id', { ...event, id: 2 ** 53 - 1 }, 'id must be a whole number up to 2147483647'],
    ['an id', { ...event, id: 0 }, 'id must be'],
    ['an id', { ...event, id: '10x' }, 'id must be'],
    [
      'a password',
      { ...event, access_password: { shared_salt: 'aa', salt: 'bb', hash: 'x' } },
      'access_password must be the hash',
    ],
    ['a kind', { ...event, kind: '__proto__' }, 'kind must be one of'],
  ])('with an invalid value, %s, is refused, and the others are imported', async (_field, record, reason) => {
    const { outcome, output, records } = await run([author, record, { ...event, id: 20, slug: 'good' }]);
    expect(outcome).toBe('partlyDone');
    expect(output).toContain('refused: line 3: ');
    expect(output).toContain(reason);
    expect([...records.keys()]).toEqual(['author/1', 'event/20']);
  });

  test('is made safe, and its unknown fields are dropped', async () => {
    const script = '<script>alert(1)</script>';
    const { outcome, records } = await run([
      author,
      {
        ...event,
        title: `T${script}`,
        description: `D${script}<p onclick=x>P</p>`,
        cost: [`5${script}`],
        slug: `s"${script}`,
      },
      {
        ...venue,
        address: `A${script}`,
        unknown: script,
        __proto__: { a: 1 },
        translations: { sv: { title: `S${script}` } },
      },
      category(5, { name: `N${script}`, description: `D${script}` }),
    ]);
    expect(outcome).toBe('done');
    expect(JSON.stringify([...records.values()])).not.toMatch(/<script|onclick|unknown/);
    expect(records.get('event/10')).toMatchObject({
      description: 'Dalert(1)<p>P</p>',
      slug: expect.stringMatching(/^[a-z0-9-]+$/),
    });
    expect(records.get('venue/11')).toMatchObject({ translations: { sv: { title: 'Salert(1)' } } });
  });

  test.each(['7', 'null', '[]', '"text"', '{', `${'['.repeat(200_000)}`, '{"kind":"event"}', '\u0000'])(
    'is refused where the line is %.20j',
    async (line) => {
      const { outcome, output, settings } = await run([author, line]);
      expect([outcome, output]).toEqual(['partlyDone', expect.stringContaining('refused: line 3: ')]);
      expect((await run([author, line], { settings })).outcome).toBe('partlyDone');
    },
  );

  test('that is refused is listed, the first 20 of them, and the others are counted', async () => {
    const { output } = await run([author, ...Array.from({ length: 25 }, () => '7')]);
    expect(output.match(/refused: line \d+|refused: \d+ more/g)).toEqual([
      ...Array.from({ length: 20 }, (_, index) => `refused: line ${index + 3}`),
      'refused: 5 more',
    ]);
  });

  test('that is an uploaded picture is imported with its texts, made safe', async () => {
    const blob = '11111111-2222-4333-8444-555555555555.png';
    const stored = {
      blob,
      file: 'a.png',
      mime_type: 'image/png',
      author: 1,
      title: 'A',
      source: 'http://o.org/a.png',
      ...dates,
    };
    const picture = { kind: 'image', id: 5, url: `urn:picture:${blob}`, width: 3, height: 2, stored };
    const { records } = await run([author, picture]);
    expect(records.get('image/5')).toEqual(picture);
    const unsafe = {
      ...picture,
      stored: { ...stored, title: 'A<script>x</script>', caption: '<p onclick=x>B</p>' },
    };
    const { records: safe } = await run([author, unsafe]);
    expect(safe.get('image/5')).toMatchObject({ stored: { title: 'Ax', caption: '<p>B</p>' } });
    for (const wrong of [
      { blob: '../x.png' },
      { file: 'a/b.png' },
      { mime_type: 'text/html' },
      { date: 'x' },
    ]) {
      const { output } = await run([author, { ...picture, stored: { ...stored, ...wrong } }]);
      expect(output).toContain('stored must be an uploaded picture');
    }
  });

  test('has what the service alone stores, and links to an image that is here', async () => {
    const size = {
      width: 1,
      height: 1,
      'mime-type': 'image/png',
      file: 'a-1x1.png',
      url: 'https://o.org/a-1x1.png',
    };
    const image = { kind: 'image', id: 5, url: 'https://o.org/a.png', sizes: { thumbnail: size } };
    const trashed = { ...event, status: 'trash', trashed_from: 'private', image: 5 };
    const first = await run([author, image, trashed, { ...venue, generation: 3 }]);
    const stored = (settings: typeof first.settings) => {
      const log = openTestLog(settings);
      return log.read().then(() => withoutNotes(JSON.parse(log.replica.records.get('event/10') ?? '{}')));
    };
    expect(await stored(first.settings)).toEqual(trashed);
    expect(first.records.get('image/5')).toEqual(image);
    expect(first.records.get('venue/11')).toMatchObject({ generation: 3 });
    await run([author, { ...trashed, title: 'New' }], { settings: first.settings });
    expect(await stored(first.settings)).toEqual({
      ...trashed,
      title: 'New',
      renamed_in_trash: true,
      changed_at: expect.any(Number),
    });
  });

  test('that repeats an id or a slug is refused', async () => {
    const { output, records } = await run([
      author,
      '',
      event,
      { ...event, slug: 'other' },
      { ...venue, id: 10 },
      { ...event, id: 30 },
      { ...venue, kind: 'organizer', id: 40 },
      category(5),
      category(5, { slug: 'again' }),
      { ...category(5), kind: 'tag' },
      category(6, { slug: 'c5' }),
    ]);
    expect([...records.keys()].sort()).toEqual([
      'author/1',
      'category/5',
      'event/30',
      'organizer/40',
      'venue/10',
    ]);
    expect(output.match(/refused: .*its (?:id|slug) is that of/g)).toHaveLength(5);
  });

  test('that links to no record is imported without the link, and later records do not get it', async () => {
    const { records } = await run([
      author,
      { ...event, categories: [5, 999], venue: [11, 888], organizer: [777], image: 666, post_parent: 555 },
      venue,
      category(5),
    ]);
    expect(records.get('event/10')).toEqual({ ...event, categories: [5], venue: [11] });
  });

  test('that is a category in a circle is refused', async () => {
    const chain = Array.from({ length: 60 }, (_, index) => category(100 + index, { parent: 99 + index }));
    const { output, records, settings } = await run([
      category(5, { parent: 6 }),
      category(6, { parent: 5 }),
      category(7),
      category(8, { parent: 7 }),
      author,
      { ...event, categories: [5, 7] },
      ...chain,
    ]);
    expect([records.has('category/5'), records.has('category/6'), records.has('category/7')]).toEqual([
      false,
      false,
      true,
    ]);
    expect(output).toContain('category/5: its parents are in a circle');
    expect(['category/148', 'category/149'].map((key) => records.has(key))).toEqual([true, false]);
    expect(records.get('event/10')).toMatchObject({ categories: [7] });
    const again = await run([category(7, { parent: 8 })], { settings });
    expect(again.output).toContain('category/7: its parents are in a circle');
  });

  test('that is too large is refused before the first write', async () => {
    const { output, records } = await run([author, { ...event, description: 'x'.repeat(600_000) }, venue]);
    expect(output).toContain('refused: event/10: Cannot save event/10: it takes');
    expect([...records.keys()]).toEqual(['author/1', 'venue/11']);
  });
});

test('records that are too long for one transaction are all written', async () => {
  const long = Array.from({ length: 45 }, (_, index) => ({
    ...event,
    id: 100 + index,
    slug: `long-${index}`,
    description: `<p>${'x'.repeat(120_000)}</p>`,
  }));
  const { outcome, records } = await run([author, ...long]);
  expect([outcome, records.size]).toEqual(['done', 46]);
});

describe('a file', () => {
  test.each<[title: string, limits: Partial<Limits>, message: string]>([
    ['too many bytes', { fileBytes: { '.jsonl': 100 } }, 'and an import reads 0 MiB: split the file'],
    ['a line that is too long', { lineLength: 100 }, 'it has more than 100 characters'],
    ['too many records', { records: 2 }, 'has more than 2 records: split the file'],
  ])('with %s is refused', async (_title, limits, message) => {
    await expect(run([author, event, venue], { limits })).rejects.toThrow(message);
  });

  test('of another format is refused, and a folder too', async () => {
    const importOf = async (path: string) =>
      importCommand(path, await openTarget(config, newCalendar(connectionStringOfTables())), {
        isDryRun: false,
        say: () => {},
      });
    for (const text of ['', '\n\n', '{"format":"x","source":"https://o.org"}', 'PK\u0003\u0004']) {
      await writeFile(file, text);
      await expect(importOf(file)).rejects.toThrow('is no export of a calendar');
    }
    await expect(importOf(folder)).rejects.toThrow('is no file');
  });

  test('of an event with a password keeps the password that is here, and makes a new event private', async () => {
    const settings = newCalendar(connectionStringOfTables());
    const access_password = { shared_salt: 'aa', salt: 'bb', hash: 'cc' };
    const log = openTestLog(settings);
    const later = { ...event, id: 20, slug: 'twenty', status: 'future', description: '<p>Hidden</p>' };
    const open = { ...event, id: 30, slug: 'thirty' };
    for (const record of [author, open, ...[event, later].map((item) => ({ ...item, access_password }))])
      await put(log, `${record.kind}/${record.id}`, record);
    const exported = join(folder, 'with-password.jsonl');
    await exportCalendar(exported, await openTarget(config, settings));
    const text = await readFile(exported, 'utf8');
    expect(text).not.toMatch(/cc|salt/);
    const feed = join(folder, 'with-password.ics');
    await exportCalendar(feed, await openTarget(config, settings));
    expect(await readFile(feed, 'utf8')).not.toContain('Hidden');
    const lines = text.trim().split('\n').slice(1);
    const same = await run(lines, { settings });
    expect(same.output).toContain('import: 0 new, 0 changed, 4 unchanged.');
    expect(same.output).toContain('ATTENTION: imported without their password');
    const { records } = await run(lines);
    expect(records.get('event/10')).toEqual({ ...event, status: 'private' });
    expect(records.get('event/20')).toEqual({ ...later, status: 'private' });
    expect(records.get('event/30')).toEqual(open);
  });
});

describe('a record of the service', () => {
  const texts = anyText({ maxLength: 40 });
  const markup = fc.oneof(
    texts,
    fc.constantFrom(
      'A & B',
      '“q” ’',
      '&amp;',
      '&lt;b&gt;',
      '<b>x</b>',
      '<a href="https://x.org">a</a>',
      'a\nb',
      ' a ',
      '1 < 2',
    ),
  );
  let target: Awaited<ReturnType<typeof openTarget>>;
  beforeAll(async () => {
    target = await openTarget(config, newCalendar(connectionStringOfTables()));
    await target.records();
  });

  test('is parsed to itself', async () => {
    await fc.assert(
      fc.property(
        markup,
        markup,
        markup,
        markup,
        anyText({ maxLength: 300 }),
        (title, text, cost, line, slug) => {
          const raw = { ...event, title, description: text, excerpt: line, cost: [cost], slug };
          const { record } = parseRecord(raw, target.context);
          if (record !== undefined)
            expect(parseRecord(record as never, target.context)).toEqual({ record, errors: [] });
          const place = parseRecord(
            { ...venue, title, address: line, city: text, phone: cost },
            target.context,
          ).record;
          expect(parseRecord(place as never, target.context).record).toEqual(place);
          const term = parseRecord(category(5, { name: line, description: text }), target.context).record;
          if (term !== undefined) expect(parseRecord(term as never, target.context).record).toEqual(term);
        },
      ),
      { numRuns: 500 },
    );
    target.close();
  });
});
