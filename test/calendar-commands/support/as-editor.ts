/** What an editor does in a calendar that is open as the commands open it. */

import type { CalendarRecord } from '../../../functions/calendar/model/records.ts';
import type { PostKind } from '../../../functions/calendar/model/values.ts';
import { createPost, updatePost } from '../../../functions/calendar/write/posts.ts';
import type { Target } from '../../../scripts/calendar/import/target.ts';

/** Creates an event, venue or organizer, or updates that with an id. */
export function save(
  target: Target,
  id: number | undefined,
  fields: Readonly<Record<string, unknown>>,
  kind: PostKind = 'event',
): Promise<unknown> {
  return target.decide((draft) =>
    draft.operate(fields, (write) =>
      id === undefined ? createPost(write, kind) : updatePost(write, kind, { id }),
    ),
  );
}

/** Stores records as they are. */
export function store(target: Target, records: readonly CalendarRecord[]): Promise<unknown> {
  return target.decide((draft) => {
    for (const record of records) draft.put(record);
  });
}

/** Deletes records. */
export function remove(target: Target, records: readonly CalendarRecord[]): Promise<unknown> {
  return target.decide((draft) => {
    for (const record of records) draft.delete(record);
  });
}
