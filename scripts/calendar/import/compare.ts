/** Compares an imported calendar with its source, record by record and field by field. */

import { isDeepStrictEqual } from 'node:util';
import type { ListedKind } from '../../../functions/calendar/model/values.ts';
import { rewriteAddresses } from './picture-addresses.ts';
import { type View, viewsIn } from './records-of-view.ts';
import type { SourceViews } from './views.ts';

/** Differences of one kind. */
export interface DifferenceClass {
  /** Such as `event.description`, or `event: missing`. */
  readonly name: string;
  readonly count: number;
  /** Id of the first record with the difference, and both values. */
  readonly example: string;
}

/** Fields with addresses, fields of linked records and counts: they always differ. */
const addressFields = ['rest_url', 'url', 'urls', 'global_id', 'global_id_lineage', '_links', 'link', 'guid'];
const derivedFields = [
  'json_ld',
  'series',
  'custom_fields',
  'meta',
  'count',
  'term_group',
  'term_taxonomy_id',
  'filter',
  'taxonomy',
];
const ignoredFields = new Set([...addressFields, ...derivedFields]);
/** Fields with linked records, which are compared by id. */
const linkFields = new Set(['venue', 'organizer', 'categories', 'tags']);
/** Characters of a value in a report. */
const maxLength = 80;

/** Compares every record of a source with the record of the same id in the calendar. */
export function compareViews(
  source: SourceViews,
  viewOf: (kind: ListedKind, id: number) => View | undefined,
  copied: ReadonlyMap<string, string> = new Map(),
  asShown: (view: View) => View = (view) => view,
): DifferenceClass[] {
  const classes = new Map<string, { count: number; example: string }>();
  const count = (name: string, example: string) => {
    const existing = classes.get(name);
    if (existing === undefined) classes.set(name, { count: 1, example });
    else existing.count += 1;
  };
  for (const [kind, view] of source) {
    const id = Number(view['id']);
    const imported = viewOf(kind, id);
    if (imported === undefined) count(`${kind}: missing`, String(id));
    else
      for (const [field, example] of differences(kind, asShown(withAddresses(view, copied)), imported))
        count(`${kind}.${field}`, `${id}: ${example}`);
  }
  return [...classes].map(([name, counted]) => ({ name, ...counted }));
}

/** Returns a view with the addresses of copied pictures, in texts and as its image. */
function withAddresses(view: View, copied: ReadonlyMap<string, string>): View {
  const address = (value: unknown) => (typeof value === 'string' ? rewriteAddresses(value, copied) : value);
  const { image } = view;
  const isImage = typeof image === 'object' && image !== null && 'url' in image;
  return {
    ...view,
    ...('description' in view ? { description: address(view['description']) } : {}),
    ...('excerpt' in view ? { excerpt: address(view['excerpt']) } : {}),
    ...(isImage ? { image: { ...image, url: address(image.url) } } : {}),
  };
}

function* differences(kind: ListedKind, source: View, imported: View): Generator<readonly [string, string]> {
  for (const field of new Set([...Object.keys(source), ...Object.keys(imported)])) {
    if (ignoredFields.has(field)) continue;
    const there = normalize(kind, field, source);
    const here = normalize(kind, field, imported);
    if (!isDeepStrictEqual(there, here)) yield [field, `${shorten(there)} there, ${shorten(here)} here`];
  }
}

/** Returns a value in the form that is compared: all empty values are equal, and numbers equal their texts. */
function normalize(kind: ListedKind, field: string, view: View): unknown {
  const value = view[field];
  if (kind === 'event' && linkFields.has(field))
    return viewsIn(value)
      .map(({ id }) => Number(id))
      .sort((a, b) => a - b);
  if (field === 'image') return viewsIn(value).map(({ id, url }) => [Number(id), url]);
  if (field === 'website' && value === view['url']) return '';
  if (field === 'cost_details' && view['cost'] === '') return '';
  if (value === undefined || value === null || value === false || value === '0') return '';
  if (value === 0 || (Array.isArray(value) && value.length === 0)) return '';
  return typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : value;
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}...` : text;
}
