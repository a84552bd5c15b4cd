/** A date while its pieces are read: what is said of it, and what is counted from the present. */

import { startOfDay, type WallFields, wallOf } from './wall.ts';

export interface DraftDate {
  /** The day, where one is said. */
  readonly date?: WallFields;
  /** Seconds of the day. */
  readonly time?: number;
  /** Seconds ahead of UTC. */
  readonly offset?: number;
  readonly months: number;
  readonly days: number;
  readonly seconds: number;
  /** A day of the week, 0 for Sunday, that is looked for from the day on; or after it. */
  readonly weekday?: { readonly number: number; readonly isAfter: boolean };
  /** The first or last day of the month. */
  readonly edge?: 'first' | 'last';
}

/** A date of which nothing is said yet: now. */
export const nothingSaid: DraftDate = { months: 0, days: 0, seconds: 0 };

/** Gives the wall time of a draft, or undefined when no calendar has its day. A day without a time starts at 00:00:00. */
export function wallOfDraft(draft: DraftDate, now: number): number | undefined {
  const said = draft.date === undefined ? startOfDay(now) : wallOf(draft.date);
  if (said === undefined) return undefined;
  const time = draft.time ?? (draft.date === undefined ? now - startOfDay(now) : 0);
  return dayOf(draft, new Date(said * 1000)) + time + draft.seconds;
}

function dayOf({ weekday, months, days, edge }: DraftDate, said: Date): number {
  const toWeekday = weekday === undefined ? 0 : daysTo(weekday, said.getUTCDay(), days);
  const isLast = edge === 'last';
  const dayOfMonth = edge === undefined ? said.getUTCDate() + days + toWeekday : isLast ? 0 : 1;
  const date = new Date(said);
  date.setUTCFullYear(said.getUTCFullYear(), said.getUTCMonth() + months + (isLast ? 1 : 0), dayOfMonth);
  return date.getTime() / 1000;
}

/** Days to a day of the week; those counted back are counted from the last such day before. */
function daysTo({ number, isAfter }: NonNullable<DraftDate['weekday']>, from: number, days: number): number {
  const difference = number - from;
  const isPast = days < 0 ? difference < 0 : isAfter ? difference <= 0 : difference < 0;
  return isPast ? difference + 7 : difference;
}
