/** Moves records that are not of a source out of the way of those of a source, with all that refers to them. */

import { keyOf as pictureKeyOf } from '../../../functions/calendar/model/image-url.ts';
import type {
  AnyPost,
  AuthorRecord,
  CalendarRecord,
  ImageRecord,
} from '../../../functions/calendar/model/records.ts';
import { keyOf, readKey } from '../../../functions/calendar/replica/entries.ts';
import type { Draft } from './draft.ts';
import { withOwnChange } from './fields.ts';
import { importSubject, postsOf, reservedAuthor, reservedPicture } from './in-the-way.ts';
import { decideInSteps } from './steps.ts';
import type { Target } from './target.ts';
import { withTexts } from './texts.ts';

type Movable = AuthorRecord | ImageRecord;

/** Moves the record of a key to a reserved number, in several decisions where much refers to it. Returns its new key, or that of one which is not there any more. */
export async function moveAway(key: string, target: Target): Promise<string> {
  const { to } = await decideInSteps(target, (draft, limit) => moveStep(key, draft, limit));
  return to;
}

interface Step {
  /** Whether nothing refers to the record any more, so that it is deleted. */
  readonly isDone: boolean;
  readonly to: string;
}

/** A run that is killed between two steps is resumed: the number is found again. */
function moveStep(key: string, draft: Draft, limit: number): Step {
  const { kind, id } = readKey(key);
  const current = draft.get(kind, id) as Movable | undefined;
  if (current === undefined) return { isDone: true, to: key };
  const { replica } = draft;
  const to =
    current.kind === 'author'
      ? reservedAuthor(replica, current.subject, id)
      : reservedPicture(replica, current.stored?.blob ?? '', id);
  const moved = { ...current, id: to };
  draft.put(moved);
  const referring = recordsOf(replica).flatMap((record) => {
    const changed = withNumber(record, current, to);
    return changed === record ? [] : [changed];
  });
  for (const record of referring.slice(0, limit)) draft.put(record);
  const isDone = referring.length <= limit;
  if (isDone) draft.delete(current);
  return { isDone, to: keyOf(moved) };
}

function recordsOf(replica: Draft['replica']): (AnyPost | ImageRecord)[] {
  return [...postsOf(replica), ...replica.images()];
}

/** Returns a record that refers to an author or a picture by another number; the same one where it does not refer to it. */
function withNumber(record: AnyPost | ImageRecord, current: Movable, to: number): AnyPost | ImageRecord {
  if (record.kind === 'image') {
    if (current.kind !== 'author' || record.stored?.author !== current.id) return record;
    return { ...record, stored: { ...record.stored, author: to } };
  }
  const changed =
    current.kind === 'author'
      ? record.author === current.id
        ? { ...record, author: to }
        : record
      : withPicture(record, current, to);
  return changed === record ? record : withOwnChange(record, changed);
}

/** Returns a post that shows a picture under its new number, in all languages. */
function withPicture(post: AnyPost, picture: ImageRecord, to: number): AnyPost {
  const keys = [
    ...(picture.stored === undefined ? [] : [pictureKeyOf(picture.stored)]),
    ...(picture.earlier_keys ?? []),
  ];
  const renumbered = withTexts(post, (text) =>
    keys.reduce(
      (all, key) => all.replaceAll(`/pictures/${picture.id}/${key}/`, `/pictures/${to}/${key}/`),
      text,
    ),
  );
  return post.image === picture.id ? { ...renumbered, image: to } : renumbered;
}

/** Says why a record is in the way. */
export function whyInTheWay(record: CalendarRecord): string {
  return record.kind === 'author' && record.subject !== importSubject
    ? 'is a person who writes here under the number of a user of the source'
    : 'was made by an earlier import under a number of the source';
}
