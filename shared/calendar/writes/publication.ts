/** Status and publication of events, venues and organizers (behaviour section 11). */

import { instantOf, type ParsedDate } from '../model/dates/parse-date.ts';
import { formatWall, readWall } from '../model/dates/wall.ts';
import { findZone, toWall, type Zone } from '../model/dates/zone.ts';
import type { Status } from '../model/records.ts';
import { has } from '../model/rights.ts';
import type { Surroundings } from '../parameters/parameter.ts';
import type { PostEntry } from '../replica/entries.ts';

interface PublicationValues {
  readonly status?: Status;
  readonly date?: ParsedDate;
  readonly date_utc?: ParsedDate;
}

export interface Publication {
  readonly status: Status;
  readonly date: string;
  readonly date_utc: string;
  readonly modified: string;
  readonly modified_utc: string;
}

/** Gives status, publication and last change after a write. On create the last change equals the publication. */
export function publicationAfter(
  before: PostEntry | undefined,
  values: PublicationValues,
  surroundings: Surroundings,
): Publication {
  const dates = publicationDates(before, values, surroundings);
  const status = statusAfter(before, values, readWall(dates.date_utc), surroundings);
  const { site, now } = surroundings;
  const modified =
    before === undefined ? dates : { date: formatWall(toWall(site.zone, now)), date_utc: formatWall(now) };
  return { status, ...dates, modified: modified.date, modified_utc: modified.date_utc };
}

/** Either date gives the other; both given, both stand as they are; none given, what was, or now. */
function publicationDates(
  before: PostEntry | undefined,
  { date, date_utc }: PublicationValues,
  { site, now }: Surroundings,
): { date: string; date_utc: string } {
  if (date === undefined && date_utc === undefined && before !== undefined)
    return { date: before.record.date, date_utc: before.record.date_utc };
  const local = date && instantOf(date, site.zone);
  const utc = date_utc && instantOf(date_utc, utcZone());
  return {
    date: formatWall(toWall(site.zone, local ?? utc ?? now)),
    date_utc: formatWall(utc ?? local ?? now),
  };
}

/** Who may not publish gets `draft` without a status, and `pending` where they ask to publish. */
function statusAfter(
  before: PostEntry | undefined,
  values: PublicationValues,
  published: number,
  { caller, now }: Surroundings,
): Status {
  const mayPublish = has('author', caller);
  const wanted = values.status ?? before?.status ?? (mayPublish ? 'publish' : 'draft');
  if (wanted !== 'publish' && wanted !== 'future') return wanted;
  const isAsked = Object.keys(values).some((name) => ['status', 'date', 'date_utc'].includes(name));
  if (!mayPublish && (before === undefined || isAsked)) return 'pending';
  return published > now ? 'future' : 'publish';
}

function utcZone(): Zone {
  const zone = findZone('UTC');
  if (zone === undefined) throw new TypeError('The zone UTC must exist.');
  return zone;
}
