/** The calendar: filters that stand in the address, and events in a list, or in a month or week that a script draws. */

import type { Choice, Choices } from '../../calendar/read/choices.ts';
import type { Page } from '../common/page.tsx';
import type { ColorOf } from '../common/views/colors.ts';
import { type Option, Select, Tabs } from '../common/views/controls.tsx';
import { langOf, type TermView } from '../common/views/types.ts';
import { dateOf, firstDay, isDay, lastDay, textOfTime, within } from '../common/views/when.ts';
import { farFuture, firstOfEachTitle, fromNow, untilNow } from './event-lists.ts';
import type { Reader } from './reader.ts';
import { Subscribe } from './views/article.tsx';
import { EventCard, EventList } from './views/events.tsx';

/** Filters of the event list. */
const filterNames = ['search', 'categories', 'venue', 'organizer', 'tags', 'featured'] as const;
const views = ['list', 'month', 'week'] as const;
/** Days that people ask for, beside any day of a date picker. */
const dayChoices = ['today', 'weekend', 'nextWeek'] as const;

const pageNumber = /^[1-9]\d{0,5}$/;

/** Events on a page of the list, and those above it that are featured. */
const perPage = '20';
const maxFeatured = 3;
/** Categories that stand above the list at once; of more, those of the first level do, the further ones behind a switch. */
const maxChips = 12;

/** Whether a value of the address means something; filters by texts, slugs and ids may just find nothing. */
const meanings: Readonly<Record<string, (value: string) => boolean>> = {
  view: (value) => views.some((name) => name === value),
  days: (value) => dayChoices.some((name) => name === value),
  date: isDay,
  start_date: (value) => isDay(value.slice(0, 10)),
  page: (value) => pageNumber.test(value),
  past: (value) => ['true', 'false'].includes(value),
  featured: (value) => value === 'true',
};

/** Reads the address of the calendar. */
function addressOf({ url, language, config }: Reader['context']) {
  const { searchParams } = url;
  const pairs = filterNames.map((name) => [name, searchParams.get(name) ?? ''] as const);
  const filters = Object.fromEntries(
    pairs.filter(([name, value]) => value !== '' && (meanings[name]?.(value) ?? true)),
  );
  const view = views.find((name) => name === searchParams.get('view')) ?? 'list';
  const isList = view === 'list';
  // Clients of The Events Calendar call the first day of a list `start_date`, and may add a time.
  const day = searchParams.get('date') ?? searchParams.get('start_date')?.slice(0, 10) ?? '';
  const date = [day].find(isDay);
  // Who looks at past events and asks for a day gets what is from that day on.
  const isPast = isList && date === undefined && searchParams.get('past') === 'true';
  const days =
    isList && date === undefined ? dayChoices.find((name) => name === searchParams.get('days')) : undefined;
  const fixed = {
    ...(isPast ? { past: 'true' } : {}),
    ...(isList ? {} : { view }),
    ...(days ? { days } : {}),
    ...(searchParams.has('translation_language') ? { translation_language: language } : {}),
  };
  /** Returns the query of the same calendar with other values; undefined ones are left out. */
  const queryWith = (values: Readonly<Record<string, string | undefined>>) => {
    const all = Object.entries({ ...filters, ...(isList && { date }), ...fixed, ...values });
    return `?${new URLSearchParams(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))}`;
  };
  /** The present day where the calendar is. */
  const today = new Intl.DateTimeFormat('sv', { timeZone: config.CALENDAR_TIME_ZONE }).format();
  const page = pageNumber.exec(searchParams.get('page') ?? '')?.[0] ?? '1';
  /** What the address says that means nothing here, such as `date=tomorrow`. */
  const ignored = Object.entries(meanings).flatMap(([name, hasMeaning]) => {
    const sent = searchParams.get(name) ?? '';
    return sent === '' || hasMeaning(sent) ? [] : [`${name}=${sent}`];
  });
  return { filters, view, isList, isPast, date, days, today, page, fixed, ignored, queryWith };
}

type Address = ReturnType<typeof addressOf>;

/** Creates the page of the calendar; `isFramed` for a frame on another site, whose links leave the frame. */
export async function calendarPage(reader: Reader, isFramed = false): Promise<Page> {
  const { list, categories, choices } = reader;
  const context = { ...reader.context, ...(isFramed ? { target: '_blank' as const } : {}) };
  const { origin, calendar, language, word, siteUrl, config, site, query } = context;
  const address = addressOf(context);
  const { filters, view, isList, isPast, page } = address;
  const { start, ...bounds } = windowOf(address);
  const parameters = { ...filters, ...bounds, page, per_page: isList ? perPage : '50' };
  const isFront = isList && !isPast && !isFramed && page === '1' && isUnfiltered(address);
  const [{ value: found, version, pages, total }, { terms, colorOf, colors }, limits, featured] =
    await Promise.all([
      list('event', parameters),
      categories(),
      isList ? undefined : limitsOf(reader),
      isFront ? list('event', { ...fromNow, featured: 'true' }) : undefined,
    ]);
  const highlights = firstOfEachTitle(featured?.value ?? []).slice(0, maxFeatured);
  // What ends as a month begins is not in it.
  const events = found.filter(({ start_date, end_date }) => end_date !== start || start_date === start);
  const feed = new URL(`${origin}${calendar}/events.ics`);
  const ofLanguage = language === 'en' ? {} : { translation_language: language };
  feed.search = String(new URLSearchParams({ ...filters, ...ofLanguage }));
  const title = titleOf(address, context);
  const offered = isFramed ? undefined : await choices();
  const tabs = views.map((name) => {
    const inView = { view: name === 'list' ? undefined : name, past: undefined, days: undefined };
    const href = address.queryWith({ ...inView, date: undefined });
    return [href, word(name), name === view && !isPast] as const;
  });
  const children = (
    <>
      {address.ignored.length > 0 && (
        <p class="banner" role="note">
          {word('ignoredInAddress')} <code>{address.ignored.join(', ')}</code>
        </p>
      )}
      <div class="toolbar-row">
        {offered && <Filters address={address} context={context} categories={terms} {...offered} />}
        <Tabs label={word('views')} links={tabs} />
      </div>
      {!isFramed && <ChoiceLinks address={address} context={context} categories={terms} colorOf={colorOf} />}
      {highlights.length > 0 && (
        <section aria-labelledby="featured">
          <h2 id="featured">{word('featured')}</h2>
          <ul class="cards">
            {highlights.map((event) => (
              <EventCard key={event.id} event={event} context={context} colorOf={colorOf} />
            ))}
          </ul>
        </section>
      )}
      {isList && !isUnfiltered(address) && events.length > 0 && (
        <p class="muted" role="status">
          {total === 1 ? word('oneResult') : `${total} ${word('manyResults')}`}
        </p>
      )}
      <section
        id="calendar"
        data-view={view}
        data-query={query}
        data-target={context.target}
        data-zone={config.CALENDAR_TIME_ZONE}
        data-text-language={config.CALENDAR_LANGUAGE}
        aria-label={title}
      >
        {events.length === 0 ? (
          <Empty address={address} context={context} hasPast={await hasPastOnes(address, reader)} />
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
    hasBanner: isFront,
    isPastTheEnd:
      view !== 'list' && limits !== undefined && isOutside(periodOf(view, dayOf(address)).start, limits),
    description: config.SITE_NAME && `${config.SITE_NAME}: ${word('upcoming')}`,
    ...(isList ? {} : { script: 'calendar.js', style: 'calendar.css' }),
    ...(isFramed ? { frame: 'embedded', ...(isList ? { script: 'frame-height.js' } : {}) } : { head }),
  };
}

/** Checks whether the calendar shows all events, of a list all that are to come. */
function isUnfiltered({ filters, isList, days, date }: Address): boolean {
  return Object.keys(filters).length === 0 && days === undefined && !(isList && date !== undefined);
}

function titleOf(
  { filters, isList, isPast, days, date }: Address,
  { word, language }: Reader['context'],
): string {
  const { search, featured } = filters;
  if (isList && search !== undefined) return `${word('resultsFor')} “${search}”`;
  if (!isList) return word('calendar');
  if (isPast) return word('past');
  if (days !== undefined) return word(days);
  if (featured !== undefined && date === undefined) return word('featured');
  return date === undefined ? word('upcoming') : `${word('fromDay')} ${dateOf(date, language, 'long')}`;
}

/** Checks whether there are past events for the filters of a list in which nothing is to come. */
async function hasPastOnes({ filters, isList, isPast }: Address, { list }: Reader): Promise<boolean> {
  if (!isList || isPast) return false;
  const { total } = await list('event', { ...filters, ...untilNow, per_page: '1' });
  return total > 0;
}

/** Returns the filters of dates of a view: from now on or in days to come, until now, or a month or week, with its start. */
function windowOf(address: Address): Readonly<Record<string, string>> {
  const { view, date, isPast, days, today } = address;
  if (view !== 'list') {
    const { start, end } = periodOf(view, dayOf(address));
    return { start: startOfDay(start), ...within(startOfDay(start), startOfDay(end)) };
  }
  if (isPast) return untilNow;
  if (date !== undefined) return within(startOfDay(date), farFuture);
  if (days === undefined) return fromNow;
  const { start, end: nextMonday } = periodOf('week', today);
  const [first, end] = (
    {
      today: [today, dayAfter(today)],
      weekend: [dayAfter(start, 5), nextMonday],
      nextWeek: [nextMonday, dayAfter(nextMonday, 7)],
    } as const
  )[days];
  const bounds = within(startOfDay(first), startOfDay(end));
  return first <= today ? { ...bounds, ...fromNow } : bounds;
}

const startOfDay = (day: string) => `${day} 00:00:00`;

/** Returns the day some days after another, within the years that addresses can have. */
function dayAfter(day: string, days = 1): string {
  return textOfTime(Math.min(Date.parse(day) + days * 86_400_000, lastDay)).slice(0, 10);
}

/** Returns the day whose month or week is shown: the present one unless the address has another. */
function dayOf({ date, today }: Address): string {
  return date ?? today;
}

/** Returns the month or week of a day: its first day, the first day after it, and that of the one before; weeks begin on Monday. */
function periodOf(view: 'month' | 'week', date: string) {
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
  const ends = await Promise.all(['asc', 'desc'].map((order) => list('event', { ...always, order })));
  const days = ends.flatMap(({ value }) => value).flatMap((event) => [event.start_date, event.end_date]);
  const now = new Date().toISOString();
  const sorted = [now, ...days].map((day) => day.slice(0, 10)).toSorted();
  return {
    first: periodOf('month', sorted[0] ?? now).previous,
    last: periodOf('month', sorted.at(-1) ?? now).end,
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

/** What a list without events says, and where else to look. */
function Empty({ address, context, hasPast }: PartProps & { readonly hasPast: boolean }) {
  const { word } = context;
  const anyDay = { days: undefined, date: undefined };
  const withoutFilters = Object.fromEntries(filterNames.map((name) => [name, undefined]));
  return (
    <div class="empty">
      <p>{word('none')}</p>
      {hasPast && (
        <p>
          <a href={address.queryWith({ ...anyDay, past: 'true' })}>{word('showPast')}</a>
        </p>
      )}
      {!isUnfiltered(address) && (
        <p>
          <a href={address.queryWith({ ...withoutFilters, ...anyDay })}>{word('showAll')}</a>
        </p>
      )}
    </div>
  );
}

interface ChoiceLinksProps extends PartProps {
  readonly categories: readonly TermView[];
  readonly colorOf: ColorOf;
}

/** Links to the days that people ask for, and to the categories in their colours; of many categories to those that stand below no other, and the chosen one. */
function ChoiceLinks({ address, context, categories, colorOf }: ChoiceLinksProps) {
  const { word, plain } = context;
  const { isList, isPast, days, date, filters, queryWith } = address;
  const toDays = [undefined, ...dayChoices].map((name) => {
    const href = queryWith({ days: name, date: undefined });
    return { href, text: word(name ?? 'anyDay'), isCurrent: name === days && date === undefined };
  });
  const isChosen = ({ slug }: TermView) => filters['categories'] === slug;
  const offered =
    categories.length <= maxChips ? categories : categories.filter(({ parent = 0 }) => parent === 0);
  const first = offered.slice(0, maxChips);
  // The chosen one is in sight wherever it stands, so that it can be taken back.
  const shown = [
    ...categories.filter((category) => isChosen(category) && !first.includes(category)),
    ...first,
  ];
  const further = offered.filter((category) => !shown.includes(category));
  const chips = (some: readonly TermView[]) =>
    some.map((category) => (
      <a
        key={category.id}
        class={`chip c-${colorOf(category)}`}
        href={queryWith({ categories: isChosen(category) ? undefined : category.slug })}
        aria-current={isChosen(category) ? 'true' : undefined}
        lang={langOf(category, 'name', context)}
      >
        {plain(category.name)}
      </a>
    ));
  return (
    <div class="choices">
      {isList && !isPast && (
        <nav class="chips" aria-label={word('days')}>
          {toDays.map(({ href, text, isCurrent }) => (
            <a key={href} class="chip" href={href} aria-current={isCurrent ? 'true' : undefined}>
              {text}
            </a>
          ))}
        </nav>
      )}
      {filters['featured'] && (
        <nav class="chips" aria-label={word('filters')}>
          <a class="chip" href={queryWith({ featured: undefined })} aria-current="true">
            {word('featured')}
          </a>
        </nav>
      )}
      {shown.length > 0 && (
        <nav class="chips" aria-label={word('category')}>
          {chips(shown)}
          {further.length > 0 && (
            <details>
              <summary>{word('showMore')}</summary>
              <div class="chips">{chips(further)}</div>
            </details>
          )}
        </nav>
      )}
    </div>
  );
}

interface FiltersProps extends PartProps, Choices {
  readonly categories: readonly TermView[];
}

function Filters({ address, context, categories, tags, venues, organizers }: FiltersProps) {
  const { site, word, plain } = context;
  const { filters, fixed, isList, date } = address;
  const byId = ({ id, name }: Choice): Option => [id, name];
  const choices = [
    ['categories', word('category'), categories.map(({ slug, name }): Option => [slug, plain(name)])],
    ['venue', word('venue'), venues.map(byId)],
    ['organizer', word('organizer'), organizers.map(byId)],
    ['tags', word('tag'), tags.map(({ slug, name }): Option => [slug, name])],
  ] as const;
  const isOpen = (isList && date !== undefined) || choices.some(([name]) => filters[name] !== undefined);
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
      <details open={isOpen}>
        <summary>{word('filters')}</summary>
        <div class="fields">
          <label>
            {word('fromDay')}
            <input type="date" name="date" value={date} min="0001-01-01" max={farFuture} />
          </label>
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
      {filters['featured'] && <input type="hidden" name="featured" value={filters['featured']} />}
      {Object.entries(fixed).map(([name, value]) => (
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
  const { view, page, isPast, queryWith } = address;
  const number = Number(page);
  let previous: readonly [href: string | undefined, text: string] = [
    queryWith({ page: number === 2 ? undefined : String(number - 1) }),
    word('earlier'),
  ];
  let next = number < pages ? queryWith({ page: String(number + 1) }) : undefined;
  if (view !== 'list') {
    const period = periodOf(view, dayOf(address));
    const hrefOf = (day: string) =>
      limits !== undefined && isOutside(day, limits) ? undefined : queryWith({ date: day });
    previous = [hrefOf(period.previous), word('earlier')];
    next = hrefOf(period.end);
  } else if (number === 1) {
    const href = queryWith({ past: isPast ? undefined : 'true', days: undefined, date: undefined });
    previous = [href, word(isPast ? 'upcoming' : 'past')];
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
