/** Moves records that are not of a source out of the way of those of a source, with all that refers to them. */

import { keyOf as pictureKeyOf } from '../../../functions/calendar/model/image-url.ts';
import type { AnyPost, CalendarRecord, ImageRecord } from '../../../functions/calendar/model/records.ts';
import { keyOf } from '../../../functions/calendar/replica/entries.ts';
import { importSubject, postsOf, reservedAuthor, reservedPicture } from './in-the-way.ts';
import type { Target } from './target.ts';

/** Moves a record that is in the way to a reserved number. Returns its new key. */
export async function moveAway(record: CalendarRecord, target: Target): Promise<string> {
  const { replica } = target;
  const isAuthor = record.kind === 'author';
  const blob = record.kind === 'image' ? (record.stored?.blob ?? '') : '';
  const id = isAuthor
    ? reservedAuthor(replica, record.subject, record.id)
    : reservedPicture(replica, blob, record.id);
  const current = record.kind === 'image' ? replica.image(record.id) : record;
  const moved = { ...(current ?? record), id };
  // A run that is killed here is resumed: the number is found again.
  await target.store(() => [moved]);
  for (const post of postsOf(replica)) {
    const changed = isAuthor ? withAuthor(post, record.id, id) : withPicture(post, record as ImageRecord, id);
    if (changed !== post) await target.store(() => [changed]);
  }
  if (isAuthor)
    for (const image of [...replica.images()])
      if (image.stored?.author === record.id)
        await target.store(() => [{ ...image, stored: { ...image.stored, author: id } } as ImageRecord]);
  await target.remove(record);
  return keyOf(moved);
}

/** Says why a record is in the way. */
export function whyInTheWay(record: CalendarRecord): string {
  return record.kind === 'author' && record.subject !== importSubject
    ? 'is a person who writes here under the number of a user of the source'
    : 'was made by an earlier import under a number of the source';
}

function withAuthor(post: AnyPost, from: number, to: number): AnyPost {
  return post.author === from ? { ...post, author: to } : post;
}

/** Returns a post that shows a picture under its new number. */
function withPicture(post: AnyPost, picture: ImageRecord, to: number): AnyPost {
  const key = picture.stored === undefined ? '' : pictureKeyOf(picture.stored);
  const renumbered = (text: string) =>
    text.replaceAll(`/pictures/${picture.id}/${key}/`, `/pictures/${to}/${key}/`);
  const { description, excerpt, image } = post;
  const changed = {
    ...post,
    ...(description === undefined ? {} : { description: renumbered(description) }),
    ...(excerpt === undefined ? {} : { excerpt: renumbered(excerpt) }),
    ...(image === picture.id ? { image: to } : {}),
  };
  const isSame =
    changed.description === description && changed.excerpt === excerpt && changed.image === image;
  return isSame ? post : changed;
}
