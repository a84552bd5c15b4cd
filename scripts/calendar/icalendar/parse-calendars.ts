/** Parses iCalendar (RFC 5545) line by line: what is no property is named, and takes no event with it but its own. */

import ICAL from 'ical.js';
import { plainLines } from './quoted-printable.ts';

type JCalProperty = [name: string, parameters: Record<string, unknown>, type: string, ...values: unknown[]];
type JCal = [name: string, properties: JCalProperty[], components: unknown[]];
export type Component = InstanceType<typeof ICAL.Component>;
export type Property = InstanceType<typeof ICAL.Property>;

/** A component of an event that was read to its end. */
export interface ParsedEvent {
  readonly component: Component;
  /** Lines of the event that are no properties. */
  readonly invalidLines: readonly string[];
  readonly calendar: ParsedCalendar;
}

export interface ParsedCalendar {
  readonly properties: Component;
  readonly zones: readonly Component[];
}

export interface ParsedFile {
  readonly events: readonly ParsedEvent[];
  /** Rules of time zones behind the end of a calendar. */
  readonly zones: readonly Component[];
  /** Lines outside of events that are no properties. */
  readonly invalidLines: readonly string[];
  /** Components that are no events, such as `VTODO: Buy milk`. */
  readonly others: readonly string[];
  /** Titles of events without an end. */
  readonly unfinished: readonly string[];
  readonly hasEnd: boolean;
}

/** Types whose values remain texts: the library guesses where they are invalid, and its times have only the zones that it knows. */
const textTypes = ['date', 'date-time', 'duration', 'period', 'recur', 'utc-offset', 'time'];

const design = {
  ...ICAL.design.icalendar,
  value: Object.fromEntries(
    Object.entries(ICAL.design.icalendar.value as Record<string, object>).filter(
      ([type]) => !textTypes.includes(type),
    ),
  ),
};

/** Components below an event or a calendar that this many others enclose are no calendar. */
const maxDepth = 20;

interface OpenComponent {
  readonly jCal: JCal;
  readonly invalidLines: string[];
}

/** Parses the components of a text without folds. */
export function parseCalendars(text: string): ParsedFile {
  const events: ParsedEvent[] = [];
  const outerZones: Component[] = [];
  const invalidLines: string[] = [];
  const others: string[] = [];
  const unfinished: string[] = [];
  const open: OpenComponent[] = [];
  let calendar = newCalendar();
  let hasEnd = false;

  function begin(name: string): void {
    if (name === 'vcalendar') {
      abandon(0);
      calendar = newCalendar();
      hasEnd = false;
      return;
    }
    // An event is in no other one: that has no end.
    if (name === 'vevent') abandon(0);
    if (open.length < maxDepth) open.push({ jCal: [name, [], []], invalidLines: [] });
  }

  /** Closes components that have no end. */
  function abandon(index: number): void {
    for (const { jCal } of open.splice(index))
      if (jCal[0] === 'vevent') unfinished.push(titleOf(new ICAL.Component(jCal as never)));
  }

  function end(name: string, line: string): void {
    if (name === 'vcalendar') {
      hasEnd = true;
      abandon(0);
      return;
    }
    const index = open.findLastIndex(({ jCal }) => jCal[0] === name);
    if (index < 0) {
      invalidLines.push(line);
      return;
    }
    abandon(index + 1);
    const closed = open.pop();
    if (closed !== undefined) close(closed, open.at(-1));
  }

  function close({ jCal, invalidLines: lines }: OpenComponent, parent: OpenComponent | undefined): void {
    const [name] = jCal;
    const component = () => new ICAL.Component(jCal as never);
    if (name === 'vevent') events.push({ component: component(), invalidLines: lines, calendar });
    else if (parent !== undefined) parent.jCal[2].push(jCal);
    else if (name !== 'vtimezone') others.push(titleOf(component()));
    else if (hasEnd) outerZones.push(component());
    else calendar.zones.push(component());
    if (name !== 'vevent' && parent === undefined) invalidLines.push(...lines);
  }

  for (const line of plainLines(linesOf(text))) {
    const [, mark, name = ''] = /^(BEGIN|END)[ \t]*:\s*(\S+)\s*$/i.exec(line) ?? [];
    if (mark?.toUpperCase() === 'BEGIN') begin(name.toLowerCase());
    else if (mark?.toUpperCase() === 'END') end(name.toLowerCase(), line);
    else {
      const property = parseProperty(line);
      const top = open.at(-1);
      if (property !== undefined) (top?.jCal ?? calendar.jCal)[1].push(property);
      else if (top === undefined) invalidLines.push(line);
      // Alarms are not imported, so that their lines need not be valid.
      else if (top.jCal[0] !== 'valarm') top.invalidLines.push(line);
    }
  }
  abandon(0);
  return {
    events,
    zones: outerZones,
    invalidLines,
    others,
    unfinished,
    hasEnd,
  };
}

function newCalendar() {
  const jCal: JCal = ['vcalendar', [], []];
  return { jCal, properties: new ICAL.Component(jCal as never), zones: [] as Component[] };
}

/** Yields the lines with text, without their ends. */
function* linesOf(text: string): Generator<string> {
  let start = 0;
  while (start <= text.length) {
    const next = text.slice(start, start + 1) === '' ? -1 : endOfLine(text, start);
    const line = text.slice(start, next < 0 ? undefined : next);
    if (line.trim() !== '') yield line;
    if (next < 0) return;
    start = next + 1;
  }
}

function endOfLine(text: string, start: number): number {
  lineEnd.lastIndex = start;
  return lineEnd.exec(text)?.index ?? -1;
}

const lineEnd = /[\r\n]/g;

/** Returns a property in the form of jCal (RFC 7265), a date with its type as parameter `value`; undefined for a line that is none. */
function parseProperty(line: string): JCalProperty | undefined {
  // Some programs write a space before the name.
  const [, name] = /^\s*([A-Za-z0-9-]+)[ \t]*[;:]/.exec(line) ?? [];
  if (name === undefined) return undefined;
  try {
    const property = ICAL.parse.property(line.trimStart(), design as never) as unknown as JCalProperty;
    const [, parameters, type] = property;
    if (!textTypes.includes(type)) return property;
    parameters['value'] = type;
    property[2] = 'unknown';
    return property;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return undefined;
  }
}

/** Returns the kind of a component and its title, for messages. */
function titleOf(component: Component): string {
  const summary = component.getFirstPropertyValue('summary') ?? component.getFirstPropertyValue('uid') ?? '';
  return `${component.name.toUpperCase()}${summary === '' ? '' : `: ${String(summary)}`}`;
}
