/** The calendar: a form of filters that stand in the address, and the events that are upcoming; the script makes a month of them. */

import { plainText } from '../../shared/calendar/model/text/html.ts';
import type { ContactView, EventView, Reader, TermView } from './calendar-read.ts';
import { upcoming } from './events.tsx';
import type { Page } from './page.tsx';

/** Filters of the event list that the form has. */
const filterNames = ['search', 'categories', 'venue', 'tags'] as const;

export async function calendarPage({ context, list, all }: Reader): Promise<Page> {
  const { url, site, origin, calendar, query, language, word } = context;
  const given = filterNames.map((name) => [name, url.searchParams.get(name) ?? ''] as const);
  const filters = Object.fromEntries(given.filter(([, value]) => value !== ''));
  const [{ value: events, version }, categories, tags, venues] = await Promise.all([
    list<EventView>('event', filters),
    all<TermView>('category'),
    all<TermView>('tag'),
    all<ContactView>('venue'),
  ]);
  const slugs = (terms: readonly TermView[]) => terms.map(({ slug, name }) => [slug, name] as const);
  const choices = [
    ['categories', word('category'), slugs(categories)],
    ['venue', word('venue'), venues.map(({ id, venue = '' }) => [String(id), venue] as const)],
    ['tags', word('tag'), slugs(tags)],
  ] as const;
  const feed = new URL(`${origin}${calendar}/events.ics`);
  const ofLanguage = language === 'en' ? {} : { translation_language: language };
  feed.search = String(new URLSearchParams({ ...filters, ...ofLanguage }));
  const children = (
    <>
      <form class="fields" action={`${site}/calendar`}>
        <label>
          {word('search')}
          <input type="search" name="search" value={filters['search'] ?? ''} maxLength={200} />
        </label>
        {choices.map(([name, label, options]) => (
          <label key={name}>
            {label}
            <select name={name}>
              <option value="">{word('all')}</option>
              {options.map(([value, text]) => (
                <option key={value} value={value} selected={filters[name] === value}>
                  {plainText(text)}
                </option>
              ))}
            </select>
          </label>
        ))}
        <input type="hidden" name="translation_language" value={language} />
        <button type="submit">{word('show')}</button>
      </form>
      <section id="calendar" data-query={query}>
        {upcoming(events, context)}
      </section>
      <section aria-labelledby="subscribe">
        <h2 id="subscribe">{word('subscribe')}</h2>
        <a href={feed.href.replace(/^https?:/, 'webcal:')}>{word('subscribe')}</a>
        <p>
          {word('feed')}: <code>{feed.href}</code>
        </p>
      </section>
    </>
  );
  return { title: word('calendar'), children, script: 'calendar.js', style: 'calendar.css', version };
}
