/** Events that do not take place as announced, what they cost, and where to register: in the API, its feeds, and on the pages. */

import { describe, expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp({
  CALENDAR_SITE_URL: '',
  CALENDAR_CURRENCY: 'dkk',
  CALENDAR_LANGUAGE: 'da',
  SITE_NAME: 'Havneby',
});
const site = () => new URL(app.root).origin;
const times = { start_date: '2071-06-01 19:00', end_date: '2071-06-01 21:00' };

async function read(path: string) {
  const reply = await fetch(site() + path, { headers: { Accept: 'text/html', 'Accept-Language': 'da' } });
  return { status: reply.status, text: await reply.text() };
}

const feedOf = async (id: number) => (await app.call('GET', `/events/${id}.ics`)).body as string;

describe('the status of an event', () => {
  test.each([
    ['scheduled', undefined, 'EventScheduled', 'CONFIRMED', undefined],
    ['canceled', 'canceled', 'EventCancelled', 'CANCELLED', 'Aflyst'],
    ['postponed', 'postponed', 'EventPostponed', 'TENTATIVE', 'Udsat'],
    ['moved', 'moved', 'EventRescheduled', 'CONFIRMED', 'Flyttet'],
    ['moved-online', 'moved-online', 'EventMovedOnline', 'CONFIRMED', 'Flyttet til nettet'],
    ['sold-out', 'sold-out', 'EventScheduled', 'CONFIRMED', 'Udsolgt'],
  ])('%s is told in the API, to programs and to people', async (status, shown, name, component, word) => {
    const title = `Stat ${status}`;
    const { id, slug, ...body } = await app.create('events', { title, ...times, event_status: status });
    expect(body.event_status).toBe(shown);
    expect('event_status' in body).toBe(shown !== undefined);
    const read_ = await app.call('GET', `/events/${id}`);
    expect([read_.body.event_status, read_.body.json_ld.eventStatus]).toEqual([
      shown,
      `https://schema.org/${name}`,
    ]);
    expect(await feedOf(id)).toContain(`STATUS:${component}`);
    const said = word === undefined ? title : `${word}: ${title}`;
    const query = `tribe-bar-date=2071-06-01&translation_language=da&tribe-bar-search=${encodeURIComponent(title)}`;
    const { text } = await read(`/events/feed/?${query}`);
    expect(/<item><title>([^<]*)/.exec(text)?.[1]).toBe(said);
    const page = await read(`/event/${slug}/?translation_language=da`);
    const banner = /class="banner" role="note"><strong>([^<]*)/.exec(page.text)?.[1];
    expect([page.status, banner]).toEqual([200, word]);
    const list = await read(
      `/calendar?search=%22${encodeURIComponent(title)}%22&translation_language=da&date=2071-01-01`,
    );
    expect(/<strong class="mark [\w-]+">([^<]*)/.exec(list.text)?.[1]).toBe(word);
  });

  test('ends with scheduled, and stays when nothing is said of it', async () => {
    const { id } = await app.create('events', { title: 'On and off', ...times, event_status: 'canceled' });
    expect((await app.change(`/events/${id}`, { title: 'On or off' })).body.event_status).toBe('canceled');
    expect((await app.change(`/events/${id}`, { event_status: 'scheduled' })).body).not.toHaveProperty(
      'event_status',
    );
  });

  test.each(['cancelled', '', 'CANCELED', 'toString', 5, ['canceled'], null])(
    'is not %j',
    async (event_status) => {
      const reply = await app.call('POST', '/events', {
        as: 'editor',
        body: { title: 'No', ...times, event_status },
      });
      expect([reply.status, Object.keys(reply.body.data.params)]).toEqual([400, ['event_status']]);
    },
  );

  test('has a reason in each language, which is text', async () => {
    const { id, slug } = await app.create('events', {
      title: 'Bonfire',
      ...times,
      event_status: 'canceled',
      event_status_reason: 'Too <b>much</b> wind & rain',
    });
    await app.change(`/events/${id}?translation_language=sv`, { event_status_reason: 'För blåsigt' });
    expect((await app.call('GET', `/events/${id}`)).body.event_status_reason).toBe(
      'Too much wind &amp; rain',
    );
    const page = await read(`/event/${slug}/?translation_language=sv`);
    expect(page.text).toContain('<strong>Inställt</strong><span>: För blåsigt</span>');
    const english = await read(`/event/${slug}/?translation_language=en`);
    expect(english.text).toContain('Too much wind &amp; rain');
  });
});

test('a place to register is a button, until the event is cancelled, sold out or over', async () => {
  const registration_url = 'https://tickets.example.org/a?b=c';
  const { id, slug } = await app.create('events', {
    title: 'Course',
    ...times,
    cost: '25',
    registration_url,
  });
  const button = async () =>
    /<a class="button" href="([^"]*)"[^>]*>([^<]*)/.exec((await read(`/event/${slug}/`)).text)?.slice(1);
  const body = () => app.call('GET', `/events/${id}`).then((reply) => reply.body);
  expect(await button()).toEqual([registration_url, 'Tilmelding og billetter']);
  expect((await body()).json_ld.offers).toMatchObject({ url: registration_url, priceCurrency: 'DKK' });
  for (const event_status of ['canceled', 'sold-out']) {
    await app.change(`/events/${id}`, { event_status });
    expect(await button()).toBeUndefined();
  }
  expect((await body()).json_ld.offers.availability).toBe('soldOut');
  await app.change(`/events/${id}`, { event_status: 'scheduled', registration_url: '' });
  expect(await body()).not.toHaveProperty('registration_url');
  const refused = await app.change(`/events/${id}`, { registration_url: 'javascript:alert(1)' });
  expect(refused.status).toBe(400);
});

test.each([
  ['25', '25kr.', '25 kr.'],
  [['75', '150'], '75kr. – 150kr.', '75-150 kr.'],
  ['12.5', '12.5kr.', '12,50 kr.'],
  ['100 kr', '100kr', '100 kr.'],
  ['€5', '€5', '5 €'],
  ['USD 5', 'USD5', '5 $'],
  ['$5', '$5', '$5'],
  [0, 'Free', 'Gratis'],
  [['0', '50'], 'Free – 50kr.', 'Gratis – 50 kr.'],
  ['Pay what you can', 'Pay what you can', 'Pay what you can'],
])('a cost of %j is %s in the API, and %s for readers', async (cost, shown, price) => {
  const { slug, cost: text } = await app.create('events', { title: `Costs ${cost}`, ...times, cost });
  expect(text).toBe(shown);
  const { text: page } = await read(`/event/${slug}/`);
  expect(/<dt>Pris<\/dt><dd>([^<]*)/.exec(page)?.[1]?.replaceAll('\u00a0', ' ')).toBe(price);
});

test('an event in the trash is gone in words, at the address that it had', async () => {
  const { id, slug } = await app.create('events', { title: 'Withdrawn party', ...times });
  expect((await read(`/event/${slug}/`)).status).toBe(200);
  await app.call('DELETE', `/events/${id}`, { as: 'editor' });
  const { status, text } = await read(`/event/${slug}/`);
  expect([status, text.includes('Ikke længere i kalenderen')]).toEqual([410, true]);
  // By its number too; programs are told the code.
  for (const query of [`p=${id}`, `post_type=tribe_events&p=${id}`, `tribe_events=${slug}`]) {
    const gone = await fetch(`${site()}/?${query}`, { headers: { Accept: 'application/json' } });
    expect([gone.status, (await gone.json()).code]).toEqual([410, 'page-gone']);
  }
  const other = await app.create('events', { title: 'Withdrawn party', ...times });
  expect([other.slug, (await read(`/event/${slug}/`)).status]).toEqual([slug, 200]);
});

test('an event that was never public is not there, in the trash or not', async () => {
  const { id } = await app.create('events', {
    title: 'Never shown',
    slug: 'never-shown',
    status: 'draft',
    ...times,
  });
  await app.call('DELETE', `/events/${id}`, { as: 'editor' });
  expect((await read('/event/never-shown/')).status).toBe(404);
});

test('the address of a calendar that says what nobody knows is told so', async () => {
  const noteIn = async (query: string) =>
    /<p class="banner" role="note">.*?<code>([^<]*)/.exec((await read(`/calendar?${query}`)).text)?.[1];
  expect(await noteIn('start_date=foo')).toBe('start_date=foo');
  expect(await noteIn('view=year&date=2071-02-30&page=0')).toBe('view=year, date=2071-02-30, page=0');
  expect(await noteIn('view=month&start_date=2071-06-01+10%3A00%3A00')).toBeUndefined();
  expect(await noteIn('date=2071-06-01&utm_source=mail&past=true&page=2')).toBeUndefined();
  const { text } = await read('/calendar?start_date=2071-06-01+10%3A00%3A00');
  expect(text).toContain('1. juni 2071');
});
