/** The calendar in a browser: months, weeks and lists of the events that the API has for the filters in the address. */

import { Calendar, type EventInput, type EventSourceFuncInfo } from 'fullcalendar';
import dayGrid from 'fullcalendar/daygrid';
import list from 'fullcalendar/list';
import da from 'fullcalendar/locales/da';
import en from 'fullcalendar/locales/en-gb';
import sv from 'fullcalendar/locales/sv';
import classicTheme from 'fullcalendar/themes/classic';
import timeGrid from 'fullcalendar/timegrid';

interface EventView extends Readonly<Record<'title' | 'slug' | 'start_date' | 'end_date', string>> {
  readonly all_day: boolean | null;
}

/** Pages of the API that make one view, at most: a thousand events. */
const maxPages = 20;

/** Views by the names that they have in the address. */
const views = new Map([
  ['month', 'dayGridMonth'],
  ['week', 'timeGridWeek'],
  ['list', 'listMonth'],
]);

const place = document.getElementById('calendar') ?? document.body;
const { query = '' } = place.dataset;
const { site = '', calendar: api = '' } = document.body.dataset;
const { lang } = document.documentElement;
const locale = { en, da, sv }[lang] ?? en;
const asked = new URLSearchParams(location.search);
const date = asked.get('date') ?? '';

place.replaceChildren();
new Calendar(place, {
  plugins: [dayGrid, timeGrid, list, classicTheme],
  locale,
  initialView: views.get(asked.get('view') ?? '') ?? (innerWidth < 700 ? 'listMonth' : 'dayGridMonth'),
  ...(/^\d{4}-\d\d-\d\d$/.test(date) ? { initialDate: date } : {}),
  headerToolbar: { start: 'prev,next today', center: 'title', end: [...views.values()].join() },
  headerToolbarClass: 'toolbar',
  height: 'auto',
  dayMaxEvents: 4,
  todayHint: locale.todayText ?? 'Today',
  // Names that hide what can be read go: a cell is named after its day and its events, a header after its text. So do roles that a link cannot have.
  dayCellDidMount: ({ el }) => el.removeAttribute('aria-label'),
  dayHeaderDidMount: ({ el }) => {
    el.removeAttribute('aria-label');
    el.querySelector('[aria-hidden]')?.removeAttribute('aria-hidden');
  },
  eventDidMount: ({ el }) => {
    if (el.role !== 'listitem') return;
    el.closest('[role=list]')?.removeAttribute('role');
    el.removeAttribute('role');
  },
  viewDidMount: ({ el }) => {
    const header = el.querySelector('[role=rowheader]:empty');
    for (const name of ['role', 'aria-label']) header?.removeAttribute(name);
  },
  // Events stand at the wall time of their zone: their times name no zone, so that none is converted.
  events: ({ startStr, endStr }: EventSourceFuncInfo) =>
    eventsBetween(startStr.slice(0, 19), endStr.slice(0, 19)),
  // View and date are kept in the address, so that a link leads to what is seen.
  datesSet({ view: shown }) {
    const url = new URL(location.href);
    url.searchParams.set('view', [...views].find(([, type]) => type === shown.type)?.[0] ?? '');
    url.searchParams.set('date', shown.calendar.formatIso(shown.calendar.getDate(), true));
    history.replaceState(null, '', url);
  },
}).render();

/** Reads all events that touch a time range, page by page. */
async function eventsBetween(ends_after: string, starts_before: string): Promise<EventInput[]> {
  const parameters = new URLSearchParams({ ends_after, starts_before, per_page: '50' });
  if (lang !== 'en') parameters.set('translation_language', lang);
  for (const name of ['search', 'categories', 'venue', 'tags'])
    if (asked.get(name)) parameters.set(name, asked.get(name) ?? '');
  const events: EventInput[] = [];
  for (let page = 1, pages = 1; page <= Math.min(pages, maxPages); page += 1) {
    parameters.set('page', String(page));
    const found = await (await fetch(`${api}/events?${parameters}`)).json();
    pages = found.total_pages;
    events.push(...found.events.map(toEvent));
  }
  return events;
}

/** The end of whole days is the day after the last, where a day of 24 hours ends. Titles are written as HTML. */
function toEvent({ title, slug, start_date: start, end_date, all_day }: EventView): EventInput {
  const allDay = all_day === true;
  const text = new DOMParser().parseFromString(title, 'text/html').body.textContent ?? '';
  const end = allDay ? `${end_date.slice(0, 10)}T24:00:00` : end_date;
  return { title: text, url: `${site}/event/${slug}/${query}`, allDay, start, end };
}
