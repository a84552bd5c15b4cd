/** The pages of the calendar: they show what was read, or say why nothing is shown. */

import type { Calendar } from '../../shared/calendar/calendar.ts';
import { plainText } from '../../shared/calendar/model/text/html.ts';
import type { Reply } from '../../shared/http/reply.ts';
import { CalendarPage, type Filters, filterNames } from './calendar.tsx';
import { failureOf, type Reader, readAll, readList, readOne } from './calendar-read.ts';
import { contextOf, type PageCall, type PagesOptions } from './context.ts';
import { type Page, pageReply } from './page.tsx';
import { ContactPage, type ContactProps, EventPage, nameOf, RecordHead, summaryOf } from './record-pages.tsx';

/** Creates what replies the pages of the calendar, or why one is not shown. */
export function createCalendarPages(options: PagesOptions, calendar: () => Calendar) {
  async function reply(call: PageCall, show: (reader: Reader) => Promise<Page>): Promise<Reply> {
    const context = contextOf(call, options);
    try {
      return pageReply(await show({ calendar: calendar(), context }), context);
    } catch (error) {
      const { status, title, why } = failureOf(error);
      const [heading, text] = [context.word(title), context.word(why)];
      const children = [<h1 key="title">{heading}</h1>, <p key="why">{text}</p>];
      return pageReply({ status, title: heading, children }, context);
    }
  }

  return {
    calendar: (call: PageCall) => reply(call, showCalendar),
    event: (call: PageCall, slug: string) => reply(call, (reader) => showEvent(reader, slug)),
    contact: (call: PageCall, kind: ContactProps['kind'], slug: string) =>
      reply(call, (reader) => showContact(reader, kind, slug)),
  };
}

async function showEvent(reader: Reader, slug: string): Promise<Page> {
  const { value: event, version } = await readOne(reader, 'event', slug);
  const title = plainText(event.title);
  const head = <RecordHead path={`/event/${event.slug}/`} title={title} record={event} />;
  const children = <EventPage event={event} />;
  return { title, description: summaryOf(event), head, children, version };
}

async function showContact(reader: Reader, kind: ContactProps['kind'], slug: string): Promise<Page> {
  const { value: contact, version } = await readOne(reader, kind, slug);
  const { value: events } = await readList(reader, 'event', { [kind]: String(contact.id) });
  const title = nameOf(contact);
  const path = `/${kind}/${contact.slug}/`;
  const head = <RecordHead path={path} title={title} record={contact} />;
  const children = <ContactPage kind={kind} contact={contact} events={events} />;
  return { title, description: summaryOf(contact), head, children, version };
}

async function showCalendar(reader: Reader): Promise<Page> {
  const { context } = reader;
  const filters = filtersOf(context.url);
  const [{ value: events, version }, categories, tags, venues] = await Promise.all([
    readList(reader, 'event', filters),
    readAll(reader, 'category'),
    readAll(reader, 'tag'),
    readAll(reader, 'venue'),
  ]);
  const children = <CalendarPage {...{ events, categories, tags, venues, filters }} />;
  return { title: context.word('calendar'), children, script: 'calendar.js', style: 'calendar.css', version };
}

/** The filters in an address; those of an empty form are none. */
function filtersOf({ searchParams }: URL): Filters {
  const given = filterNames.map((name) => [name, searchParams.get(name) ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}
