/** The calendar: filters that stand in the address, and events in a list, or in a month or week that a script draws. */

import type { Page } from './page.tsx';
import type { Reader } from './reader.ts';
import { fromNow } from './record.tsx';
import { Subscribe } from './views/article.tsx';
import { type Option, Select, Tabs } from './views/controls.tsx';
import { EventList } from './views/events.tsx';
import type { ContactView, EventView, TermView } from './views/types.ts';
import { firstDay, lastDay, within } from './views/when.ts';

/** Filters of the event list that the form has, and those that links from other pages have beside them. */
const filterNames = ['search', 'categories', 'venue', 'tags', 'organizer'] as const;
const views = ['list', 'month', 'week'] as const;

/** Events on a page of the list. */
const perPage = '20';

/** Filters of the events that are over, the last one first. */
const untilNow = { ends_before: 'now', strict_dates: 'true', order: 'desc' } as const;

/** Reads the address of the calendar. */
function addressOf({ url, language }: Reader['context']) {
  const { searchParams } = url;
  const matchOf = (name: string, pattern: RegExp) => pattern.exec(searchParams.get(name) ?? '')?.[0];
  const pairs = filterNames.map((name) => [name, searchParams.get(name) ?? ''] as const);
  const filters = Object.fromEntries(pairs.filter(([, value]) => value !== ''));
  const view = views.find((name) => name === searchParams.get('view')) ?? 'list';
  const isPast = view === 'list' && searchParams.get('past') === 'true';
  const fixed = {
    ...(isPast ? { past: 'true' } : {}),
    ...(view === 'list' ? {} : { view }),
    ...(searchParams.has('translation_language') ? { translation_language: language } : {}),
  };
  /** Returns the query of the same calendar with other values; undefined ones are left out. */
  const queryWith = (values: Readonly<Record<string, string | undefined>>) => {
    const all = Object.entries({ ...filters, ...fixed, ...values });
    return `?${new URLSearchParams(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))}`;
  };
  const date = matchOf('date', /^\d{4}-\d\d-\d\d$/);
  return { filters, view, isPast, date, page: matchOf('page', /^[1-9]\d{0,5}$/) ?? '1', fixed, queryWith };
}

type Address = ReturnType<typeof addressOf>;

/** Creates the page of the calendar; `isFramed` for a frame on another site, whose links leave the frame. */
export async function calendarPage(reader: Reader, isFramed = false): Promise<Page> {
  const { list, all, categories } = reader;
  const context = { ...reader.context, ...(isFramed ? { target: '_blank' as const } : {}) };
  const { origin, calendar, language, word, siteUrl, config, site, query } = context;
  const address = addressOf(context);
  const { filters, view, isPast, page } = address;
  const isList = view === 'list';
  const { start, ...bounds } = windowOf(address);
  const parameters = { ...filters, ...bounds, page, per_page: isList ? perPage : '50' };
  const [{ value: found, version, pages }, { terms, colorOf, colors }, limits] = await Promise.all([
    list<EventView>('event', parameters),
    categories(),
    isList ? undefined : limitsOf(reader),
  ]);
  // What ends as a month begins is not in it.
  const events = found.filter(({ start_date, end_date }) => end_date !== start || start_date === start);
  const feed = new URL(`${origin}${calendar}/events.ics`);
  const ofLanguage = language === 'en' ? {} : { translation_language: language };
  feed.search = String(new URLSearchParams({ ...filters, ...ofLanguage }));
  const title = word(isPast ? 'past' : isList ? 'upcoming' : 'calendar');
  const [tags, venues] = isFramed
    ? [[], []]
    : await Promise.all([all<TermView>('tag'), all<ContactView>('venue')]);
  const tabs = views.map((name) => {
    const href = address.queryWith({ view: name === 'list' ? undefined : name, past: undefined });
    return [href, word(name), name === view && !isPast] as const;
  });
  const children = (
    <>
      <div class="toolbar-row">
        {!isFramed && (
          <Filters address={address} context={context} categories={terms} tags={tags} venues={venues} />
        )}
        <Tabs label={word('views')} links={tabs} />
      </div>
      <section
        id="calendar"
        data-view={view}
        data-query={query}
        data-target={context.target}
        aria-label={title}
      >
        {events.length === 0 ? (
          <Empty address={address} context={context} />
        ) : (
          <EventList events={events} context={context} colorOf={colorOf} />
        )}
        {/* A script that draws the month or week replaces these links. */}
        {!isList && <Pager address={address} pages={pages} limits={limits} context={context} />}
      </section>
      {isList && <Pager address={address} pages={pages} context={context} />}
      {!isFramed && <Subscribe feed={feed.href} context={context} />}
    </>
  );
  const head = (
    <>
      <link rel="alternate" type="text/calendar" title={word('subscribe')} href={feed.href} />
      <link rel="alternate" type="application/rss+xml" title={title} href={`${site}/events/feed/`} />
    </>
  );
  return {
    title,
    children,
    version,
    colors,
    canonical: `${siteUrl}/calendar`,
    isPastTheEnd:
      view !== 'list' && limits !== undefined && isOutside(periodOf(view, address.date).start, limits),
    description: config.SITE_NAME && `${config.SITE_NAME}: ${word('upcoming')}`,
    ...(isList ? {} : { script: 'calendar.js', style: 'calendar.css' }),
    ...(isFramed ? { frame: 'embedded', ...(isList ? { script: 'frame-height.js' } : {}) } : { head }),
  };
}

/** Returns the filters of dates of a view: from now on, until now, or a month or week, with its start. */
function windowOf({ view, date, isPast }: Address): Readonly<Record<string, string>> {
  if (view === 'list') return isPast ? untilNow : fromNow;
  const { start, end } = periodOf(view, date);
  const first = `${start} 00:00:00`;
  return { start: first, ...within(first, `${end} 00:00:00`) };
}

/** Returns the month or week of a day: its first day, the first day after it, and that of the one before; weeks begin on Monday. */
function periodOf(view: 'month' | 'week', date = new Date().toISOString().slice(0, 10)) {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  /** Returns a day of the years that addresses can have. */
  const utc = (months: number, day: number) => {
    const time = new Date(0).setUTCFullYear(year, month - 1 + months, day);
    return new Date(Math.min(Math.max(time, firstDay), lastDay));
  };
  const text = (months: number, day: number) => utc(months, day).toISOString().slice(0, 10);
  if (view === 'month') return { start: text(0, 1), end: text(1, 1), previous: text(-1, 1) };
  const monday = day - ((utc(0, day).getUTCDay() + 6) % 7);
  return { start: text(0, monday), end: text(0, monday + 7), previous: text(0, monday - 7) };
}

/** The first and the last month that pages lead to, as their first days. */
interface Limits {
  readonly first: string;
  readonly last: string;
}

/** Returns the months of all events and the present one, with one more on either side: links of months lead no further, or crawlers would follow them for ever. */
async function limitsOf({ list }: Reader): Promise<Limits> {
  const always = { start_date: '0001-01-01', end_date: '9999-12-31', per_page: '1' };
  const ends = await Promise.all(
    ['asc', 'desc'].map((order) => list<EventView>('event', { ...always, order })),
  );
  const days = ends.flatMap(({ value }) => value).flatMap((event) => [event.start_date, event.end_date]);
  const sorted = [...days, new Date().toISOString()].map((day) => day.slice(0, 10)).toSorted();
  return {
    first: periodOf('month', sorted[0]).previous,
    last: periodOf('month', sorted.at(-1)).end,
  };
}

/** Checks whether a month, or the week of a day, lies outside of what pages lead to. */
function isOutside(day: string, { first, last }: Limits): boolean {
  const month = periodOf('month', day).start;
  return month < first || month > last;
}

interface PartProps {
  readonly address: Address;
  readonly context: Reader['context'];
}

function Empty({ address: { filters, queryWith }, context: { word } }: PartProps) {
  const withoutFilters = queryWith(Object.fromEntries(filterNames.map((name) => [name, undefined])));
  return (
    <div class="empty">
      <p>{word('none')}</p>
      {Object.keys(filters).length > 0 && <a href={withoutFilters}>{word('showAll')}</a>}
    </div>
  );
}

interface FiltersProps extends PartProps {
  readonly categories: readonly TermView[];
  readonly tags: readonly TermView[];
  readonly venues: readonly ContactView[];
}

function Filters({ address, context, categories, tags, venues }: FiltersProps) {
  const { site, word, plain } = context;
  const { filters, fixed, date } = address;
  const ofTerm = ({ slug, name }: TermView): Option => [slug, plain(name)];
  const ofVenue = ({ id, venue = '' }: ContactView): Option => [id, plain(venue)];
  const choices = [
    ['categories', word('category'), categories.map(ofTerm)],
    ['venue', word('venue'), venues.map(ofVenue)],
    ['tags', word('tag'), tags.map(ofTerm)],
  ] as const;
  const hidden = Object.entries({ ...fixed, ...(date && { date }) });
  return (
    <form class="filters" action={`${site}/calendar`}>
      <div class="search">
        <input
          type="search"
          name="search"
          aria-label={word('searchEvents')}
          placeholder={word('searchEvents')}
          value={filters['search'] ?? ''}
          maxLength={200}
        />
        <button type="submit">{word('search')}</button>
      </div>
      <details open={choices.some(([name]) => filters[name] !== undefined)}>
        <summary>{word('filters')}</summary>
        <div class="fields">
          {choices.map(([name, label, options]) => (
            <Select
              key={name}
              name={name}
              label={label}
              value={filters[name]}
              options={[['', word('all')], ...options]}
            />
          ))}
        </div>
      </details>
      {hidden.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </form>
  );
}

interface PagerProps extends PartProps {
  readonly pages: number;
  readonly limits?: Limits | undefined;
}

/** Links to the pages of a list, months or weeks. Past events come before the first page of the upcoming ones. */
function Pager({ address, pages, limits, context: { word } }: PagerProps) {
  const { view, date, page, isPast, queryWith } = address;
  const number = Number(page);
  let previous: readonly [href: string | undefined, text: string] = [
    queryWith({ page: number === 2 ? undefined : String(number - 1) }),
    word('earlier'),
  ];
  let next = number < pages ? queryWith({ page: String(number + 1) }) : undefined;
  if (view !== 'list') {
    const period = periodOf(view, date);
    const hrefOf = (day: string) =>
      limits !== undefined && isOutside(day, limits) ? undefined : queryWith({ date: day });
    previous = [hrefOf(period.previous), word('earlier')];
    next = hrefOf(period.end);
  } else if (number === 1) {
    previous = [queryWith({ past: isPast ? undefined : 'true' }), word(isPast ? 'upcoming' : 'past')];
  }
  return (
    <nav class="pager" aria-label={word('pages')}>
      {previous[0] && (
        <a rel="prev" href={previous[0]}>
          ← {previous[1]}
        </a>
      )}
      {next && (
        <a rel="next" href={next}>
          {word('later')} →
        </a>
      )}
    </nav>
  );
}
