/**
 * What a town's calendar has after some years, on top of the sample calendar: three hundred venues, long titles, events without a picture,
 * and those that do not take place as announced. Pages are looked at with it.
 */

import { type CalendarTarget, call, wallTime } from './load.ts';

const dayLength = 86_400_000;

const streets = ['Søndergade', 'Kirkestræde', 'Åboulevarden', 'Nørrebrogade', 'Ved Stranden', 'Østergade'];
const houses = ['Library', 'Community centre', 'Church', 'School hall', 'Culture house', 'Sports hall'];
const quarters = [
  'Havneby',
  'Nørrevang',
  'Sønderhøj',
  'Østerby',
  'Vesterlund',
  'Gammelgård',
  'Klitmøller',
  'Ådalen',
  'Skovbrynet og omegn',
  'Fjordparken',
];

/** Venues beside those of the sample calendar. */
const venueCount = 300;

interface TownEvent {
  readonly title: string;
  readonly da?: string;
  readonly sv?: string;
  /** Days from today, hour of its start, and hours that it lasts. */
  readonly day: number;
  readonly hour?: number;
  readonly hours?: number;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** HTML that shows pictures, of these addresses. */
  readonly description?: (pictures: readonly string[]) => string;
}

/** What each picture of a page is about, in one place: the titles are how scenes find them. */
export const townTitles = {
  long: 'Open house at the municipal waterworks with guided tours through the filter halls, tastings and activities for children of all ages',
  bare: 'Coffee and conversation',
  canceled: 'Midsummer bonfire on the beach',
  postponed: 'Lecture: the fjord before the dam',
  soldOut: 'Christmas concert with the symphony orchestra',
  moved: 'Flea market at the school',
  past: 'Anniversary of the harbour',
  registration: 'Workshop: repair your own bicycle',
  blocks: 'Programme of the harbour week',
  compound: 'Donaudampfschifffahrtsgesellschaftskapitänstreffen',
} as const;

/** A text in the blocks of WordPress, as an import brings it. */
function blocksOf(pictures: readonly string[]): string {
  const figure = (url = '', caption = '') =>
    `<figure class="wp-block-image"><img src="${url}" alt="The harbour" width="640" height="427"><figcaption class="wp-element-caption">${caption}</figcaption></figure>`;
  const [first, second, third] = pictures;
  return [
    '<p><a href="#saturday">Saturday</a>, <a href="#prices">prices</a></p>',
    `<figure class="wp-block-image alignright"><img src="${first}" alt="The harbour" width="240" height="160"><figcaption>At sunrise</figcaption></figure>`,
    `<p>${'The harbour opens its gates, and everybody may come aboard. '.repeat(5)}</p>`,
    '<h2 id="saturday">Saturday</h2>',
    '<div class="wp-block-columns"><div class="wp-block-column"><h3>Quay</h3><p>Boats of the club, from ten to four.</p></div><div class="wp-block-column"><h3>Shed</h3><p>Exhibition of the museum.</p></div></div>',
    `<figure class="wp-block-gallery has-nested-images columns-3">${figure(first, 'Lighthouse')}${figure(second, 'Bridge')}${figure(third, 'Boats')}</figure>`,
    '<div class="wp-block-buttons"><div class="wp-block-button"><a class="wp-block-button__link" href="https://example.org/tickets">Get a ticket</a></div><div class="wp-block-button is-style-outline"><a class="wp-block-button__link" href="https://example.org/map">Map of the quay</a></div></div>',
    '<h2 id="prices">Prices</h2>',
    `<figure class="wp-block-table"><table><thead><tr>${['Ticket', 'Adults', 'Children', 'Groups of ten', 'Members'].map((name) => `<th>${name}</th>`).join('')}</tr></thead><tbody><tr><td>One day</td><td>80 kr.</td><td>40 kr.</td><td>600 kr.</td><td>0 kr.</td></tr></tbody></table><figcaption>All with coffee</figcaption></figure>`,
    '<blockquote class="wp-block-quote"><p>The best week of the year.</p><cite>The harbour master</cite></blockquote>',
    '<p class="has-text-align-center">Welcome aboard.</p>',
  ].join('\n');
}

const events: readonly TownEvent[] = [
  {
    title: townTitles.long,
    da: 'Åbent hus på kommunens vandværk med rundvisning i filterhallerne, smagsprøver og aktiviteter for børn i alle aldre',
    day: 1,
    hour: 10,
    hours: 6,
    fields: { cost: 0 },
  },
  { title: townTitles.bare, da: 'Kaffe og snak', sv: 'Kaffe och samtal', day: 1, hour: 14, hours: 2 },
  {
    title: townTitles.canceled,
    da: 'Sankthansbål på stranden',
    sv: 'Midsommareld på stranden',
    day: 2,
    hour: 20,
    hours: 3,
    fields: { event_status: 'canceled', event_status_reason: 'The wind is too strong for a fire.', cost: 0 },
  },
  { title: townTitles.postponed, day: 3, hour: 19, fields: { event_status: 'postponed', cost: '75' } },
  {
    title: townTitles.soldOut,
    day: 4,
    hour: 19,
    hours: 2,
    fields: { event_status: 'sold-out', cost: ['225', '450'] },
  },
  {
    title: townTitles.moved,
    day: 6,
    hour: 9,
    hours: 5,
    fields: {
      event_status: 'moved',
      event_status_reason: 'Because of the weather it is in the sports hall.',
    },
  },
  {
    title: townTitles.registration,
    day: 7,
    hour: 17,
    hours: 3,
    fields: { registration_url: 'https://tickets.example.org/bicycles', cost: '25 kr.', ticketed: false },
  },
  { title: townTitles.compound, day: 8, hour: 12 },
  { title: townTitles.blocks, day: 9, hour: 12, description: blocksOf },
  { title: townTitles.past, da: 'Havnens jubilæum', sv: 'Hamnens jubileum', day: -9, hour: 11, hours: 8 },
  ...Array.from({ length: 24 }, (_, index) => ({
    title: `${['Story time', 'Choir practice', 'Open workshop', 'Guided walk'][index % 4]} in ${quarters[index % quarters.length]}`,
    day: 2 + Math.floor(index / 3),
    hour: 9 + (index % 9),
    hours: 2,
    fields: index % 3 === 0 ? { cost: 0 } : { cost: `${25 * (index % 5)}` },
  })),
];

/** Fills a calendar that has the sample calendar with the rest of a town. */
export async function fillTown(target: CalendarTarget, now: number = Date.now()): Promise<void> {
  const venues = await inTurns(
    Array.from({ length: venueCount }, (_, index) => index),
    (index) => create(target, 'venues', venueFields(index)),
  );
  const { categories } = (await call(target, 'GET', 'categories?per_page=50')) as Listed;
  const media = (await call(target, 'GET', 'events?per_page=50&start_date=2000-01-01')) as Events;
  const pictures = media.events.flatMap(({ image }) => (image === false ? [] : [image]));
  const images = [...new Set(pictures.map(({ id }) => id))];
  const addresses = [...new Set(pictures.map(({ url }) => url))];
  await inTurns(events, async (event, index) => {
    const { title, da, sv, day, hour = 19, hours = 1.5, fields = {}, description } = event;
    const date = new Date(now + day * dayLength).toISOString().slice(0, 10);
    const start = Date.parse(`${date}T00:00:00Z`) + hour * 3_600_000;
    const isBare = title === townTitles.bare;
    const image = isBare || index % 3 === 2 ? undefined : images[index % images.length];
    const id = await create(target, 'events', {
      title,
      description: isBare
        ? ''
        : `<p>${'Everyone is welcome. The doors open half an hour before. '.repeat(1 + (index % 5))}</p>`,
      start_date: wallTime(start),
      end_date: wallTime(start + hours * 3_600_000),
      timezone: 'Europe/Copenhagen',
      venue: venues[index % 12],
      ...(isBare ? {} : { categories: [categories[index % categories.length]?.id] }),
      ...(image === undefined ? {} : { image }),
      ...(description === undefined ? {} : { description: description(addresses) }),
      ...fields,
    });
    for (const [language, translated] of Object.entries({ da, sv }))
      if (translated !== undefined)
        await call(target, 'PATCH', `events/${id}?translation_language=${language}`, { title: translated });
  });
}

interface Listed {
  readonly categories: readonly { readonly id: number }[];
}

interface Events {
  readonly events: readonly { readonly image: false | { readonly id: number; readonly url: string } }[];
}

function venueFields(index: number) {
  const quarter = quarters[index % quarters.length] ?? '';
  const number = Math.floor(index / (quarters.length * houses.length)) + 1;
  const house = houses[Math.floor(index / quarters.length) % houses.length];
  return {
    venue: `${quarter} ${house}${number === 1 ? '' : ` ${number}`}`,
    address: `${streets[index % streets.length]} ${1 + (index % 90)}`,
    zip: String(8000 + (index % 900)),
    city: quarter,
    country: 'Denmark',
  };
}

async function create(target: CalendarTarget, collection: string, fields: object): Promise<number> {
  const { id } = (await call(target, 'POST', collection, { ...fields })) as { readonly id: number };
  return id;
}

/** Works on some items at a time, as a client that means well does. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
) {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += 4)
    results.push(
      ...(await Promise.all(items.slice(start, start + 4).map((item, index) => work(item, start + index)))),
    );
  return results;
}
