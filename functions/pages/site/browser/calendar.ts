/**
 * The calendar in a browser: months and weeks of the events that the API has for the filters in the address. Where there is no room for
 * seven columns it is an agenda, day by day.
 */

import { Calendar, type EventInput, type EventSourceFuncInfo } from 'fullcalendar';
import dayGrid from 'fullcalendar/daygrid';
import list from 'fullcalendar/list';
import da from 'fullcalendar/locales/da';
import en from 'fullcalendar/locales/en-gb';
import sv from 'fullcalendar/locales/sv';
import classicTheme from 'fullcalendar/themes/classic';
import timeGrid from 'fullcalendar/timegrid';
import { titleWithStatus } from '../../../calendar/model/for-browsers/event-status.ts';
import { type ColorOf, createColorOf, textOn } from '../../common/views/colors.ts';
import { type EventView, langOf, pictureOf, type TermView, venuesOf } from '../../common/views/types.ts';
import { isDay, lastDay, shortWhenOf, textOfTime, timeOfText, within } from '../../common/views/when.ts';
import { type PageLanguage, words } from '../../common/views/words.ts';
import { showOnHover } from './event-tip.ts';
import './frame-height.ts';
import { plain, readAll } from '../../common/browser/lists.ts';

/** Views by the names that they have in the address: in columns, and as an agenda. */
const columns: Readonly<Record<string, string>> = { month: 'dayGridMonth', week: 'timeGridWeek' };
const agendas: Readonly<Record<string, string>> = { month: 'listMonth', week: 'listWeek' };
const isNarrow = matchMedia('(max-width: 40rem)');
const viewNow = () => (isNarrow.matches ? agendas : columns)[view] ?? 'dayGridMonth';

/** Hours that a week shows, unless events lie outside of them. */
const dayBegins = 9;
const dayEnds = 21;

/** An hour in milliseconds, and the hours by which two zones differ at most. */
const hour = 3_600_000;
const zonesApart = 26;
const midnight = '00:00:00';

const place = document.getElementById('calendar') ?? document.body;
const { query = '', view = 'month', target = '', zone = 'UTC', textLanguage = 'en' } = place.dataset;
const { site = '' } = document.body.dataset;
const language = document.documentElement.lang as PageLanguage;
const locale = { en, da, sv }[language] ?? en;
const address = new URLSearchParams(location.search);
const date = address.get('date') ?? '';
const colors = readAll<TermView>('categories', {}).then(createColorOf);
/** One form for all times: hours and minutes with two digits. */
const time = { hour: '2-digit', minute: '2-digit', hour12: false } as const;
const word = words(language);
/** The present time where the calendar is, as the clocks there show it: `2030-06-01T19:00:00`. */
const now = () =>
  new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    .format()
    .replace(' ', 'T');

place.replaceChildren();
const calendar = new Calendar(place, {
  plugins: [dayGrid, timeGrid, list, classicTheme],
  locale,
  initialView: viewNow(),
  ...(isDay(date) ? { initialDate: date } : {}),
  // Addresses and the API have years of four digits.
  validRange: { start: '0001-01-01', end: '9999-12-31' },
  headerToolbar: { start: 'title', end: 'today prev,next' },
  headerToolbarClass: 'toolbar',
  height: 'auto',
  dayMaxEvents: 3,
  displayEventEnd: false,
  eventDisplay: 'block',
  eventClass: 'entry',
  eventTimeClass: 'entry-time',
  eventTitleClass: 'entry-title',
  moreLinkClass: 'more-entries',
  dayRowClass: 'week',
  listDayClass: ({ isPast }) => (isPast ? 'day past' : 'day'),
  eventTimeFormat: time,
  slotHeaderFormat: time,
  now,
  nowIndicator: true,
  nowIndicatorLineClass: 'now-line',
  views: {
    timeGridWeek: {
      dayHeaderFormat: { weekday: 'short', day: 'numeric', month: 'short' },
      titleFormat: { day: 'numeric', month: 'short', year: 'numeric' },
    },
  },
  noEventsContent: word('none'),
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
    if (target) el.setAttribute('target', target);
    if (event.extendedProps['lang']) el.lang = event.extendedProps['lang'];
    if (isNarrow.matches) {
      // The links of an agenda are links again, in a group in place of a list.
      el.removeAttribute('role');
      el.parentElement?.setAttribute('role', 'group');
    } else {
      showOnHover(el, event.extendedProps['tip']);
    }
  },
  viewDidMount: ({ el }) => {
    const header = el.querySelector('[role=rowheader]:empty');
    for (const name of ['role', 'aria-label']) header?.removeAttribute(name);
  },
  // Events stand at the wall time of their zone: their times name no zone, so that none is converted.
  events: ({ startStr, endStr }: EventSourceFuncInfo) =>
    eventsBetween(startStr.slice(0, 19), endStr.slice(0, 19)),
  // The date is kept in the address, so that a link leads to what is seen, and in those to the other view.
  datesSet() {
    const day = dayOf(calendar.getDate());
    const links = document.querySelectorAll<HTMLAnchorElement>('.views a[href*="view="]');
    for (const link of links) link.href = withDate(link.href, day);
    history.replaceState(null, '', withDate(location.href, day));
    foldPast();
  },
});
calendar.render();
isNarrow.addEventListener('change', () => {
  calendar.changeView(viewNow());
  // Columns and agendas of the same days show long events in different ways.
  calendar.refetchEvents();
});

/** Leaves out the weeks of the present month that are over, in an agenda its days, until they are asked for. */
function foldPast(): void {
  document.querySelector('.show-past')?.remove();
  document.body.classList.remove('folded');
  const { type, activeStart, activeEnd } = calendar.view;
  const start = dayOf(activeStart);
  const end = dayOf(activeEnd);
  const today = now().slice(0, 10);
  // A month in columns has whole weeks; those of a week stand beside each other.
  const days = type === columns['month'] ? 7 : type === columns['week'] ? Number.POSITIVE_INFINITY : 1;
  const isPresent = start <= today && today < end;
  if (!isPresent || Date.parse(today) - Date.parse(start) < days * 24 * hour) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'show-past outline secondary';
  button.textContent = word('showPast');
  button.addEventListener('click', () => {
    button.remove();
    document.body.classList.remove('folded');
    place.querySelector<HTMLElement>('a.entry')?.focus();
  });
  document.body.classList.add('folded');
  place.before(button);
}

/** Returns the day of a date of the calendar: its time is left out here, since `formatIso` of FullCalendar 7.1.0 writes it with or without `omitTime`. */
function dayOf(date: Date): string {
  return calendar.formatIso(date).slice(0, 10);
}

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
  const parameters = {
    ...within(hoursAfter(start, -zonesApart), hoursAfter(end, zonesApart)),
    ...Object.fromEntries(filters),
  };
  const [found, colorOf] = await Promise.all([readAll<EventView>('events', parameters), colors]);
  const events = found.filter((event) => isBetween(event, start, end));
  showHoursOf(events, start, end);
  return events.map((event) => ({ ...toEvent(event), ...colorsOf(event, colorOf) }));
}

/** Returns a wall time some hours after another, within the years that addresses can have. */
function hoursAfter(text: string, hours: number): string {
  return textOfTime(Math.min(timeOfText(text) + hours * hour, lastDay));
}

/** Checks whether an event touches a time range at the wall time of its own zone, at which it is shown. */
function isBetween({ start_date, end_date }: EventView, start: string, end: string): boolean {
  const [from, to] = [start_date, end_date].map((text) => text.replace(' ', 'T')) as [string, string];
  return from < end && (to > start || from >= start);
}

/** Checks whether an event stands above the hours of a week: one of whole days, or one of a day or longer, which would cover all else. */
function isAboveHours({ all_day, start_date, end_date }: EventView): boolean {
  return all_day === true || timeOfText(end_date) - timeOfText(start_date) >= 24 * hour;
}

/** Lets a week begin with its first event and end with its last one, the present hour between them; an event over midnight takes the whole day. */
function showHoursOf(events: readonly EventView[], start: string, end: string): void {
  const present = now();
  const hours = start <= present && present < end ? [Number(present.slice(11, 13))] : [];
  const timed = events.filter((event) => !isAboveHours(event));
  const isOfMoreDays = ({ start_date, end_date }: EventView) =>
    start_date.slice(0, 10) !== end_date.slice(0, 10);
  const isOverMidnight = (event: EventView) => isOfMoreDays(event) && !event.end_date.endsWith(midnight);
  const hourOf = (text: string) => Number(text.slice(11, 13));
  const starts = timed.map((event) => (isOverMidnight(event) ? 0 : hourOf(event.start_date)));
  const ends = timed.map((event) => (isOfMoreDays(event) ? 24 : hourOf(event.end_date) + 1));
  const first = Math.min(starts.length > 0 ? 23 : dayBegins, ...starts, ...hours);
  const last = Math.max(dayEnds, first + 1, ...ends, ...hours.map((hour) => hour + 1));
  calendar.setOption('slotMinTime', `${String(first).padStart(2, '0')}:00`);
  calendar.setOption('slotMaxTime', `${last}:00`);
}

/** Returns the colours of an event: that of its first category, and of the text that is readable on it. */
function colorsOf({ categories: [first] }: EventView, colorOf: ColorOf) {
  if (first === undefined) return {};
  const color = colorOf(first);
  return { color: `#${color}`, contrastColor: `#${textOn(color)}` };
}

/** The end of whole days is the one of the last, after 24 hours. Titles are written as HTML. */
function toEvent(event: EventView): EventInput {
  const { title, slug, start_date: start, end_date, all_day, event_status: status } = event;
  const allDay = viewNow() === columns['week'] ? isAboveHours(event) : all_day === true;
  const text = titleWithStatus(plain(title), status, language);
  const end = allDay && !end_date.endsWith(midnight) ? `${end_date.slice(0, 10)}T24:00:00` : end_date;
  const places = venuesOf(event).map(({ venue = '', city = '' }) =>
    [plain(venue), plain(city)].filter(Boolean).join(', '),
  );
  const tip = {
    title: text,
    lines: [shortWhenOf(event, language), ...places],
    picture: pictureOf(event)?.sizes?.['medium']?.url ?? pictureOf(event)?.url,
  };
  return {
    title: text,
    url: `${site}/event/${slug}/${query}`,
    allDay,
    start,
    end,
    extendedProps: {
      tip,
      lang: langOf(event, 'title', { language, textLanguage: textLanguage as PageLanguage }),
    },
  };
}
