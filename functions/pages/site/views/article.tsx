/** An event, venue or organizer in full: its picture, its facts at a glance, its text, and how to add it to a calendar. */

import { type ComponentChildren, toChildArray } from 'preact';
import { statusWord } from '../../../calendar/model/for-browsers/event-status.ts';
import type { ColorOf } from '../../common/views/colors.ts';
import { priceOf } from '../../common/views/price.ts';
import {
  addressOf,
  type ContactView,
  type EventView,
  langOf,
  pictureOf,
  type ViewContext,
  venuesOf,
} from '../../common/views/types.ts';
import { instantOf } from '../../common/views/when.ts';
import type { Word } from '../../common/views/words.ts';
import { Categories, DateBlock, Picture, TimeBesideDate } from './events.tsx';
import { withOwnTargets } from './own-targets.ts';

interface ArticleProps {
  readonly record: EventView | ContactView;
  readonly title: string;
  readonly context: ViewContext;
  readonly colorOf: ColorOf;
  /** A map, where there is one. */
  readonly map?: ComponentChildren;
  /** The feed of a venue or organizer. */
  readonly feed?: string;
  /** How the series of an event repeats, in words. */
  readonly repetition?: string | undefined;
}

export function Article({ record, title, context, colorOf, map, feed, repetition }: ArticleProps) {
  const { word } = context;
  const picture = pictureOf(record);
  const event = 'title' in record ? record : undefined;
  const kind = event ? 'title' : 'venue' in record ? 'venue' : 'organizer';
  return (
    <article class={picture || record.description ? 'record' : 'record bare'}>
      {event?.event_status && <StatusBanner event={event} status={event.event_status} context={context} />}
      {event && isOver(event) && (
        <p class="banner" role="note">
          {word('isOver')}
        </p>
      )}
      <header>
        {event && <DateBlock event={event} context={context} isWhole />}
        <div>
          {event && <Categories event={event} context={context} colorOf={colorOf} />}
          <h1 lang={langOf(record, kind, context)}>{title}</h1>
          {event && <WhenAndWhere event={event} context={context} />}
          {repetition && <p class="muted">{repetition}</p>}
        </div>
      </header>
      {picture && (
        <figure>
          <Picture picture={picture} alt={picture.alt ?? ''} sizes="(min-width: 62rem) 46rem, 100vw" />
          {(picture.credit || picture.license) && (
            <figcaption class="muted">
              {[picture.credit, picture.license]
                .filter(Boolean)
                .map((text) => context.plain(text ?? ''))
                .join(', ')}
            </figcaption>
          )}
        </figure>
      )}
      <aside>
        {event && <Registration event={event} context={context} />}
        <dl>{detailsOf(record, context)}</dl>
        {event && <AddToCalendar event={event} context={context} />}
        <Share context={context} />
        {feed && <Subscribe feed={feed} context={context} />}
        {map}
      </aside>
      {/* It was sanitized when it was stored. */}
      {record.description && (
        <div
          class="text"
          lang={langOf(record, 'description', context)}
          dangerouslySetInnerHTML={{ __html: withOwnTargets(record.description) }}
        />
      )}
    </article>
  );
}

interface StatusProps extends Pick<ArticleProps, 'context'> {
  readonly event: EventView;
  readonly status: NonNullable<EventView['event_status']>;
}

/** That the event does not take place as announced, and why. */
function StatusBanner({ event, status, context }: StatusProps) {
  const { language, plain } = context;
  return (
    <p class="banner" role="note">
      <strong>{statusWord(status, language)}</strong>
      {event.event_status_reason && (
        <span lang={langOf(event, 'event_status_reason', context)}>: {plain(event.event_status_reason)}</span>
      )}
    </p>
  );
}

/** Statuses of events for which nobody can register. */
const closed: readonly EventView['event_status'][] = ['canceled', 'sold-out'];

/** The way to register or to buy tickets, while there is one. */
function Registration({
  event,
  context: { word },
}: {
  readonly event: EventView;
  readonly context: ViewContext;
}) {
  const { registration_url: href, event_status } = event;
  if (!href || closed.includes(event_status) || isOver(event)) return null;
  return (
    <p>
      <a class="button" href={href} rel="nofollow">
        {word('register')}
      </a>
    </p>
  );
}

/** Checks whether an event has ended. */
function isOver({ utc_end_date }: EventView): boolean {
  return Date.parse(instantOf(utc_end_date)) < Date.now();
}

/** The line below the title of an event. */
function WhenAndWhere({ event, context }: { readonly event: EventView; readonly context: ViewContext }) {
  const venues = venuesOf(event).map(({ venue = '' }) => context.plain(venue));
  return (
    <p class="when">
      <TimeBesideDate event={event} context={context} isWhole />
      {venues.filter(Boolean).map((venue) => ` · ${venue}`)}
    </p>
  );
}

/** Buttons that a script makes work, and shows. */
function Share({ context: { word } }: Pick<ArticleProps, 'context'>) {
  return (
    <div class="share" hidden data-copied={word('copied')}>
      <button type="button" class="outline" data-action="share" hidden>
        {word('share')}
      </button>
      <button type="button" class="outline" data-action="copy">
        {word('copyLink')}
      </button>
      <span role="status" />
    </div>
  );
}

/** The address of a feed, to open in a calendar program or to copy. */
export function Subscribe({
  feed,
  context: { word },
}: Pick<ArticleProps, 'context'> & { readonly feed: string }) {
  return (
    <section aria-labelledby="subscribe" class="subscribe">
      <h2 id="subscribe">{word('subscribe')}</h2>
      <p>
        <a href={feed.replace(/^https?:/, 'webcal:')}>{word('openFeed')}</a>
      </p>
      <p class="muted">
        {word('feed')}: <code>{feed}</code>
      </p>
    </section>
  );
}

/** Returns what is known of a record as terms and details; terms of which nothing is known are left out. */
function detailsOf(record: EventView | ContactView, context: ViewContext) {
  const { site, query, language, word, plain } = context;
  const [event, contact] = 'title' in record ? [record, undefined] : [undefined, record];
  const { website } = record;
  const phone = contact?.phone;
  // What a form is about to create has no page yet.
  const linkTo = (
    kind: 'venue' | 'organizer',
    linked: Omit<ContactView, 'slug'> & { readonly slug?: string },
  ) =>
    linked.slug === undefined ? (
      <span>{plain(linked[kind] ?? '')}</span>
    ) : (
      <a href={`${site}/${kind}/${linked.slug}/${query}`} lang={langOf(linked, kind, context)}>
        {plain(linked[kind] ?? '')}
      </a>
    );
  const place = (venue: ContactView) => [
    <span class="address">{addressOf(venue, context)}</span>,
    mapLink(venue, context),
  ];
  const places = event && venuesOf(event).map((venue) => [linkTo('venue', venue), place(venue)]);
  const tags = event?.tags.map((tag) => (
    <a
      href={`${site}/calendar?tags=${tag.slug}&translation_language=${language}`}
      lang={langOf(tag, 'name', context)}
    >
      {plain(tag.name)}
    </a>
  ));
  const details: Partial<Record<Word, ComponentChildren>> = {
    where: places?.map((item) => <span>{item}</span>) ?? (contact?.venue && <span>{place(contact)}</span>),
    cost: event && priceOf(event, context),
    organizer: event?.organizer.map((item) => linkTo('organizer', item)),
    tag: tags,
    website: website !== record.url && website && (
      <a href={website} rel="nofollow">
        {website.replace(/^https?:\/\/(?:www\.)?|\/$/g, '')}
      </a>
    ),
    phone: phone && <a href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>{phone}</a>,
    email: contact?.email && <a href={`mailto:${contact.email}`}>{contact.email}</a>,
  };
  return Object.entries(details).flatMap(([term, detail]) => {
    const parts = toChildArray(detail).filter((item) => item !== '');
    return parts.length === 0 ? [] : [<dt>{word(term as Word)}</dt>, ...parts.map((item) => <dd>{item}</dd>)];
  });
}

/** Returns a link to a map, where a venue has one. */
function mapLink(venue: ContactView, context: ViewContext) {
  const { geo_lat: lat, geo_lng: lng, show_map_link: hasMap } = venue;
  const address = addressOf(venue, context);
  const isPlaced = lat !== undefined && lng !== undefined;
  if (!hasMap || (!isPlaced && address === '')) return undefined;
  const query = isPlaced
    ? `?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`
    : `search?${new URLSearchParams({ query: address })}`;
  return <a href={`https://www.openstreetmap.org/${query}`}>{context.word('map')}</a>;
}

/** The links that add an event to another calendar, in a list that opens without a script. */
function AddToCalendar({ event, context }: { readonly event: EventView; readonly context: ViewContext }) {
  return (
    <details class="dropdown">
      {/* biome-ignore lint/a11y/useSemanticElements: the style sheet knows a summary as a button by its role. */}
      <summary role="button">{context.word('add')}</summary>
      <ul>
        {calendarLinks(event, context).map(([href, text, download]) => (
          <li key={href}>
            <a href={href} download={download}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

type Link = readonly [href: string, text: string, download?: string];

function calendarLinks(event: EventView, context: ViewContext): Link[] {
  const { calendar, language, word, plain } = context;
  const { all_day, start_date, end_date, utc_start_date, utc_end_date, url } = event;
  // The end of whole days is the day after the last, where a day of 24 hours ends.
  const dayAfter = new Date(`${end_date.slice(0, 10)}T24:00Z`).toISOString();
  const [start = '', end = ''] = all_day
    ? [start_date.slice(0, 10), dayAfter.slice(0, 10)]
    : [instantOf(utc_start_date), instantOf(utc_end_date)];
  const title = plain(event.title);
  const location = venuesOf(event)
    .map((venue) => addressOf(venue, context))
    .join('; ');
  const google = new URLSearchParams({
    action: 'TEMPLATE',
    text: title,
    dates: `${start}/${end}`.replaceAll(/[-:]/g, ''),
    location,
    details: url,
  });
  const outlook = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    startdt: start,
    enddt: end,
    allday: String(all_day === true),
    location,
    body: url,
  });
  const query = language === 'en' ? '' : `?translation_language=${language}`;
  const compose = 'calendar/0/action/compose';
  return [
    [`${calendar}/events/${event.id}.ics${query}`, word('addFile'), `${event.slug}.ics`],
    [`https://calendar.google.com/calendar/render?${google}`, 'Google'],
    [`https://outlook.live.com/${compose}?${outlook}`, 'Outlook.com'],
    [`https://outlook.office.com/${compose}?${outlook}`, 'Microsoft 365'],
  ];
}
