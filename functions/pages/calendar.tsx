/** The calendar: filters that stand in the address, and events in a list, or in a month or week that a script draws. */

import type { Page } from './page.tsx';
import type { Reader } from './reader.ts';
import { fromNow } from './record.tsx';
import { Subscribe } from './views/article.tsx';
import type { ColorOf } from './views/colors.ts';
import { EventList } from './views/events.tsx';
import type { ContactView, EventView, TermView } from './views/types.ts';
import type { Word } from './views/words.ts';

/** Filters of the event list that the form has, and those that links from other pages have beside them. */
const filterNames = ['search', 'categories', 'venue', 'tags', 'organizer'] as const;
const views = ['list', 'month', 'week'] as const;

/** Events on a page of the list. */
const perPage = '20';

/** Filters of the events that are over, the last one first. */
const untilNow = { ends_before: 'now', strict_dates: 'true', order: 'desc' } as const;

/** What the address of the calendar says. */
function addressOf({ url, language }: Reader['context']) {
  const { searchParams } = url;
  const given = filterNames.map((name) => [name, searchParams.get(name) ?? ''] as const);
  const filters = Object.fromEntries(given.filter(([, value]) => value !== ''));
  const view = views.find((name) => name === searchParams.get('view')) ?? 'list';
  const date = /^\d{4}-\d\d-\d\d$/.exec(searchParams.get('date') ?? '')?.[0];
  const isPast = view === 'list' && searchParams.get('past') === 'true';
  const page = /^[1-9]\d{0,5}$/.exec(searchParams.get('page') ?? '')?.[0] ?? '1';
  const ofLanguage = searchParams.has('translation_language') ? { translation_language: language } : {};
  /** Returns the query of the same calendar with other values; those that are undefined are left out. */
  const queryWith = (values: Readonly<Record<string, string | undefined>>) => {
    const all = {
      ...filters,
      ...(isPast ? { past: 'true' } : {}),
      ...(view === 'list' ? {} : { view }),
      ...values,
      ...ofLanguage,
    };
    return `?${new URLSearchParams(Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))}`;
  };
  return { filters, view, date, isPast, page, queryWith };
}

type Address = ReturnType<typeof addressOf>;

/** Creates the page of the calendar; `isFramed` for a frame on another site, whose links leave the frame. */
export async function calendarPage(reader: Reader, isFramed = false): Promise<Page> {
  const { list, all, categories } = reader;
  const context = { ...reader.context, ...(isFramed ? { target: '_blank' as const } : {}) };
  const { origin, calendar, language, word, siteUrl, config, site, query } = context;
  const address = addressOf(context);
  const { filters, view, isPast, page } = address;
  const [{ value: events, version, pages }, { terms, colorOf, colors }] = await Promise.all([
    list<EventView>('event', {
      ...filters,
      ...windowOf(address),
      page,
      per_page: view === 'list' ? perPage : '50',
    }),
    categories(),
  ]);
  const feed = new URL(`${origin}${calendar}/events.ics`);
  const ofLanguage = language === 'en' ? {} : { translation_language: language };
  feed.search = String(new URLSearchParams({ ...filters, ...ofLanguage }));
  const title = word(isPast ? 'past' : view === 'list' ? 'upcoming' : 'calendar');
  const [tags, venues] = isFramed
    ? [[], []]
    : await Promise.all([all<TermView>('tag'), all<ContactView>('venue')]);
  const children = (
    <>
      <div class="toolbar-row">
        {!isFramed && <Filters {...{ address, context, categories: terms, tags, venues }} />}
        <Views {...{ address, context }} />
      </div>
      <section
        id="calendar"
        data-view={view}
        data-query={query}
        data-target={context.target}
        aria-label={title}
      >
        <Events {...{ events, context, colorOf, address }} />
        {view !== 'list' && <Periods {...{ view, address, context }} />}
      </section>
      {view === 'list' && <Pager {...{ address, pages, context }} />}
      {!isFramed && <Subscribe feed={feed.href} context={context} />}
    </>
  );
  const feeds = (
    <>
      <link rel="alternate" type="text/calendar" title={word('subscribe')} href={feed.href} />
      <link rel="alternate" type="application/rss+xml" title={title} href={`${site}/events/feed/`} />
    </>
  );
  return {
    ...{ title, children, version, colors, head: isFramed ? undefined : feeds },
    ...{
      canonical: `${siteUrl}/calendar`,
      description: config.SITE_NAME && `${config.SITE_NAME}: ${word('upcoming')}`,
    },
    ...(view === 'list' ? {} : { script: 'calendar.js', style: 'calendar.css' }),
    ...(isFramed
      ? ({ frame: 'embedded', script: view === 'list' ? 'embedded.js' : 'calendar.js' } as const)
      : {}),
  };
}

/** Returns the filters of dates of what is seen: from now on, what is over, or a month or week. */
function windowOf({ view, date, isPast }: Address): Readonly<Record<string, string>> {
  if (view === 'list') return isPast ? untilNow : fromNow;
  const { start, end } = periodOf(view, date);
  return { ends_after: start, starts_before: end, strict_dates: 'true' };
}

/** Returns the month or week of a day: its first day, the first day after it, and a day of the one before; weeks begin on Monday. */
function periodOf(view: 'month' | 'week', day = new Date().toISOString().slice(0, 10)) {
  const [year = 0, month = 0, number = 0] = day.split('-').map(Number);
  const isMonth = view === 'month';
  const first = new Date(Date.UTC(year, month - 1, isMonth ? 1 : number));
  if (!isMonth) first.setUTCDate(first.getUTCDate() - ((first.getUTCDay() + 6) % 7));
  const [before, after] = [-1, 1].map((step) => {
    const other = new Date(first);
    if (isMonth) other.setUTCMonth(other.getUTCMonth() + step);
    else other.setUTCDate(other.getUTCDate() + 7 * step);
    return other;
  });
  const text = (date = first) => date.toISOString().slice(0, 10);
  return { start: text(), end: text(after), before: text(before) };
}

interface PartProps {
  readonly address: Address;
  readonly context: Reader['context'];
}

function Events({
  events,
  context,
  colorOf,
  address,
}: PartProps & { readonly events: readonly EventView[]; readonly colorOf: ColorOf }) {
  const { word } = context;
  if (events.length > 0) return <EventList {...{ events, context, colorOf }} />;
  const isFiltered = Object.keys(address.filters).length > 0;
  const cleared = Object.fromEntries(filterNames.map((name) => [name, undefined]));
  return (
    <div class="empty">
      <p>{word('none')}</p>
      {isFiltered && <a href={address.queryWith(cleared)}>{word('showAll')}</a>}
    </div>
  );
}

function Views({ address, context: { word } }: PartProps) {
  const { view, isPast, queryWith } = address;
  return (
    <nav class="views" aria-label={word('views')}>
      {views.map((name) => (
        <a
          key={name}
          href={queryWith({ view: name === 'list' ? undefined : name, past: undefined })}
          aria-current={name === view && !isPast ? 'true' : undefined}
        >
          {word(name)}
        </a>
      ))}
    </nav>
  );
}

interface FiltersProps extends PartProps {
  readonly categories: readonly TermView[];
  readonly tags: readonly TermView[];
  readonly venues: readonly ContactView[];
}

function Filters({ address, context, categories, tags, venues }: FiltersProps) {
  const { site, language, word, plain } = context;
  const { filters, view, isPast, date } = address;
  const slugs = (terms: readonly TermView[]) => terms.map(({ slug, name }) => [slug, name] as const);
  const choices: readonly (readonly [string, Word, readonly (readonly [string, string])[]])[] = [
    ['categories', 'category', slugs(categories)],
    ['venue', 'venue', venues.map(({ id, venue = '' }) => [String(id), venue] as const)],
    ['tags', 'tag', slugs(tags)],
  ];
  const isOpen = choices.some(([name]) => filters[name] !== undefined);
  const shownNow = { view: view === 'list' ? '' : view, date: date ?? '', past: isPast ? 'true' : '' };
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
          {choices.map(([name, label, options]) => (
            <label key={name}>
              {word(label)}
              <select name={name}>
                <option value="">{word('all')}</option>
                {options.map(([value, text]) => (
                  <option key={value} value={value} selected={filters[name] === value}>
                    {plain(text)}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </div>
      </details>
      {Object.entries({ ...shownNow, translation_language: language }).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
    </form>
  );
}

/** Links to the pages of the list. Before its first page are the events that are over, or, from those, the upcoming ones. */
function Pager({ address, pages, context: { word } }: PartProps & { readonly pages: number }) {
  const { page, isPast, queryWith } = address;
  const number = Number(page);
  const before =
    number > 1
      ? { href: queryWith({ page: number === 2 ? undefined : String(number - 1) }), text: word('earlier') }
      : { href: queryWith({ past: isPast ? undefined : 'true' }), text: word(isPast ? 'upcoming' : 'past') };
  return (
    <nav class="pager" aria-label={word('pages')}>
      <a rel="prev" href={before.href}>
        ← {before.text}
      </a>
      {number < pages && (
        <a rel="next" href={queryWith({ page: String(number + 1) })}>
          {word('later')} →
        </a>
      )}
    </nav>
  );
}

/** Links to the month or week before and after, where no script draws it. */
function Periods({ view, address, context: { word } }: PartProps & { readonly view: 'month' | 'week' }) {
  const { before, end } = periodOf(view, address.date);
  return (
    <nav class="pager" aria-label={word('pages')}>
      <a href={address.queryWith({ date: before })}>← {word('earlier')}</a>
      <a href={address.queryWith({ date: end })}>{word('later')} →</a>
    </nav>
  );
}
