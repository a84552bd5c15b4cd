import type { IdSpace, Log, StoredRecord } from '../../functions/calendar/log/log.ts';

/** New records that fit into one transaction: 100 rows, of which one is the head. */
const recordsPerWrite = 99;

/** Writes new records, as many at a time as a transaction takes. */
export async function fillCalendar(
  log: Log,
  count: number,
  record: (index: number, takeId: (space: IdSpace) => number) => StoredRecord,
): Promise<void> {
  for (let start = 0; start < count; start += recordsPerWrite) {
    const length = Math.min(recordsPerWrite, count - start);
    await log.write((takeId) => {
      const puts = Array.from({ length }, (_, index) => record(start + index, takeId));
      return { puts, deletes: [], result: undefined };
    });
  }
}

/** A record as large as an event usually is: about 1.2 KB of JSON, with a few characters that are not ASCII. */
export function eventSizedRecord(index: number): StoredRecord {
  const text = `Musik og smørrebrød på torvet – nummer ${index}. `;
  const value = {
    id: index,
    title: `Begivenhed ${index}`,
    slug: `begivenhed-${index}`,
    description: `<p>${text.repeat(16)}</p>`,
    start: new Date(Date.UTC(2026, 0, 1 + (index % 730))).toISOString(),
    categories: [index % 7, index % 11],
    tags: [index % 13],
    venue: index % 500,
    organizers: [index % 300],
  };
  return { key: `event/${index}`, json: JSON.stringify(value) };
}
