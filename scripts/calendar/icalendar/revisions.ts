/** Revisions of one event in a file: the latest counts, in any order (RFC 5546 2.1.5). */

import { type DateTime, dayOf, instantOf } from './date-time.ts';
import type { Instance } from './instance.ts';

export interface Latest {
  readonly latest: readonly Instance[];
  /** Revisions that another one replaces. */
  readonly superseded: readonly Instance[];
}

/**
 * Returns the latest revision of what has one UID. Without revisions that differ in their number, these are several events where they
 * begin at several times: some programs give all their events one UID.
 */
export function latestOf(instances: readonly Instance[]): Latest {
  if (instances.length <= 1) return { latest: instances, superseded: [] };
  const sequence = Math.max(...instances.map((item) => item.sequence));
  const newest = instances.filter((item) => item.sequence === sequence);
  const groups = Map.groupBy(newest, ({ start }) => timeKey(start));
  const latest = new Set([...groups.values()].flatMap(latestAtOneTime));
  return {
    latest: instances.filter((item) => latest.has(item)),
    superseded: instances.filter((item) => !latest.has(item)),
  };
}

/** Returns the latest revision; several events of one stamp and of several titles are none of each other. */
function latestAtOneTime(instances: readonly Instance[]): Instance[] {
  const [last] = instances.toSorted(byRevision).slice(-1);
  if (last === undefined || last.isCancelled) return last === undefined ? [] : [last];
  const newest = instances.filter(({ stamp }) => stamp === last.stamp);
  return [...Map.groupBy(newest, ({ name }) => name).values()].flatMap((items) => items.slice(-1));
}

/** Returns the latest revision of each occurrence that instances replace. */
export function latestExceptions(instances: readonly Instance[]): Latest {
  const byId = Map.groupBy(instances, ({ recurrenceId, isThisAndFuture }) =>
    recurrenceId === undefined ? '' : `${timeKey(recurrenceId)} ${isThisAndFuture}`,
  );
  const results = [...byId.values()].map((items) => {
    const [latest] = items.toSorted(byRevision).slice(-1);
    return { latest, superseded: items.filter((item) => item !== latest) };
  });
  return {
    latest: results.flatMap(({ latest }) => latest ?? []),
    superseded: results.flatMap(({ superseded }) => superseded),
  };
}

function byRevision(a: Instance, b: Instance): number {
  return (
    a.sequence - b.sequence ||
    (a.stamp < b.stamp ? -1 : a.stamp > b.stamp ? 1 : 0) ||
    Number(a.isCancelled) - Number(b.isCancelled)
  );
}

function timeKey(time: DateTime): string {
  return time.isDate ? `day ${dayOf(time)}` : `${instantOf(time)}`;
}
