/** Reading a stored record, so that 100,000 of them take little memory. */

import type { CalendarRecord, EventRecord } from '../model/records.ts';

/** Fields whose texts are often equal, within a record and across records. */
const repeated: readonly (keyof EventRecord)[] = [
  'status',
  'timezone',
  'date',
  'date_utc',
  'modified',
  'modified_utc',
  'start_date',
  'end_date',
  'utc_start_date',
  'utc_end_date',
];

/** Texts kept to be shared, at the most. */
const keptTexts = 20_000;

const shared = new Map<string, string>();

/** Reads the JSON text of a record. Dates and other texts that repeat are kept in memory once. */
export function readRecord(json: string): CalendarRecord {
  const record = JSON.parse(json) as Record<string, unknown>;
  for (const field of repeated) {
    const text = record[field];
    if (typeof text === 'string') record[field] = sharedText(text);
  }
  return record as unknown as CalendarRecord;
}

function sharedText(text: string): string {
  const known = shared.get(text);
  if (known !== undefined) return known;
  if (shared.size >= keptTexts) shared.clear();
  shared.set(text, text);
  return text;
}
