/** The calendar in a browser: months and weeks of the events that the API has for the filters in the address. */

import { Calendar, type EventInput, type EventSourceFuncInfo } from 'fullcalendar';
import dayGrid from 'fullcalendar/daygrid';
import da from 'fullcalendar/locales/da';
import en from 'fullcalendar/locales/en-gb';
import sv from 'fullcalendar/locales/sv';
import classicTheme from 'fullcalendar/themes/classic';
import timeGrid from 'fullcalendar/timegrid';
import { type ColorOf, createColorOf, textOn } from '../views/colors.ts';
import type { EventView, TermView } from '../views/types.ts';
import { whenOf, within } from '../views/when.ts';
import type { PageLanguage } from '../views/words.ts';
import './frame-height.ts';
import { plain, readAll } from './lists.ts';

/** Views by the names that they have in the address. */
const views: Readonly<Record<string, string>> = { month: 'dayGridMonth', week: 'timeGridWeek' };

const place = document.getElementById('calendar') ?? document.body;
const { query = '', view = 'month', target = '' } = place.dataset;
const { site = '' } = document.body.dataset;
const language = document.documentElement.lang as PageLanguage;
const locale = { en, da, sv }[language] ?? en;
const address = new URLSearchParams(location.search);
const date = address.get('date') ?? '';
const colors = readAll<TermView>('categories', {}).then(createColorOf);
/** One form for all times: hours and minutes with two digits. */
const time = { hour: '2-digit', minute: '2-digit', hour12: false } as const;

place.replaceChildren();
new Calendar(place, {
  plugins: [dayGrid, timeGrid, classicTheme],
  locale,
  initialView: views[view] ?? 'dayGridMonth',
  ...(/^\d{4}-\d\d-\d\d$/.test(date) ? { initialDate: date } : {}),
  // Addresses and the API have years of four digits.
  validRange: { start: '0001-01-01', end: '9999-12-31' },
  headerToolbar: { start: 'title', end: 'today prev,next' },
  headerToolbarClass: 'toolbar',
  height: 'auto',
  dayMaxEvents: 4,
  displayEventEnd: false,
  eventDisplay: 'block',
  eventTitleClass: 'event-title',
  eventTimeFormat: time,
  slotHeaderFormat: time,
  scrollTime: '08:00',
  slotMinTime: '06:00',
  todayHint: locale.todayText ?? 'Today',
  // Names that hide what can be read go: a cell is named after its day and its events, a header after its text.
  dayCellDidMount: ({ el, date: day, isToday, isPast }) => {
    el.removeAttribute('aria-label');
    if (isToday) el.classList.add('today');
    if (isPast) el.classList.add('past');
    el.dataset['day'] = day.toISOString().slice(0, 10);
  },
  dayHeaderDidMount: ({ el }) => {
    el.removeAttribute('aria-label');
    el.querySelector('[aria-hidden]')?.removeAttribute('aria-hidden');
  },
  eventDidMount: ({ el, event }) => {
    // A title that is cut off can be read whole.
    el.title = event.extendedProps['summary'];
    if (target) el.setAttribute('target', target);
  },
  viewDidMount: ({ el }) => {
    const header = el.querySelector('[role=rowheader]:empty');
    for (const name of ['role', 'aria-label']) header?.removeAttribute(name);
  },
  // Events stand at the wall time of their zone: their times name no zone, so that none is converted.
  events: ({ startStr, endStr }: EventSourceFuncInfo) =>
    eventsBetween(startStr.slice(0, 19), endStr.slice(0, 19)),
  // The date is kept in the address, so that a link leads to what is seen, and in those to the other view.
  datesSet({ view: { calendar } }) {
    const day = calendar.formatIso(calendar.getDate(), true);
    const links = document.querySelectorAll<HTMLAnchorElement>('.views a[href*="view="]');
    for (const link of links) link.href = withDate(link.href, day);
    history.replaceState(null, '', withDate(location.href, day));
  },
}).render();

function withDate(href: string, day: string): string {
  const url = new URL(href);
  url.searchParams.set('date', day);
  return url.href;
}

/** Reads all events that touch a time range. */
async function eventsBetween(start: string, end: string): Promise<EventInput[]> {
  const filters = ['search', 'categories', 'venue', 'tags', 'organizer'].flatMap((name) =>
    address.get(name) ? [[name, address.get(name) ?? '']] : [],
  );
  const parameters = { ...within(start, end), ...Object.fromEntries(filters) };
  const [events, colorOf] = await Promise.all([readAll<EventView>('events', parameters), colors]);
  return events.map((event) => ({ ...toEvent(event), ...colorsOf(event, colorOf) }));
}

/** Returns the colours of an event: that of its first category, and of the text that is readable on it. */
function colorsOf({ categories: [first] }: EventView, colorOf: ColorOf) {
  if (first === undefined) return {};
  const color = colorOf(first);
  return { color: `#${color}`, contrastColor: `#${textOn(color)}` };
}

/** The end of whole days is the day after the last, where a day of 24 hours ends. Titles are written as HTML. */
function toEvent(event: EventView): EventInput {
  const { title, slug, start_date: start, end_date, all_day } = event;
  const allDay = all_day === true;
  const text = plain(title);
  const end = allDay ? `${end_date.slice(0, 10)}T24:00:00` : end_date;
  const summary = `${text}, ${whenOf(event, language)}`;
  return {
    title: text,
    url: `${site}/event/${slug}/${query}`,
    allDay,
    start,
    end,
    extendedProps: { summary },
  };
}
