/** A list of events, as a calendar shows it without a script. */

import { plainText } from '../../shared/calendar/model/text/html.ts';
import type { EventView } from './calendar-read.ts';
import { venuesOf, whenOf } from './calendar-text.ts';
import type { PageLanguage } from './negotiate.ts';
import type { Places } from './places.ts';
import { words } from './words.ts';

interface EventListProps {
  readonly events: readonly EventView[];
  readonly places: Places;
  readonly language: PageLanguage;
  readonly query: string;
}

export function EventList({ events, places, language, query }: EventListProps) {
  if (events.length === 0) return <p>{words(language)('none')}</p>;
  return (
    <ul class="events">
      {events.map((event) => (
        <li key={event.id}>
          <a href={`${places.site}/event/${event.slug}/${query}`}>{plainText(event.title)}</a>
          <br />
          {whenOf(event, language)}
          {venuesOf(event).map(({ id, venue }) => (
            <span key={id}> · {plainText(venue)}</span>
          ))}
        </li>
      ))}
    </ul>
  );
}
