/** The versions of a record, as those who may edit it now see them: who has written each, when, and what it has changed (docs/calendar-contract.md, "History"). */

import type { PastRecord } from '../log/log.ts';
import { formatWall } from '../model/dates/wall.ts';
import { parseFields } from '../model/fields/parameter.ts';
import { postFields } from '../model/fields/posts.ts';
import { translatedOf } from '../model/fields/table.ts';
import type { AnyPost } from '../model/records.ts';
import { notAllowed, readOnly } from '../model/refusals.ts';
import { type Editable, editable, mayRead, mayReadImage } from '../model/rights.ts';
import { plainText } from '../model/text/plain-text.ts';
import { textIn } from '../model/text/render-text.ts';
import { textState } from '../model/translated-texts.ts';
import {
  type Language,
  type Link,
  languages,
  linkedId,
  type PostKind,
  type Status,
} from '../model/values.ts';
import { type PostEntry, readRecord } from '../replica/entries.ts';
import { findPost, type RecordRef, type ReplicaContext } from '../replica/find.ts';

/** A value for reading: what a record refers to by its name. */
export type HistoryValue = string | number | boolean | readonly string[] | null;

/** What two versions have otherwise in one field, or in one language of a text. */
export interface FieldChange {
  readonly field: string;
  readonly language?: Language;
  readonly before: HistoryValue;
  readonly after: HistoryValue;
}

/** A user who has changed a record. The name is told for a time. */
export interface HistoryAuthor {
  readonly id: number;
  readonly name?: string;
}

export interface Version {
  readonly version: number;
  /** When it was written, in UTC: `YYYY-MM-DD HH:MM:SS`. */
  readonly written: string;
  /** Who has written it; absent where that was not noted, and for what the clock has published. */
  readonly by?: HistoryAuthor;
  readonly status: Status;
  /** What it has changed of the version before; absent for the first that is kept. */
  readonly changes?: readonly FieldChange[];
}

/** What a record would become if an earlier version were put back. */
export interface VersionDifferences extends Omit<Version, 'changes'> {
  /** From the present version to the one put back. */
  readonly differences: readonly FieldChange[];
  /** Fields that lack what is gone since. */
  readonly left_out: readonly string[];
}

/** Returns the record that a path names, or throws where the caller may not edit it now: earlier versions may say what was never for others. */
export function editablePost(kind: PostKind, ref: RecordRef, context: ReplicaContext): Editable<PostEntry> {
  const { caller, parameters } = context;
  const action = `show the history of the ${kind}`;
  const lookup = findPost(kind, ref, 'update', context);
  if (Object.keys(lookup.errors).length === 0 && caller.subject === undefined)
    throw notAllowed(caller, action);
  parseFields(lookup.parameters, parameters, context, lookup);
  const proof = editable(caller, lookup.entry());
  if (proof === undefined) throw notAllowed(caller, action, readOnly);
  return proof;
}

/** Reads an earlier version; undefined for one that this version of the app cannot read. */
export function pastRecord({ json }: PastRecord, kind: PostKind, id: number): AnyPost | undefined {
  const read = readRecord(json, kind, id);
  return 'record' in read ? (read.record as AnyPost) : undefined;
}

/** A version of a record, and its number. */
export interface NumberedRecord {
  readonly version: number;
  readonly record: AnyPost;
}

/** Tells versions, the newest first. The last one is there to compare with alone, unless it is the first that is kept. */
export function tellVersions(
  _proof: Editable<PostEntry>,
  records: readonly NumberedRecord[],
  limit: number,
  context: ReplicaContext,
): readonly Version[] {
  return records.slice(0, limit).map(({ version, record }, index) => {
    const before = records[index + 1]?.record;
    return {
      ...headOf(version, record, before, context),
      ...(before === undefined ? {} : { changes: changesBetween(before, record, context) }),
    };
  });
}

/** Tells what putting an earlier version back would change of the present one, by what would come of it. */
export function tellDifferences(
  { entry }: Editable<PostEntry>,
  { version, record }: NumberedRecord,
  restored: { readonly record: AnyPost; readonly leftOut: readonly string[] },
  context: ReplicaContext,
): VersionDifferences {
  return {
    ...headOf(version, record, undefined, context),
    differences: changesBetween(entry.record, restored.record, context),
    left_out: restored.leftOut,
  };
}

function headOf(
  version: number,
  record: AnyPost,
  before: AnyPost | undefined,
  context: ReplicaContext,
): Omit<Version, 'changes'> {
  const { changed_at, changed_by, status, modified_utc, date_utc } = record;
  // What the clock has published is written when somebody follows the changes next.
  const isByClock = before?.status === 'future' && status === 'publish' && changed_by === undefined;
  const written = isByClock ? date_utc : changed_at === undefined ? modified_utc : formatWall(changed_at);
  return { version, written, ...byOf(changed_by, context), status };
}

function byOf(id: number | undefined, context: ReplicaContext): Pick<Version, 'by'> {
  if (id === undefined) return {};
  const name = authorName(id, context);
  return { by: { id, ...(name === undefined ? {} : { name }) } };
}

/** Seconds of a day. */
const day = 24 * 60 * 60;

/** Returns what to call an author; undefined once they have changed nothing for as long as names are kept. */
export function authorName(
  id: number,
  { replica, now, authorNameDays = 0 }: Pick<ReplicaContext, 'replica' | 'now' | 'authorNameDays'>,
): string | undefined {
  const { name, seen = 0 } = replica.author(id) ?? {};
  return authorNameDays > 0 && seen + (authorNameDays + 1) * day > now ? name : undefined;
}

/** Returns the fields that two versions have otherwise, in the order of the table; texts by their languages. */
export function changesBetween(before: AnyPost, after: AnyPost, context: ReplicaContext): FieldChange[] {
  const fields = postFields[after.kind];
  const translated = new Map(translatedOf(fields).map(([stored, sent]) => [sent, stored]));
  const changes: FieldChange[] = [];
  const note = (change: FieldChange) => {
    if (JSON.stringify(change.before) !== JSON.stringify(change.after)) changes.push(change);
  };
  for (const language of languages) {
    const texts = confirmedBetween(before, after, language).map((name) => sentName(after.kind, name));
    if (texts.length > 0)
      changes.push({ field: 'confirmed_translations', language, before: null, after: texts });
  }
  for (const [name, { parameter, storedAs = name }] of Object.entries(fields)) {
    const stored = translated.get(name);
    if (stored !== undefined) {
      note({ field: name, before: textOf(before, stored), after: textOf(after, stored) });
      for (const language of languages) {
        const [one, other] = [textOf(before, stored, language), textOf(after, stored, language)];
        note({ field: name, language, before: one, after: other });
      }
    } else if (parameter !== undefined && name !== 'date_utc') {
      const [one, other] = [before, after].map((record) => storedValue(record, storedAs));
      // A hash says nothing, and a link of another generation leads to the same name.
      if (JSON.stringify(one) === JSON.stringify(other)) continue;
      const change = {
        field: name,
        before: shownValue(name, one, context),
        after: shownValue(name, other, context),
      };
      if (name === 'access_password') changes.push(change);
      else note(change);
    }
  }
  return changes;
}

/** Returns the texts of a language that are on the present original though nobody has changed them: they were said to be right. */
function confirmedBetween(before: AnyPost, after: AnyPost, language: Language): string[] {
  const texts = Object.entries(after.translations?.[language] ?? {});
  return texts.flatMap(([name, text]) => {
    const isSame = before.translations?.[language]?.[name] === text;
    const note = after.translated_from?.[language]?.[name];
    const isNoted = note !== undefined && note !== before.translated_from?.[language]?.[name];
    return isSame && isNoted && textState(after, [language, name]) === 'current' ? [name] : [];
  });
}

function sentName(kind: PostKind, stored: string): string {
  return translatedOf(postFields[kind]).find(([name]) => name === stored)?.[1] ?? stored;
}

function storedValue(record: AnyPost, name: string): unknown {
  return (record as unknown as Readonly<Record<string, unknown>>)[name];
}

function textOf(record: AnyPost, field: string, language?: Language): string | null {
  const texts = language === undefined ? record : record.translations?.[language];
  const text = (texts as Readonly<Record<string, unknown>> | undefined)?.[field];
  return typeof text === 'string' && text !== '' ? text : null;
}

/** Returns a stored value for reading. What the caller may not read is told by its number alone. */
function shownValue(field: string, value: unknown, context: ReplicaContext): HistoryValue {
  if (value === undefined) return null;
  const { replica, caller, language } = context;
  const nameOf = (entry: PostEntry | undefined, id: number) =>
    entry !== undefined && mayRead(caller, entry)
      ? plainText(textIn(entry.record, 'title', language))
      : `#${id}`;
  switch (field) {
    case 'access_password':
      return true;
    case 'author':
      return authorName(value as number, context) ?? `#${value}`;
    case 'categories':
    case 'tags':
      return (value as readonly number[]).map((id) => {
        const term = replica.terms.get(id);
        return term === undefined ? `#${id}` : plainText(textIn(term, 'name', language));
      });
    case 'venue':
    case 'organizer':
      return (value as readonly Link[]).map((link) => {
        const id = linkedId(link);
        return nameOf(replica.posts[field].get(id), id);
      });
    case 'post_parent':
      return nameOf(replica.posts.event.get(value as number), value as number);
    case 'image': {
      const image = replica.image(value as number);
      if (image === undefined || !mayReadImage(caller, image, replica)) return `#${value}`;
      return image.stored === undefined ? image.url : image.stored.alt_text || plainText(image.stored.title);
    }
    default:
      return value as HistoryValue;
  }
}
