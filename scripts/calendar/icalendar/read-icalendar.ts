/** Reads events from iCalendar (RFC 5545), with one event for each occurrence of a recurring event. */

import ICAL from 'ical.js';
import { Notes } from '../import/notes.ts';
import type { FileRows, Row, RowSource } from '../import/row.ts';
import { type Occurrence, rowOf } from './event-row.ts';
import { setZones } from './zones.ts';

type Component = InstanceType<typeof ICAL.Component>;
type Event = InstanceType<typeof ICAL.Event>;

/** Occurrences are imported until this time from now. */
const secondsAhead = 2 * 366 * 86_400;
/** Occurrences that are counted for each one that is imported, at most. */
const maxSkipped = 100;

/** Reads the events of a text. Throws an Error for a text that is not iCalendar. */
export function readICalendar(text: string, source: RowSource): FileRows {
  const { file, limits } = source;
  const rows: Row[] = [];
  const rejected: string[] = [];
  const notes = new Notes();
  for (const calendar of parseCalendars(text, file, rejected)) {
    const components = calendar.getAllSubcomponents('vevent');
    const exceptions = Map.groupBy(components.filter(isException), uidOf);
    for (const component of components) {
      const name = () => String(component.getFirstPropertyValue('summary') ?? uidOf(component)).slice(0, 60);
      try {
        setZones(component, calendar, notes);
        if (isException(component)) continue;
        for (const occurrence of occurrencesOf(component, exceptions, source, notes))
          rows.push(rowOf(occurrence, source));
      } catch (error) {
        rejected.push(`${name()}: ${error instanceof Error ? error.message : error}`);
      }
      if (rows.length > limits.records)
        throw new Error(`${file} has more than ${limits.records} events: split the file.`);
    }
  }
  return { rows, rejected, notes: notes.lines() };
}

const calendarBlock = /^BEGIN:VCALENDAR\b[\s\S]*?^END:VCALENDAR\b/gim;
const eventBlock = /^BEGIN:VEVENT\b[\s\S]*?^END:VEVENT[ \t]*\r?$/gim;

/** Parses the calendars of a text. Each event is parsed alone, so that an invalid one takes no other with it. */
function parseCalendars(text: string, file: string, rejected: string[]): Component[] {
  const blocks = text.match(calendarBlock) ?? [];
  if (blocks.length === 0)
    throw new Error(`${file} is no iCalendar: it has no lines from BEGIN:VCALENDAR to END:VCALENDAR.`);
  return blocks
    .map((block) => {
      const calendar = parseComponent(block.replace(eventBlock, ''), (reason) => {
        throw new Error(`${file} is no iCalendar: ${reason}`);
      });
      for (const text of block.match(eventBlock) ?? []) {
        const [, summary = 'an event'] = /^SUMMARY[^:\r\n]*:([^\r\n]{1,60})/im.exec(text) ?? [];
        const event = parseComponent(text, (reason) => rejected.push(`${summary}: ${reason}`));
        if (event !== undefined) calendar?.addSubcomponent(event);
      }
      return calendar;
    })
    .filter((calendar) => calendar !== undefined);
}

function parseComponent(text: string, onError: (reason: string) => void): Component | undefined {
  try {
    return new ICAL.Component(ICAL.parse(text) as [string, unknown[], unknown[]]);
  } catch (error) {
    onError(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

function isException(component: Component): boolean {
  return component.hasProperty('recurrence-id');
}

/** Returns the UID of an event; one without a UID is named by its title and start. */
function uidOf(component: Component): string {
  const value = (name: string) => String(component.getFirstPropertyValue(name) ?? '');
  return value('uid') || `${value('summary')} ${value('dtstart')}`;
}

function occurrencesOf(
  component: Component,
  exceptions: ReadonlyMap<string, readonly Component[]>,
  source: RowSource,
  notes: Notes,
): Occurrence[] {
  const event = new ICAL.Event(component, { strictExceptions: true, exceptions: [] });
  const uid = uidOf(component);
  const start: unknown = event.startDate;
  if (!(start instanceof ICAL.Time)) throw new Error('it has no start (DTSTART)');
  const id = localId(uid, source);
  if (!event.isRecurring()) return [{ component, start, end: event.endDate, uid, id }];
  for (const exception of exceptions.get(uid) ?? []) event.relateException(new ICAL.Event(exception));
  return [...recurrences(event, source, notes)].map(({ recurrenceId, startDate, endDate, item }) => ({
    component: item.component,
    start: startDate,
    end: endDate,
    uid: `${uid} ${recurrenceId.toString()}`,
    // An event of this calendar was one event: its first occurrence.
    id: item === event && recurrenceId.compare(start) === 0 ? id : undefined,
  }));
}

type Details = ReturnType<Event['getOccurrenceDetails']>;

/** Returns the last occurrences of an event until two years from now. */
function recurrences(event: Event, { now, limits }: RowSource, notes: Notes): Details[] {
  const times: InstanceType<typeof ICAL.Time>[] = [];
  const iterator = event.iterator();
  const maxTime = now + secondsAhead;
  let count = 0;
  for (let next = iterator.next(); next; next = iterator.next()) {
    if (next.toUnixTime() > maxTime) break;
    count += 1;
    if (count > maxSkipped * limits.occurrences)
      throw new Error(`it has more than ${maxSkipped * limits.occurrences} occurrences`);
    times.push(next);
    if (times.length > limits.occurrences) times.shift();
  }
  if (count === 0 && event.startDate.toUnixTime() > maxTime)
    notes.add(
      'Recurring events that begin more than two years from now, and are left out',
      String(event.summary),
    );
  if (count > times.length)
    notes.add(
      `Events of which only the last ${limits.occurrences} occurrences are imported`,
      String(event.summary),
    );
  return times.map((time) => event.getOccurrenceDetails(time));
}

/** Returns the id of an event that was exported from this calendar: its UID has the host of the site and the id. */
function localId(uid: string, { host }: RowSource): number | undefined {
  const [, name, id] = /^(.+)\?id=(\d{1,15})$/.exec(uid) ?? [];
  return name === host ? Number(id) : undefined;
}
