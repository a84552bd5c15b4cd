/** The calendar: a form of filters that stand in the address, and the events that are upcoming; the script makes a month of them. */

import { plainText } from '../../shared/calendar/model/text/html.ts';
import type { EventView, TermView, VenueView } from './calendar-read.ts';
import { EventList } from './event-list.tsx';
import type { PageLanguage } from './negotiate.ts';
import type { Places } from './places.ts';
import { type Word, words } from './words.ts';

/** Filters of the event list that the form has. */
export const filterNames = ['search', 'categories', 'venue', 'tags'] as const;
export type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

export interface CalendarProps {
  readonly events: readonly EventView[];
  readonly categories: readonly TermView[];
  readonly tags: readonly TermView[];
  readonly venues: readonly VenueView[];
  readonly filters: Filters;
  readonly places: Places;
  readonly language: PageLanguage;
  readonly query: string;
}

export function CalendarPage(props: CalendarProps) {
  const { events, filters, places, language, query } = props;
  const word = words(language);
  const feed = new URL(`${new URL(places.url).origin}${places.calendar}/events.ics`);
  for (const [name, value] of Object.entries(filters)) feed.searchParams.set(name, value);
  if (language !== 'en') feed.searchParams.set('translation_language', language);
  return (
    <>
      <h1>{word('calendar')}</h1>
      <FilterForm {...props} />
      <div
        id="calendar"
        data-api={`${places.calendar}/events`}
        data-site={places.site}
        data-query={query}
        data-language={language}
      >
        <h2>{word('upcoming')}</h2>
        <EventList {...{ events, places, language, query }} />
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

function FilterForm({ categories, tags, venues, filters, places, language }: CalendarProps) {
  const word = words(language);
  const slugs = (terms: readonly TermView[]) => terms.map(({ slug, name }) => [slug, name] as const);
  const ids = venues.map(({ id, venue }) => [String(id), venue] as const);
  return (
    <form class="filters" action={`${places.site}/calendar`}>
      <label>
        {word('search')}
        <input type="search" name="search" value={filters.search ?? ''} maxLength={200} />
      </label>
      <Choice name="categories" label="category" options={slugs(categories)} {...{ filters, word }} />
      <Choice name="venue" label="venue" options={ids} {...{ filters, word }} />
      <Choice name="tags" label="tag" options={slugs(tags)} {...{ filters, word }} />
      <input type="hidden" name="translation_language" value={language} />
      <button type="submit">{word('show')}</button>
    </form>
  );
}

interface ChoiceProps {
  readonly name: keyof Filters;
  readonly label: Word;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly filters: Filters;
  readonly word: (word: Word) => string;
}

function Choice({ name, label, options, filters, word }: ChoiceProps) {
  return (
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
}
