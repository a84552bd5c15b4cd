/** Places of iCalendar: LOCATION and GEO, and the structured location of Apple. */

import { escapeUTF8 } from 'entities/escape';
import { oneLine } from '../../../functions/calendar/model/text/plain-text.ts';
import { takeLinks } from '../import/links.ts';
import type { Contact } from '../import/row.ts';
import type { Component } from './parse-calendars.ts';

/** A number of a house, which is no name of a place. */
const houseNumber = /^(?:no\.?\s*)?\d+\s*[a-z]?(?:\s*[-/]\s*\d+\s*[a-z]?)?$/i;

/** The place of an event. */
export interface Place {
  readonly venues: readonly Contact[];
  /** Links that are written in its location, such as that of a meeting on the Web. */
  readonly links: readonly string[];
}

/** Returns the place of an event: its venue, and what are links and no places. */
export function placeOf(event: Component): Place {
  const { text, links } = takeLinks(
    textOf(event.getFirstPropertyValue('location')).replace(/\\n|\r\n/g, '\n'),
  );
  return { venues: venuesOf(event, text), links };
}

/**
 * Returns the venue of an event: the first line of its location is the name, else the text before its first comma. An address that begins with
 * the number of a house has no name but its first two parts.
 */
function venuesOf(event: Component, location: string): Contact[] {
  const apple = event.getFirstProperty('x-apple-structured-location');
  const title = textOf(apple?.getFirstParameter('x-title'));
  const [firstLine = '', ...lines] = linesOf(location || title);
  const [, beforeComma = firstLine, afterComma = ''] = /^([^,]+),\s*(.*)$/s.exec(firstLine) ?? [];
  const isNumber = lines.length === 0 && houseNumber.test(beforeComma.trim()) && afterComma !== '';
  const [street = ''] = afterComma.split(',', 1);
  const name = lines.length > 0 ? firstLine : isNumber ? `${beforeComma}, ${street}` : beforeComma;
  if (name === '') return [];
  const written = lines.length > 0 ? lines.join(', ') : isNumber ? firstLine : afterComma;
  const address = written || linesOf(textOf(apple?.getFirstParameter('x-address'))).join(', ');
  return [
    {
      venue: escapeUTF8(name),
      ...(address === '' ? {} : { address: escapeUTF8(address) }),
      ...degreesOf(textOf(event.getFirstPropertyValue('geo')) || textOf(apple?.getFirstValue())),
    },
  ];
}

/** Apple writes line breaks in parameters as the two characters of their escape. */
function linesOf(text: string): string[] {
  return text
    .split(/\\n|\r?\n/)
    .map(oneLine)
    .filter((line) => line !== '');
}

function degreesOf(text: string): object {
  const [, lat, lng] = /^(?:geo:)?\s*(-?\d{1,2}(?:\.\d+)?)[;,]\s*(-?\d{1,3}(?:\.\d+)?)/.exec(text) ?? [];
  const isOnEarth = lat !== undefined && Math.abs(Number(lat)) <= 90 && Math.abs(Number(lng)) <= 180;
  return isOnEarth ? { geo_lat: Number(lat), geo_lng: Number(lng) } : {};
}

function textOf(value: unknown): string {
  return String(value ?? '').trim();
}
