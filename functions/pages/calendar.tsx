/** The calendar: a form of filters that stand in the address, and the events that are upcoming; the script makes a month of them. */

import { plainText } from '../../shared/calendar/model/text/html.ts';
import type { EventView, TermView, VenueView } from './calendar-read.ts';
import { usePage } from './context.ts';
import { EventList } from './parts.tsx';
import type { Word } from './words.ts';

/** Filters of the event list that the form has. */
export const filterNames = ['search', 'categories', 'venue', 'tags'] as const;
export type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

interface CalendarProps {
  readonly events: readonly EventView[];
  readonly categories: readonly TermView[];
  readonly tags: readonly TermView[];
  readonly venues: readonly VenueView[];
  readonly filters: Filters;
}

export function CalendarPage(props: CalendarProps) {
  const { events, filters } = props;
  const { site, origin, calendar, query, language, word } = usePage();
  const feed = new URL(`${origin}${calendar}/events.ics`);
  for (const [name, value] of Object.entries(filters)) feed.searchParams.set(name, value);
  if (language !== 'en') feed.searchParams.set('translation_language', language);
  const facts = { 'data-site': site, 'data-query': query, 'data-language': language };
  return (
    <>
      <h1>{word('calendar')}</h1>
      <FilterForm {...props} />
      <div id="calendar" data-api={`${calendar}/events`} {...facts}>
        <h2>{word('upcoming')}</h2>
        <EventList events={events} />
      </div>
      <section aria-labelledby="subscribe">
        <h2 id="subscribe">{word('subscribe')}</h2>
        <p>
          <a href={feed.href.replace(/^https?:/, 'webcal:')}>{word('subscribe')}</a>
        </p>
        <p>
          {word('feed')}: <code>{feed.href}</code>
        </p>
      </section>
    </>
  );
}

function FilterForm({ categories, tags, venues, filters }: CalendarProps) {
  const { site, language, word } = usePage();
  const choice = (name: keyof Filters, label: Word, options: readonly (readonly [string, string])[]) => (
    <label>
      {word(label)}
      <select name={name}>
        <option value="">{word('all')}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={filters[name] === value}>
            {plainText(text)}
          </option>
        ))}
      </select>
    </label>
  );
  const slugs = (terms: readonly TermView[]) => terms.map(({ slug, name }) => [slug, name] as const);
  const ids = venues.map(({ id, venue }) => [String(id), venue] as const);
  return (
    <form class="filters" action={`${site}/calendar`}>
      <label>
        {word('search')}
        <input type="search" name="search" value={filters.search ?? ''} maxLength={200} />
      </label>
      {choice('categories', 'category', slugs(categories))}
      {choice('venue', 'venue', ids)}
      {choice('tags', 'tag', slugs(tags))}
      <input type="hidden" name="translation_language" value={language} />
      <button type="submit">{word('show')}</button>
    </form>
  );
}
