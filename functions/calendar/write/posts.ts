/** What callers do to events, venues and organizers: rights and values are checked here (docs/calendar-contract.md, "Create", "Update" and "Delete"). */

import { CodedError } from '../../../shared/errors.ts';
import type { RawParameters } from '../model/calendar-context.ts';
import { contactParameters, organizerFields, venueFields } from '../model/fields/contact.ts';
import { eventCreationParameters, eventFields, eventParameters } from '../model/fields/event.ts';
import type { LinkRequest, StoreContext } from '../model/fields/field.ts';
import {
  InvalidValue,
  type ParameterErrors,
  type ParameterTable,
  parseFields,
} from '../model/fields/parameter.ts';
import { isNothing } from '../model/fields/parsers.ts';
import { storedOf, translatedOf } from '../model/fields/table.ts';
import { linksOf, maxLinks } from '../model/linked-records.ts';
import type { AnyPost, EventRecord, LinkedRecord } from '../model/records.ts';
import { invalidParameters, notAllowed, readOnly } from '../model/refusals.ts';
import { has, type KnownCaller, mayEdit, mayWrite } from '../model/rights.ts';
import { valuesOfEvent, withValues } from '../model/series.ts';
import { hasTooMuchMarkup } from '../model/text/html.ts';
import { restoredSlug, slugOf, trashedSlug } from '../model/text/slug.ts';
import { withTranslatedFrom } from '../model/translated-texts.ts';
import type {
  Creation,
  Language,
  Link,
  LinkedKind,
  PasswordHash,
  PostKind,
  Status,
} from '../model/values.ts';
import type { EventEntry, PostEntry } from '../replica/entries.ts';
import { findPost, type PostLookup, type RecordRef } from '../replica/find.ts';
import { type EventDateValues, eventDatesAfter, type PublicationValues, publicationAfter } from './dates.ts';
import { createdBefore, creationOf, currentCreation } from './idempotency.ts';
import { mustMatch } from './if-match.ts';
import { withContentOf } from './restore.ts';
import { termIds } from './terms.ts';
import { type SentTexts, textsAfter } from './translations.ts';
import { omitEmpty, type Write } from './write.ts';

export const postParameters = { event: eventParameters, ...contactParameters };
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
  readonly review_note?: string;
  readonly translations?: SentTexts['translations'];
  readonly confirmed_translations?: SentTexts['confirmed'];
}

interface CreationValues extends PostValues {
  readonly copy_of?: number;
}

/** A change of one event, venue or organizer. */
interface PostChange {
  readonly kind: PostKind;
  /** What stood before; undefined for a new record. */
  readonly before?: PostEntry | undefined;
  /** What was sent; all other values stay as they were. */
  readonly sent: PostValues;
  /** Hash of the event password that was sent. */
  readonly passwordHash?: PasswordHash | undefined;
  /** Language of the texts that were sent. Default: that of the request. */
  readonly language?: Language | undefined;
  /** The request, where it creates the record and may be sent again. */
  readonly creation?: Creation | undefined;
}

/** Creates an event, venue or organizer; returns its record. `passwordHash` is that of the event password that was sent. */
export function createPost(write: Write, kind: PostKind, passwordHash?: PasswordHash): AnyPost {
  const { caller, parameters } = write.context;
  const action = `create the ${kind}`;
  if (!mayWrite(caller, kind)) throw notAllowed(caller, action);
  const table = kind === 'event' ? eventCreationParameters : contactParameters[kind];
  const sent: CreationValues = parseFields(table, parameters, write.context, {
    isCreate: true,
    errors: passwordErrors(kind, parameters),
  });
  const creation = creationOf(write.context);
  const entries: Iterable<PostEntry> = write.context.replica.posts[kind].values();
  const earlier = createdBefore(creation, entries, ({ record }) => record.creation);
  tellLostMarkup(write);
  if (earlier === undefined)
    return withCopy(write, putPost(write, { kind, sent, passwordHash, creation }), sent);
  write.isReplayed = true;
  // Whoever has lost the first reply learns what it said.
  if (kind === 'event') datesAfter(write, undefined, sent);
  return earlier.record;
}

/** The name of a text in a language among the values of an event, or of what is noted of it. */
const textOfLanguage = /^(translations|translated_from)\.(\w+)\.(\w+)$/;

/** Values that a copy has of its own. */
const notCopied = ['when', 'status', 'date', 'author'];

/** Returns a new event with what was not sent of it as another one has it: its texts in all languages, its terms, its password and so on. */
function withCopy(write: Write, record: AnyPost, sent: CreationValues): AnyPost {
  const { replica, caller, parameters, language, site } = write.context;
  const { copy_of: id = 0 } = sent;
  const isOwn = language !== undefined && language === site.language;
  const source = replica.posts.event.get(id);
  if (record.kind !== 'event' || source === undefined) return record;
  // Of what a password hides only those may make a copy who may edit it.
  if (source.isProtected && !mayEdit(caller, source)) throw notAllowed(caller, 'copy the event');
  const own = record.start_date.slice(0, 10);
  const textNames = texts.event.map(([stored]) => stored);
  const isSent = (name: string) => {
    const [, , ofLanguage = 'default', text = name] = textOfLanguage.exec(name) ?? [];
    if (!textNames.includes(text)) return Object.hasOwn(parameters, name);
    const isOfRequest = ofLanguage === (language ?? 'default') || (isOwn && ofLanguage === 'default');
    return (
      (isOfRequest && Object.hasOwn(parameters, text)) ||
      sent.translations?.[ofLanguage as 'default']?.[text] !== undefined
    );
  };
  const values = Object.entries(valuesOfEvent(source.record, own));
  const copied = values.filter(([name]) => !notCopied.includes(name) && !isSent(name));
  const { translated_from: _noted, ...created } = record;
  const copy = withTranslatedFrom(undefined, withValues(created, own, Object.fromEntries(copied)));
  write.put(copy);
  return copy;
}

/** A password that a new event does not have yet cannot unlock it: it is meant to protect it. */
function passwordErrors(kind: PostKind, { password }: RawParameters): ParameterErrors {
  if (kind !== 'event' || isNothing(password)) return {};
  return { password: new InvalidValue('is not a field of an event; access_password protects it') };
}

/** Updates an event, venue or organizer: what is not sent stays as it was. */
export function updatePost(
  write: Write,
  kind: PostKind,
  ref: RecordRef,
  passwordHash?: PasswordHash,
): AnyPost {
  const lookup = findPost(kind, ref, 'update', write.context);
  const table = { ...lookup.parameters, ...postParameters[kind] };
  const { before, sent } = writable(write, lookup, `update the ${kind}`, table);
  const record = putPost(write, { kind, before, sent, passwordHash });
  tellLostMarkup(write);
  if (record.kind === 'event' && record.status === 'publish') publishLinked(write, record);
  mustMatch(before.version, write.context);
  return record;
}

/** Publishes the drafts that a published event links to, where the caller may: else readers would never see them. */
export function publishLinked(write: Write, event: EventRecord): void {
  const { caller, replica } = write.context;
  if (!has('author', caller)) return;
  for (const kind of ['venue', 'organizer'] as const) {
    for (const before of replica.linked(kind, event[kind]) as readonly PostEntry[]) {
      const isDraft = before.status === 'draft' || before.status === 'pending';
      if (isDraft && mayEdit(caller, before)) putPost(write, { kind, before, sent: { status: 'publish' } });
    }
  }
}

/** Moves an event, venue or organizer to the trash; what is there already is gone (410). */
export function trashPost(write: Write, kind: PostKind, ref: RecordRef): AnyPost {
  const lookup = findPost(kind, ref, 'delete', write.context);
  const { before } = writable(write, lookup, `delete the ${kind}`, lookup.parameters);
  if (before.status === 'trash')
    throw new CodedError(`${kind}-is-in-trash`, `Cannot delete the ${kind}: it is in the trash already.`);
  const record = putPost(write, { kind, before, sent: { status: 'trash' } });
  mustMatch(before.version, write.context);
  return record;
}

/** Puts a record back from the trash: it has the status again that it had, as far as the caller may give it. */
export function untrashPost(write: Write, kind: PostKind, ref: RecordRef): AnyPost {
  const lookup = findPost(kind, ref, 'update', write.context);
  const { before } = writable(write, lookup, `put back the ${kind}`, lookup.parameters);
  if (before.status !== 'trash') {
    mustMatch(before.version, write.context);
    return before.record;
  }
  const status = before.record.trashed_from ?? 'draft';
  const record = putPost(write, { kind, before, sent: { status } });
  mustMatch(before.version, write.context);
  return record;
}

/** Gives a record the content of an earlier version. What is gone since is left out, and told. */
export function restorePost(write: Write, kind: PostKind, ref: RecordRef, past: AnyPost): AnyPost {
  const lookup = findPost(kind, ref, 'update', write.context);
  const { before } = writable(write, lookup, `restore the ${kind}`, lookup.parameters);
  const { record: restored, leftOut } = withContentOf(past, before, write.context);
  const { modified, modified_utc } = publicationAfter(before, {}, write.context);
  const record = { ...restored, modified, modified_utc } as AnyPost;
  write.adjusted.push(...leftOut.map((name) => ({ name, reason: 'gone' }) as const));
  write.put(record);
  if (record.kind === 'event' && record.status === 'publish') publishLinked(write, record);
  mustMatch(before.version, write.context);
  return record;
}

/**
 * Returns a record that the caller may write to, with the values sent. Errors of the path are thrown before those of the caller's rights,
 * and invalid values before an unknown event.
 */
export function writable(
  write: Write,
  lookup: PostLookup,
  action: string,
  table: ParameterTable,
): { readonly before: PostEntry; readonly sent: PostValues } {
  const { caller, parameters } = write.context;
  if (Object.keys(lookup.errors).length === 0) mustBeSignedIn(caller, action);
  const { existing } = lookup;
  const references = existing !== undefined && mayEdit(caller, existing) ? existing.record : undefined;
  const sent = parseFields(table, parameters, { ...write.context, before: references }, lookup);
  const before = lookup.entry();
  if (!mayEdit(caller, before)) throw notAllowed(caller, action, readOnly);
  return { before, sent };
}

function mustBeSignedIn(caller: KnownCaller, action: string): void {
  if (caller.subject === undefined) throw notAllowed(caller, action);
}

/** Puts a new event, venue or organizer, or one that stood before, with the values sent; returns the record. */
export function putPost(write: Write, change: PostChange): AnyPost {
  const { context } = write;
  const { kind, before, sent, passwordHash, creation, language = context.language } = change;
  const id = before?.record.id ?? write.takeId('post');
  const publication = publicationAfter(before, sent, context);
  const values: Readonly<Record<string, unknown>> = { ...sent };
  const sentTexts = Object.fromEntries(
    texts[kind].map(([stored, name]) => [stored, values[name] as string | undefined]),
  );
  const computed = {
    kind,
    id,
    author: authorAfter(write, change),
    ...publication,
    ...textsAfter(
      before?.record,
      {
        texts: sentTexts,
        language,
        translations: sent.translations,
        confirmed: sent.confirmed_translations,
        own: context.site.language,
      },
      Object.keys(sentTexts),
    ),
    slug: slugAfter(write, change, { id, title: sentTexts['title'] ?? '', status: publication.status }),
    ...(kind === 'event'
      ? eventAfter(write, change)
      : { generation: generationAfter(before, publication.status) }),
    creation: creation ?? currentCreation(before?.record.creation, context.now),
    follows: before?.record.follows,
    earlier_paths: before?.record.earlier_paths,
    trashed_from: trashedFrom(before, publication.status),
    ...reviewAfter(write, change, publication.status),
  };
  const stored = storedOf(postFields[kind], values, { ...before?.record }, storeContext(write, passwordHash));
  // The table of fields says which of the members a kind has, and of which type; the compiler cannot follow it.
  const record = { ...omitEmpty(computed), ...stored } as AnyPost;
  mustLinkFew(record, values);
  write.put(record);
  return record;
}

/** Refuses links by which an event has too many. One that has them from earlier keeps them. */
function mustLinkFew(record: AnyPost, sent: Readonly<Record<string, unknown>>): void {
  const lists = ['venue', 'organizer', 'categories', 'tags'].filter((name) => sent[name] !== undefined);
  if (lists.length === 0 || linksOf(record) <= maxLinks) return;
  const message = `must leave the event with at most ${maxLinks} venues, organizers, categories and tags together`;
  throw invalidParameters(Object.fromEntries(lists.map((name) => [name, { message }])));
}

/** Tells of texts that were sent with more markup than is kept. */
function tellLostMarkup(write: Write): void {
  const { translations = {}, ...sent } = write.context.parameters;
  for (const name of ['description', 'excerpt'])
    if (isTooMuch(sent[name])) write.adjusted.push({ name, reason: 'too-much-markup' });
  for (const [language, texts] of Object.entries(translations as Readonly<Record<string, object>>))
    for (const [name, html] of Object.entries(texts))
      if (isTooMuch(html))
        write.adjusted.push({ name: `translations.${language}.${name}`, reason: 'too-much-markup' });
}

const isTooMuch = (html: unknown) => typeof html === 'string' && hasTooMuchMarkup(html);

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
  if ('values' in request) return linkTo(putPost(write, { kind, sent: request.values }));
  const entry = write.context.replica.posts[kind].get(request.id);
  return entry === undefined ? request.id : linkTo(entry.record);
}

function linkTo({ id, generation = 0 }: Pick<LinkedRecord, 'id' | 'generation'>): Link {
  return generation === 0 ? id : [id, generation];
}

function eventAfter(write: Write, { before, sent }: PostChange) {
  const event = before as EventEntry | undefined;
  return {
    ...datesAfter(write, event?.record, sent),
    imported_from: event?.record.imported_from,
    series: event?.record.series,
    guid: event?.record.guid,
  };
}

/** Returns since when a record waits for review, and what was said of it as it was sent back: that goes once it is submitted again, or published. */
function reviewAfter(write: Write, { before, sent: { review_note } }: PostChange, status: Status) {
  const wasPending = before?.status === 'pending';
  const isDone = status === 'publish' || status === 'future' || (status === 'pending' && !wasPending);
  return {
    submitted_at:
      status === 'pending' ? (wasPending ? before.record.submitted_at : write.context.now) : undefined,
    review_note: review_note ?? (isDone ? undefined : before?.record.review_note),
  };
}

/** Returns the status that a record in the trash had before. */
function trashedFrom(before: PostEntry | undefined, status: Status): Status | undefined {
  if (status !== 'trash') return undefined;
  return before?.status === 'trash' ? before.record.trashed_from : before?.status;
}

/** Returns the dates of an event after a write, and tells which of them are not those that were sent. */
function datesAfter(write: Write, before: EventRecord | undefined, sent: EventDateValues) {
  const { dates, adjusted } = eventDatesAfter(before, sent, write.context.site.zone);
  write.adjusted.push(...adjusted);
  return dates;
}

/** A record that goes into the trash starts a new generation: links made before lead nowhere from then on. */
function generationAfter(before: PostEntry | undefined, status: Status): number {
  const { generation = 0 } = (before?.record ?? {}) as Pick<LinkedRecord, 'generation'>;
  return before !== undefined && before.status !== 'trash' && status === 'trash'
    ? generation + 1
    : generation;
}

function authorAfter(write: Write, { before, sent: { author } }: PostChange): number {
  const { caller } = write.context;
  const currentAuthor = before?.record.author ?? write.author();
  if (author === undefined || author === currentAuthor) return currentAuthor;
  if (!has('editor', caller)) throw notAllowed(caller, 'set the author');
  return author;
}

/**
 * Returns the slug of a record after a write (docs/calendar-contract.md, "Texts and slugs"). It does not follow the title. It goes into the
 * trash with a suffix, so that it is free, and comes back without.
 */
function slugAfter(
  write: Write,
  { kind, before, sent: { slug } }: PostChange,
  { id, title, status }: { readonly id: number; readonly title: string; readonly status: Status },
): string {
  const sentSlug = slug === undefined ? '' : slugOf(slug);
  const current = before === undefined ? slugOf(title) : before.record.slug;
  const wasTrashed = before?.status === 'trash';
  const slugBase = sentSlug || (wasTrashed ? restoredSlug(current) : current) || String(id);
  if (status === 'trash' && !wasTrashed) return write.freeSlug(kind, id, trashedSlug(slugBase));
  if (status === 'trash' && sentSlug === '') return current;
  if (before !== undefined && slugBase === current) return current;
  return write.freeSlug(kind, id, status === 'trash' ? trashedSlug(slugBase) : slugBase);
}
