/** The record of an event, venue or organizer after a write. */

import { organizerFields, venueFields } from '../model/fields/contact.ts';
import { eventFields } from '../model/fields/event.ts';
import type { LinkRequest, StoreContext } from '../model/fields/field.ts';
import { storedOf, translatedOf } from '../model/fields/table.ts';
import { notAllowed } from '../model/problems.ts';
import type { AnyPost, LinkedRecord } from '../model/records.ts';
import { has } from '../model/rights.ts';
import { restoredSlug, slugOf, trashedSlug } from '../model/text/slug.ts';
import type { Link, LinkedKind, PasswordHash, PostKind, Status } from '../model/values.ts';
import type { EventEntry, PostEntry } from '../replica/entries.ts';
import { type EventDateValues, eventDatesAfter, type PublicationValues, publicationAfter } from './dates.ts';
import { termIds } from './terms.ts';
import { compact, textsAfter, type Write } from './write.ts';

const postFields = { event: eventFields, venue: venueFields, organizer: organizerFields };
const texts = {
  event: translatedOf(eventFields),
  venue: translatedOf(venueFields),
  organizer: translatedOf(organizerFields),
};

/** The values that fields are computed from together; a table of fields has those of all others. */
export interface PostValues extends PublicationValues, EventDateValues {
  readonly author?: number;
  readonly slug?: string;
}

/** Puts a new event, venue or organizer, or one that stood before, with the values sent; returns the record. `passwordHash` is that of the event password that was sent. */
export function putPost(
  write: Write,
  kind: PostKind,
  before: PostEntry | undefined,
  values: PostValues,
  passwordHash?: PasswordHash,
): AnyPost {
  const { context } = write;
  const sent: Readonly<Record<string, unknown>> = { ...values };
  const id = before?.record.id ?? write.takeId('post');
  const publication = publicationAfter(before, values, context);
  const author = authorAfter(write, before, values);
  const sentTexts = Object.fromEntries(texts[kind].map(([stored, name]) => [stored, sent[name] as string]));
  const storedTexts = textsAfter<string>(
    before?.record as never,
    sentTexts,
    context.language,
    Object.keys(sentTexts),
  );
  const computed = {
    ...{ kind, id, author, ...publication, ...storedTexts },
    slug: slugAfter(write, kind, id, before, values, sentTexts['title'] ?? '', publication.status),
    ...(kind === 'event'
      ? eventDatesAfter((before as EventEntry | undefined)?.record, values, context.site.zone)
      : { generation: generationAfter(before, publication.status) }),
  };
  const others = storedOf(postFields[kind], sent, { ...before?.record }, storeContext(write, passwordHash));
  const record = { ...compact<AnyPost>(computed as never), ...others };
  write.put(record);
  return record;
}

function storeContext(write: Write, passwordHash: PasswordHash | undefined): StoreContext {
  const { replica } = write.context;
  return {
    passwordHash,
    imageOf: (url) => write.imageOf(url),
    termIds: (kind, items) => termIds(write, kind, items),
    liveTermIds: (ids) => ids.filter((id) => replica.terms.get(id) !== undefined),
    links: (kind, requests) => requests.map((request) => linkOf(write, kind, request)),
    liveLinks: (kind, links) => replica.linked(kind, links).map(({ record }) => linkTo(record)),
  };
}

/** Returns a link to a record that exists, or to a new one of the values sent. */
function linkOf(write: Write, kind: LinkedKind, request: LinkRequest): Link {
  if ('values' in request) return linkTo(putPost(write, kind, undefined, request.values));
  const entry = write.context.replica.posts[kind].get(request.id);
  return entry === undefined ? request.id : linkTo(entry.record);
}

function linkTo({ id, generation = 0 }: Pick<LinkedRecord, 'id' | 'generation'>): Link {
  return generation === 0 ? id : [id, generation];
}

/** A record that goes into the trash starts a new generation: links made before lead nowhere from then on. */
function generationAfter(before: PostEntry | undefined, status: Status): number {
  const { generation = 0 } = (before?.record ?? {}) as Pick<LinkedRecord, 'generation'>;
  return before !== undefined && before.status !== 'trash' && status === 'trash'
    ? generation + 1
    : generation;
}

function authorAfter(write: Write, before: PostEntry | undefined, { author }: PostValues): number {
  const { caller } = write.context;
  const own = before?.record.author ?? write.author();
  if (author === undefined || author === own) return own;
  if (!has('editor', caller)) throw notAllowed(caller, 'set the author');
  return author;
}

/** The slug does not follow the title. It goes into the trash with a suffix, so that it is free, and comes back without. */
function slugAfter(
  write: Write,
  kind: PostKind,
  id: number,
  before: PostEntry | undefined,
  { slug }: PostValues,
  title: string,
  status: Status,
): string {
  const given = slug === undefined ? '' : slugOf(slug);
  const current = before === undefined ? slugOf(title) : before.record.slug;
  const wasTrashed = before?.status === 'trash';
  const plain = given || (wasTrashed ? restoredSlug(current) : current) || String(id);
  if (status === 'trash' && !wasTrashed) return write.freeSlug(kind, id, trashedSlug(plain));
  if (status === 'trash' && given === '') return current;
  if (before !== undefined && plain === current) return current;
  return write.freeSlug(kind, id, status === 'trash' ? trashedSlug(plain) : plain);
}
