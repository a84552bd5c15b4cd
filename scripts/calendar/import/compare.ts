/** What differs between a calendar and the one that it was imported from, record by record and field by field. */

import { isDeepStrictEqual } from 'node:util';
import type { ListedKind } from '../../../shared/calendar/model/values.ts';
import { type View, viewsIn } from '../../../shared/calendar/write/imported.ts';
import type { Views } from './views.ts';

/** Differences of one kind. */
export interface DifferenceClass {
  /** Such as `event.description`, or `event: missing`. */
  readonly name: string;
  readonly count: number;
  /** Id of the first record that has it, with both values. */
  readonly example: string;
}

/** Names of what says where a record is, what is joined from others, and what is counted: it differs by its nature. */
const places = ['rest_url', 'url', 'urls', 'global_id', 'global_id_lineage', '_links', 'link', 'guid'];
const joined = [
  'json_ld',
  'custom_fields',
  'meta',
  'count',
  'term_group',
  'term_taxonomy_id',
  'filter',
  'taxonomy',
];
const skipped = new Set([...places, ...joined]);
/** Names of linked records, of which the ids count. */
const links = new Set(['venue', 'organizer', 'categories', 'tags']);
const maxShown = 80;

/** Compares every record of a source with what is here under its id. */
export function compareViews(
  source: Views,
  here: (kind: ListedKind, id: number) => View | undefined,
): DifferenceClass[] {
  const classes = new Map<string, { count: number; example: string }>();
  const note = (name: string, example: string) => {
    const existing = classes.get(name);
    if (existing === undefined) classes.set(name, { count: 1, example });
    else existing.count += 1;
  };
  for (const [kind, views] of Object.entries(source) as [ListedKind, ReadonlyMap<number, View>][])
    for (const [id, view] of views) {
      const other = here(kind, id);
      if (other === undefined) note(`${kind}: missing`, String(id));
      else
        for (const [field, example] of differences(kind, view, other))
          note(`${kind}.${field}`, `${id}: ${example}`);
    }
  return [...classes].map(([name, found]) => ({ name, ...found }));
}

function* differences(kind: ListedKind, there: View, here: View): Generator<readonly [string, string]> {
  for (const field of new Set([...Object.keys(there), ...Object.keys(here)])) {
    if (skipped.has(field)) continue;
    const [a, b] = [there, here].map((view) => comparable(kind, field, view));
    if (!isDeepStrictEqual(a, b)) yield [field, `${shown(a)} there, ${shown(b)} here`];
  }
}

/** What is empty is the same, however it is written; numbers may be texts. */
function comparable(kind: ListedKind, field: string, view: View): unknown {
  const value = view[field];
  if (kind === 'event' && links.has(field))
    return viewsIn(value)
      .map(({ id }) => Number(id))
      .sort((a, b) => a - b);
  if (field === 'image') return viewsIn(value).map(({ id, url }) => [Number(id), url]);
  if (field === 'website' && value === view['url']) return '';
  if (value === undefined || value === null || value === false || value === '0') return '';
  if (value === 0 || (Array.isArray(value) && value.length === 0)) return '';
  return typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : value;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}...` : text;
}
