/** The values of a record as people see them: a link to what was deleted here leads nowhere. */

import type {
  AnyPost,
  ImageRecord,
  LinkedRecord,
  TermRecord,
} from '../../../functions/calendar/model/records.ts';
import { type Link, linkedId } from '../../../functions/calendar/model/values.ts';
import type { Draft } from './draft.ts';
import { valuesOf } from './fields.ts';

/** Returns the values of a record without links to what is deleted here, and with the present parent. */
export function liveValues(record: AnyPost | TermRecord | ImageRecord, draft: Draft): Map<string, unknown> {
  const values = valuesOf(record);
  const { replica } = draft;
  const filter = (field: string, isLive: (item: Link) => boolean) => {
    const items = values.get(field);
    if (Array.isArray(items)) values.set(field, items.filter(isLive));
  };
  filter('categories', (id) => draft.get('category', linkedId(id)) !== undefined);
  filter('tags', (id) => draft.get('tag', linkedId(id)) !== undefined);
  for (const kind of ['venue', 'organizer'] as const)
    filter(kind, (link) => {
      const linked = draft.get(kind, linkedId(link)) as LinkedRecord | undefined;
      const generation = typeof link === 'number' ? 0 : link[1];
      return linked !== undefined && linked.status !== 'trash' && (linked.generation ?? 0) === generation;
    });
  const { image } = record as AnyPost;
  if (typeof image === 'number' && draft.get('image', image) === undefined) values.delete('image');
  if (record.kind === 'category') {
    const parent = replica.terms.parentOf(record);
    if (parent === 0) values.delete('parent');
    else values.set('parent', parent);
  }
  return values;
}
