/** The calendar in a browser: months, weeks and lists of the events that the API has for the filters in the address. */

import { Calendar, type EventInput, type EventSourceFuncInfo } from 'fullcalendar';
import dayGrid from 'fullcalendar/daygrid';
import list from 'fullcalendar/list';
import da from 'fullcalendar/locales/da';
import sv from 'fullcalendar/locales/sv';
import classicTheme from 'fullcalendar/themes/classic';
import timeGrid from 'fullcalendar/timegrid';

interface EventView {
  readonly title: string;
  readonly slug: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly all_day: boolean | null;
}

interface EventPage {
  readonly events: readonly EventView[];
  readonly total_pages: number;
}

/** Views by the names that they have in the address. */
const views = { month: 'dayGridMonth', week: 'timeGridWeek', list: 'listMonth' } as const;

const today: Readonly<Record<string, string>> = { en: 'Today', da: 'I dag', sv: 'Idag' };

/** Pages of the API that make one view, at most: a thousand events. */
const maxPages = 20;

const place = document.getElementById('calendar');
if (place !== null) show(place);

function show(element: HTMLElement): void {
  const { api = '', site = '', query = '', language = 'en' } = element.dataset;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const asked = new URLSearchParams(location.search);
  const view = Object.entries(views).find(([name]) => name === asked.get('view'))?.[1];
  const date = asked.get('date');
  element.replaceChildren();
  const calendar = new Calendar(element, {
    plugins: [dayGrid, timeGrid, list, classicTheme],
    locales: [da, sv],
    locale: language === 'en' ? 'en-gb' : language,
    initialView: view ?? (innerWidth < 700 ? views.list : views.month),
    ...(date !== null && /^\d{4}-\d\d-\d\d$/.test(date) ? { initialDate: date } : {}),
    headerToolbar: { start: 'prev,next today', center: 'title', end: Object.values(views).join() },
    colorScheme: dark.matches ? 'dark' : 'light',
    firstDay: 1,
    height: 'auto',
    dayMaxEvents: 4,
    todayText: today[language] ?? 'Today',
    todayHint: today[language] ?? 'Today',
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
    headerToolbarClass: 'toolbar',
    // Events stand where the clocks of their own zones are, so that none of these is converted.
    timeZone: 'UTC',
    now: () => wallTime(new Date()),
    events: ({ start, end }: EventSourceFuncInfo) =>
      eventsBetween(api, start, end, (slug) => `${site}/event/${slug}/${query}`),
    datesSet: ({ view: shown }) => rememberInAddress(shown.type, shown.calendar.getDate()),
  });
  calendar.render();
  dark.addEventListener('change', () => calendar.setOption('colorScheme', dark.matches ? 'dark' : 'light'));
}

/** Reads all events that touch a time, whatever number of pages that takes. */
async function eventsBetween(
  api: string,
  start: Date,
  end: Date,
  urlOf: (slug: string) => string,
): Promise<EventInput[]> {
  const query = new URLSearchParams({
    ends_after: wallTime(start),
    starts_before: wallTime(end),
    per_page: '50',
  });
  const asked = new URLSearchParams(location.search);
  for (const name of ['search', 'categories', 'venue', 'tags', 'translation_language']) {
    const value = asked.get(name);
    if (value !== null && value !== '' && value !== 'en') query.set(name, value);
  }
  const events: EventInput[] = [];
  for (let page = 1, pages = 1; page <= Math.min(pages, maxPages); page += 1) {
    query.set('page', String(page));
    const found = (await (await fetch(`${api}?${query}`)).json()) as EventPage;
    pages = found.total_pages;
    events.push(...found.events.map((event) => ({ ...shown(event), url: urlOf(event.slug) })));
  }
  return events;
}

/** The end of whole days is the day after the last. */
function shown({ title, start_date, end_date, all_day }: EventView): EventInput {
  const allDay = all_day === true;
  const end = allDay ? `${dayAfter(end_date)}` : end_date.replace(' ', 'T');
  return {
    title: plain(title),
    allDay,
    start: allDay ? start_date.slice(0, 10) : start_date.replace(' ', 'T'),
    end,
  };
}

function dayAfter(text: string): string {
  return new Date(Date.parse(`${text.slice(0, 10)}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

/** Returns the text of a title, which the API writes as HTML. */
function plain(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '';
}

function wallTime(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** Keeps view and date in the address, so that a link leads to what is seen. */
function rememberInAddress(type: string, date: Date): void {
  const url = new URL(location.href);
  const [name] = Object.entries(views).find(([, view]) => view === type) ?? [];
  if (name !== undefined) url.searchParams.set('view', name);
  url.searchParams.set('date', date.toISOString().slice(0, 10));
  history.replaceState(null, '', url);
}
