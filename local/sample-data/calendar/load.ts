/** Loads the sample calendar through the API, as any client would. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startRequestId } from '../../defaults.ts';
import { uploadPictures } from './pictures.ts';

export interface CalendarTarget {
  /** URL of the calendar API: `http://localhost:7071/api/tribe/events/v1`. */
  readonly url: string;
  /** Access token of an editor. */
  readonly token: string;
}

type Fields = Readonly<Record<string, unknown>>;
/** Texts of a record in other languages. */
interface Translations {
  readonly da: Fields;
  readonly sv: Fields;
}

type TranslatedFields = Fields & Translations;
type Ids = ReadonlyMap<string, number>;

interface Places {
  readonly venues: Readonly<Record<string, TranslatedFields>>;
  readonly organizers: Readonly<Record<string, TranslatedFields>>;
  readonly categories: Readonly<Record<string, TranslatedFields & { readonly parent?: string }>>;
  readonly tags: Readonly<Record<string, TranslatedFields>>;
}

/** An event that takes place several times: `days` from today, for `minutes` or for whole days. */
interface EventSeries extends Translations {
  readonly title: string;
  readonly description: string;
  readonly excerpt?: string;
  readonly days: readonly number[];
  /** Dates that are a series: every week from a day on. */
  readonly weekly?: { readonly from: number; readonly count: number };
  readonly time?: string;
  readonly minutes?: number;
  /** Days that it lasts, for all-day events. */
  readonly lasts?: number;
  readonly timezone?: string;
  readonly venue: string;
  readonly organizer: readonly string[];
  readonly categories: readonly string[];
  readonly tags?: readonly string[];
  readonly fields?: Fields;
}

const defaultZone = 'Europe/Copenhagen';
const dayLength = 86_400_000;

/** Checks whether a calendar has no venues, not even in the trash. */
export async function isCalendarEmpty(target: CalendarTarget): Promise<boolean> {
  const { total } = (await call(target, 'GET', 'venues?status=publish,trash')) as { total: number };
  return total === 0;
}

/** Fills an empty calendar with about 60 events over two years around today. */
export async function fillCalendar(target: CalendarTarget, now: number = Date.now()): Promise<void> {
  const places = read<Places>('places.json');
  const venues = await createAll(target, 'venues', places.venues);
  const organizers = await createAll(target, 'organizers', places.organizers);
  const categories = await createAll(target, 'categories', places.categories);
  const tags = await createAll(target, 'tags', places.tags);
  const eventIds = new Map<string, readonly number[]>();
  const seriesOf = new Map<string, StoredSeries>();
  for (const series of read<readonly EventSeries[]>('events.json')) {
    const links = {
      venue: venues.get(series.venue),
      organizer: idsOf(series.organizer, organizers),
      categories: idsOf(series.categories, categories),
      tags: idsOf(series.tags ?? [], tags),
    };
    const fieldsOn = (days: number) => ({ ...eventFields(series, now + days * dayLength), ...links });
    const ids = await Promise.all(
      series.days.map((days) => create(target, 'events', { ...fieldsOn(days), title: series.title }, series)),
    );
    const { weekly } = series;
    if (weekly !== undefined) {
      const rrule = `FREQ=WEEKLY;COUNT=${weekly.count}`;
      const fields = { ...fieldsOn(weekly.from), title: series.title, rrule };
      seriesOf.set(series.title, await createSeries(target, fields, series));
    }
    eventIds.set(series.title, ids);
  }
  // Last, so that the ids of events do not depend on whether the app has pictures.
  for (const [title, image] of await uploadPictures((body) => upload(target, body))) {
    const series = seriesOf.get(title);
    if (series !== undefined)
      await call(target, 'PATCH', `series/${series.id}`, { event: series.event, image });
    await Promise.all(
      (eventIds.get(title) ?? []).map((id) => call(target, 'PATCH', `events/${id}`, { image })),
    );
  }
}

/** Uploads a picture. Returns undefined where the app has no place for pictures. */
async function upload({ url, token }: CalendarTarget, body: FormData) {
  const response = await send(`${url}/pictures`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'X-Request-Id': startRequestId },
    body,
  });
  const reply = (await response.json()) as { readonly id: number; readonly code?: string };
  if (response.ok) return reply;
  if (reply.code === 'configuration') return undefined;
  throw new Error(
    `Cannot load the sample calendar: POST pictures gave ${response.status}: ${reasonIn(JSON.stringify(reply))}`,
  );
}

async function createAll(
  target: CalendarTarget,
  collection: string,
  records: Readonly<Record<string, TranslatedFields>>,
): Promise<Ids> {
  const ids = new Map<string, number>();
  for (const [key, { da, sv, parent, ...fields }] of Object.entries(records)) {
    const place = typeof parent === 'string' ? { parent: ids.get(parent) } : {};
    ids.set(key, await create(target, collection, { ...fields, ...place }, { da, sv }));
  }
  return ids;
}

/** Creates a record, and stores its texts in the other languages beside it. */
async function create(
  target: CalendarTarget,
  collection: string,
  fields: Fields,
  translations: Translations,
): Promise<number> {
  const { id } = (await call(target, 'POST', collection, fields)) as { id: number };
  for (const language of ['da', 'sv'] as const)
    await call(
      target,
      'PATCH',
      `${collection}/${id}?translation_language=${language}`,
      translations[language],
    );
  return id;
}

/** A series, and its first event. */
interface StoredSeries {
  readonly id: number;
  readonly event: number;
}

async function createSeries(
  target: CalendarTarget,
  fields: Fields,
  translations: Translations,
): Promise<StoredSeries> {
  const { id, dates } = (await call(target, 'POST', 'series', fields)) as {
    readonly id: number;
    readonly dates: readonly { readonly event: number }[];
  };
  const event = dates[0]?.event ?? 0;
  for (const language of ['da', 'sv'] as const)
    await call(target, 'PATCH', `series/${id}?translation_language=${language}`, {
      event,
      ...translations[language],
    });
  return { id, event };
}

function eventFields(series: EventSeries, day: number): Fields {
  const {
    description,
    excerpt,
    time = '00:00',
    minutes = 0,
    lasts = 1,
    timezone = defaultZone,
    fields,
  } = series;
  const date = new Date(day).toISOString().slice(0, 10);
  const start = Date.parse(`${date}T${time}:00Z`);
  const end = fields?.['all_day'] === true ? start + (lasts - 1) * dayLength : start + minutes * 60_000;
  return {
    description,
    ...(excerpt === undefined ? {} : { excerpt }),
    start_date: wallTime(start),
    end_date: wallTime(end),
    timezone,
    ...fields,
  };
}

export function wallTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
}

function idsOf(keys: readonly string[], ids: Ids): number[] {
  return keys.map((key) => ids.get(key)).filter((id) => id !== undefined);
}

function read<T>(name: string): T {
  return JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as T;
}

/** Milliseconds for which a rejected call is retried. */
const retryTime = 60_000;

/** Sends a call until it is not answered 503 any more, at the pace of `Retry-After`. */
async function send(url: string, init: RequestInit): Promise<Response> {
  const end = performance.now() + retryTime;
  for (;;) {
    const response = await fetch(url, init);
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    if (response.status !== 503 || Number.isNaN(seconds) || performance.now() > end) return response;
    await response.arrayBuffer();
    await delay(seconds * 1_000);
  }
}

export async function call(
  { url, token }: CalendarTarget,
  method: string,
  path: string,
  body?: Fields,
): Promise<unknown> {
  const response = await send(`${url}/${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'X-Request-Id': startRequestId,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(
      `Cannot load the sample calendar: ${method} ${path} gave ${response.status}: ${reasonIn(text)}`,
    );
  return JSON.parse(text) as unknown;
}

/** What a refusal says to people: of a problem its detail and hint, of the calendar's own shape its message. */
function reasonIn(text: string): string {
  try {
    const { detail, message, hint } = JSON.parse(text) as Readonly<Record<string, string>>;
    return [detail ?? message ?? text, ...(hint === undefined ? [] : [hint])].join(' ');
  } catch {
    return text;
  }
}
