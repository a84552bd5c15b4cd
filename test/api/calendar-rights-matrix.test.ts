/**
 * Who reads what in which way, generated from the documents of the API, the index of the site and the tables of fields: what a role may not
 * read changes no reply to it, whatever it asks for, and no word of it is ever in one.
 */

import { beforeAll, expect, test } from 'vitest';
import { organizerFields, venueFields } from '../../functions/calendar/model/fields/contact.ts';
import { eventFields } from '../../functions/calendar/model/fields/event.ts';
import type { FieldTable } from '../../functions/calendar/model/fields/field.ts';
import { type Status, statuses } from '../../functions/calendar/model/values.ts';
import { type Person, useCalendarApp } from '../support/calendar-app.ts';
import { png } from '../support/pictures.ts';

const app = useCalendarApp();
const times = { start_date: '2031-05-01 19:00:00', end_date: '2031-05-01 21:00:00' };
const always = 'start_date=2000-01-01&end_date=2099-12-31';

/** Whose the hidden records are. */
const owner = 'otherAuthor';

/** The path of the API. */
const root = () => new URL(app.root).pathname;

/** Roles that may not read what another author hides. */
const roles = ['nobody', 'reader', 'contributor', 'author'] as const;
type Role = (typeof roles)[number];

/** Fields of a text that is none of the caller's words. */
const otherTexts = [
  'author',
  'status',
  'date',
  'date_utc',
  'timezone',
  'image',
  'access_password',
  'currency_code',
  'review_note',
  'event_status',
];
const tables = { events: eventFields, venues: venueFields, organizers: organizerFields };
type Collection = keyof typeof tables;
const collections = Object.keys(tables) as Collection[];

/** Returns a value with a word of its own for each field of a table that holds words; in a language for those that are translated. */
function secretsOf(collection: Collection, language = ''): Record<string, string> {
  const table: FieldTable = tables[collection];
  const names = Object.entries(table).flatMap(([name, { parameter, isTranslated }]) => {
    const isText = parameter?.type === 'string' && !otherTexts.includes(name) && !/_date$/.test(name);
    return isText && (language === '' || isTranslated === true) ? [name] : [];
  });
  return Object.fromEntries(names.map((name) => [name, valueWith(wordOf(collection, name, language), name)]));
}

const wordOf = (collection: Collection, field: string, language = '') =>
  `quagga${language}${collection}${field.replaceAll('_', '')}`;

function valueWith(word: string, field: string): string {
  if (field === 'website' || field === 'registration_url') return `https://${word}.example.org/`;
  return field === 'email' ? `${word}@example.org` : word;
}

const wordsOf = (collection: Collection) =>
  ['', 'da'].flatMap((language) =>
    Object.keys(secretsOf(collection, language)).map((name) => wordOf(collection, name, language)),
  );

const coordinates = { geo_lat: '12.987654', geo_lng: '34.987654' };
const pictureTexts = ['title', 'alt_text', 'caption', 'description'];
const wordOfPicture = (name: string) => `quaggapicture${name.replace('_', '')}`;
const words = [...collections.flatMap(wordsOf), ...pictureTexts.map(wordOfPicture), 'quaggafile'];

test('the tables have these words', () => {
  expect(collections.map((collection) => Object.keys(secretsOf(collection)))).toEqual([
    ['title', 'description', 'excerpt', 'slug', 'website', 'registration_url', 'event_status_reason'],
    [
      'venue',
      'description',
      'address',
      'city',
      'country',
      'province',
      'state',
      'zip',
      'phone',
      'website',
      'stateprovince',
    ],
    ['organizer', 'description', 'phone', 'website', 'email'],
  ]);
});

interface Answer {
  readonly status: number;
  readonly totals: readonly (string | null)[];
  readonly text: string;
}

/** Asks for an address of the site as a role. */
async function answerTo(path: string, role: Role | 'editor' | 'otherAuthor'): Promise<Answer> {
  const headers = {
    'X-TEC-EEA':
      'I understand that this endpoint is experimental and may change in a future release without maintaining backward compatibility. I also understand that I am using this endpoint at my own risk, while support is not provided for it.',
    ...(role === 'nobody' ? {} : { Authorization: `Bearer ${app.token(role)}` }),
  };
  const reply = await fetch(new URL(path, new URL(app.root).origin), { headers, redirect: 'manual' });
  const totals = ['x-tec-total', 'x-tec-totalpages', 'x-wp-total', 'x-wp-totalpages', 'link'];
  return {
    status: reply.status,
    totals: totals.map((name) => reply.headers.get(name)),
    text: await reply.text(),
  };
}

/** The records that everybody reads, which the hidden ones refer to. */
let shown: Readonly<Record<'event' | 'venue' | 'organizer' | 'category' | 'tag' | 'image', number>>;
/** Drafts to which a published event is linked. */
let linked: Readonly<Record<'venues' | 'organizers', number>>;
let paths: string[];
/** What each role was answered last. */
const before = new Map<Role, ReadonlyMap<string, PlainAnswer>>();

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
}

/** Returns the values to send of a parameter of a query, by its schema: those of choices, the ids of records, and words. */
function valuesOf(name: string, schema: object): string[] {
  const text = JSON.stringify(schema);
  const choices = [...text.matchAll(/"enum":\[([^\]]*)\]/g)].flatMap(([, list = '']) =>
    JSON.parse(`[${list}]`),
  );
  const ids = /integer/.test(text) ? Object.values(shown) : [];
  const flags = /boolean/.test(text) ? ['true', 'false'] : [];
  const named = ['search', 'slug'].includes(name) ? [...words, 'quagga', 'shown'] : [];
  const ofName =
    name === 'status' ? [...statuses] : name === 'geoloc_lat' ? ['12.987654&geoloc_lng=34.987654'] : [];
  return [...choices, ...ids, ...flags, ...named, ...ofName].map(String);
}

/** Returns the record that everybody reads in a collection, by the name that a path has for it. */
function shownIn(path: string): number {
  const names = [
    ['tribe_events_cat', 'category'],
    ['categories', 'category'],
    ['tags', 'tag'],
    ['media', 'image'],
    ['venues', 'venue'],
    ['organizers', 'organizer'],
  ] as const;
  const [, kind] = names.find(([name]) => path.includes(`/${name}`)) ?? ['', 'event' as const];
  return shown[kind];
}

/** Returns what the document of the API describes, with each of its parameters. The change feed names what is hidden as removed. */
async function waysOfDocument(): Promise<string[]> {
  const base = root().replace('/tribe/events/v1', '');
  const { text } = await answerTo(`${base}/openapi.json`, 'nobody');
  const document = JSON.parse(text) as {
    readonly paths: Readonly<Record<string, { readonly get?: Operation }>>;
  };
  const ways: string[] = [];
  for (const [path, { get }] of Object.entries(document.paths)) {
    if (get === undefined || !path.startsWith('/tribe/') || /\/(?:changes|doc)$/.test(path)) continue;
    const below = path.replace('/tribe/events/v1', '');
    const address = base + path.replace('{id}', String(shownIn(below))).replace('{slug}', 'shown');
    const whole = `${address}?${/events(?:\.ics)?$/.test(below) ? always : 'per_page=50'}`;
    ways.push(whole, `${whole}&translation_language=da`);
    for (const { name, in: place, schema } of get.parameters ?? [])
      if (place === 'query' && name !== 'translation_language')
        ways.push(...valuesOf(name, schema).map((value) => `${whole}&${name}=${value}`));
  }
  return ways;
}

/** Returns what the index of the site lists beside that: views of the calendar for clients of WordPress. */
async function waysOfSite(): Promise<string[]> {
  const { text } = await answerTo('/wp-json/', 'nobody');
  const { routes } = JSON.parse(text) as {
    readonly routes: Readonly<Record<string, { readonly methods: readonly string[] }>>;
  };
  const ways: string[] = [];
  for (const [route, { methods }] of Object.entries(routes)) {
    if (!methods.includes('GET') || !/^\/(?:wp|tec)\//.test(route) || /docs$/.test(route)) continue;
    const address = `/wp-json${route.replace(/\(\?P<\w+>[^)]*\)/, String(shownIn(route)))}`;
    const queries = ['per_page=50', '_embed=1', 'context=edit', always, 'orderby=title', 'hide_empty=true'];
    const searches = route.includes('(?P') ? [] : [...words, 'quagga'].map((word) => `search=${word}`);
    ways.push(...[...queries, ...searches].map((query) => `${address}?${query}`));
  }
  return ways;
}

/** Pages and feeds at the root of the site. */
const pages = [
  '/calendar',
  '/calendar?view=month&date=2031-05',
  '/calendar?view=week&date=2031-05-01',
  '/embed/calendar',
  '/sitemap.xml',
  ...collections.flatMap((collection) => {
    const kind = collection.slice(0, -1);
    return [`/${kind}/shown/`, `/${kind}/${wordOf(collection, 'slug')}/`];
  }),
  '/event/shown/?ical=1',
  '/event/with-links/',
  '/events/?ical=1',
  '/events/feed/',
  '/events/category/shown/?ical=1',
  '/events/tag/shown/feed/',
  '/events/month/2031-05/?ical=1',
  '/events/2031-05-01/?ical=1',
  ...words.flatMap((word) => [
    `/events/?ical=1&tribe-bar-search=${word}`,
    `/events/feed/?tribe-bar-search=${word}`,
    `/calendar?search=${word}`,
  ]),
];

/** What differs from request to request. */
const withoutClock = ({ status, totals, text }: Answer) => ({
  status,
  totals,
  text: text.replaceAll(/<lastBuildDate>[^<]*|nonce="[^"]*"|nonce-[\w-]+/g, ''),
});

type PlainAnswer = ReturnType<typeof withoutClock>;

/** Asks for all paths as a role, several at once. */
async function answersTo(asked: readonly string[], role: Role): Promise<Map<string, PlainAnswer>> {
  const answers = new Map<string, PlainAnswer>();
  const queue = [...asked];
  const work = async () => {
    for (let path = queue.pop(); path !== undefined; path = queue.pop())
      answers.set(path, withoutClock(await answerTo(path, role)));
  };
  await Promise.all(Array.from({ length: 12 }, work));
  return answers;
}

type MayTell = (path: string, word: string) => boolean;

/** Checks that no reply has a word of what is hidden that was not in the request, but for those that it may tell. */
function mustTellNothing(
  role: Role,
  answers: ReadonlyMap<string, { readonly text: string }>,
  mayTell: MayTell = () => false,
): void {
  for (const [path, { text }] of answers) {
    const told = [...words, ...Object.values(coordinates)].filter(
      (word) => text.includes(word) && !path.includes(word) && !mayTell(path, word),
    );
    expect([role, path, told]).toEqual([role, path, []]);
  }
}

async function upload(as: Person, name: string, texts: Readonly<Record<string, string>>): Promise<number> {
  const media = `${new URL(app.root).origin}/wp-json/wp/v2/media?${new URLSearchParams(texts)}`;
  const reply = await fetch(media, {
    method: 'POST',
    body: new Uint8Array(png()),
    headers: {
      Authorization: `Bearer ${app.token(as)}`,
      'Content-Disposition': `attachment; filename="${name}.png"`,
    },
  });
  expect(reply.status).toBe(201);
  return ((await reply.json()) as { readonly id: number }).id;
}

function uploadSecret(): Promise<number> {
  const texts = Object.fromEntries(pictureTexts.map((name) => [name, wordOfPicture(name)]));
  return upload(owner, 'quaggafile', texts);
}

/** Creates a record of each collection with a word in each field, hidden by its status, which refers to what is shown. */
async function hide(status: Status): Promise<void> {
  const image = await uploadSecret();
  const references = {
    venue: shown.venue,
    organizer: shown.organizer,
    categories: [shown.category],
    tags: [shown.tag],
    post_parent: shown.event,
  };
  const more = { events: { ...times, ...references }, venues: coordinates, organizers: {} };
  for (const collection of collections) {
    const fields = { ...secretsOf(collection), ...more[collection], image };
    const date = status === 'future' ? { date: '2090-01-01 00:00:00' } : {};
    const sent = status === 'trash' ? 'publish' : status;
    const { id } = await app.create(collection, { ...fields, ...date, status: sent }, owner);
    await translate(collection, id);
    if (status === 'trash')
      expect((await app.call('DELETE', `/${collection}/${id}`, { as: owner })).status).toBe(200);
  }
}

/** Gives the texts of a record words in another language. Then those who may read it find each word. */
async function translate(collection: Collection, id: number): Promise<void> {
  const path = `/${collection}/${id}?translation_language=da`;
  expect((await app.change(path, secretsOf(collection, 'da'), owner)).status).toBe(200);
  const replies = [path, path.split('?', 1)[0]].map((address) => answerTo(root() + address, 'editor'));
  const text = (await Promise.all(replies)).map((reply) => reply.text).join('\n');
  const untold = wordsOf(collection).filter((word) => !text.includes(word));
  expect(untold).toEqual([]);
}

beforeAll(async () => {
  const id = async (collection: string, fields: object, as: Person = 'editor') =>
    (await app.create(collection, fields, as)).id as number;
  // Whoever writes for the first time becomes an author.
  for (const as of ['otherAuthor', 'author', 'contributor'] as const)
    await app.create('venues', { venue: `Of ${as}`, status: 'draft' }, as);
  const image = await upload('editor', 'shown', { title: 'Shown' });
  const [venue, organizer] = [
    await id('venues', { venue: 'Shown', slug: 'shown', geo_lat: 50, geo_lng: 10, image }),
    await id('organizers', { organizer: 'Shown', slug: 'shown' }),
  ];
  const category = await id('categories', { name: 'Shown', slug: 'shown' });
  const tag = await id('tags', { name: 'Shown', slug: 'shown' });
  const event = await id('events', {
    ...times,
    title: 'Shown',
    slug: 'shown',
    image,
    venue,
    organizer,
    categories: [category],
    tags: [tag],
  });
  shown = { event, venue, organizer, category, tag, image };
  linked = {
    venues: await id('venues', { venue: 'Linked', status: 'draft' }, owner),
    organizers: await id('organizers', { organizer: 'Linked', status: 'draft' }, owner),
  };
  const links = { venue: linked.venues, organizer: linked.organizers };
  await id('events', { ...times, title: 'With links', slug: 'with-links', ...links });
  paths = [...(await waysOfDocument()), ...(await waysOfSite()), ...pages];
  expect(paths.length).toBeGreaterThan(1_000);
  await Promise.all(roles.map(async (role) => before.set(role, await answersTo(paths, role))));
});

/** Asks again, compares what is the same, and keeps it for the next test. */
async function mustBeAsBefore(
  isExact: (path: string) => boolean = () => true,
  mayTell?: MayTell,
): Promise<void> {
  for (const role of roles) {
    const after = await answersTo(paths, role);
    for (const [path, answer] of before.get(role) ?? [])
      if (isExact(path)) expect([role, path, after.get(path)]).toEqual([role, path, answer]);
    mustTellNothing(role, after, mayTell);
    before.set(role, after);
  }
}

test('what is not published changes no reply to who may not read it, whatever they ask for', async () => {
  for (const status of statuses) if (status !== 'publish' && status !== 'trash') await hide(status);
  for (const collection of ['venues', 'organizers'] as const) {
    const path = `/${collection}/${linked[collection]}`;
    expect((await app.change(path, secretsOf(collection), owner)).status).toBe(200);
    await translate(collection, linked[collection]);
  }
  await mustBeAsBefore();
});

const isFeed = (path: string) => /ical|\.ics/.test(path);

/** Feeds name what was published and then deleted. */
const isDeletedName = (path: string, word: string) =>
  isFeed(path) && ['', 'da'].some((language) => word === wordOf('events', 'title', language));

test('what is deleted changes no reply either, but for its cancellation in feeds', async () => {
  await hide('trash');
  await mustBeAsBefore((path) => !isFeed(path), isDeletedName);
});

test('what a password protects is found by no word, and told to nobody without it', async () => {
  const table: FieldTable = eventFields;
  const secrets = Object.entries(secretsOf('events')).filter(([name]) => table[name]?.hidden !== undefined);
  expect(secrets.map(([name]) => name)).toEqual(['description', 'excerpt', 'website']);
  const fields = { ...times, ...Object.fromEntries(secrets), image: await uploadSecret() };
  await app.create('events', { title: 'Locked', ...fields, access_password: 'key' }, owner);
  // The titles of protected events are shown, and so are they in lists that are not searched.
  await mustBeAsBefore((path) => /quagga/.test(path) && !isFeed(path), isDeletedName);
});
