/**
 * The values of a record that an import decides one by one: those that belong together are one value, and a text in another language is one
 * of its own. Status and password are no such values (access.ts), nor is the time of the last change, which follows from the others.
 */

import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Note } from '../../../functions/calendar/model/owner.ts';
import type { CalendarRecord } from '../../../functions/calendar/model/records.ts';
import {
  type Digests,
  type Follows,
  linkedId,
  type StoredPicture,
  type Translations,
} from '../../../functions/calendar/model/values.ts';

export type Values = ReadonlyMap<string, unknown>;

/** Members of records that are decided together, by the name of their field. */
const groups: Readonly<Record<string, readonly string[]>> = {
  date: ['date', 'date_utc'],
  start_date: ['start_date', 'utc_start_date'],
  end_date: ['end_date', 'utc_end_date'],
  timezone: ['timezone', 'all_day'],
};
const groupOf = new Map(Object.entries(groups).flatMap(([name, members]) => members.map((m) => [m, name])));

/** Members of records that no field of an import has. */
const undecided = new Set([
  'kind',
  'id',
  'status',
  'trashed_from',
  'renamed_in_trash',
  'access_password',
  'modified',
  'modified_utc',
  'generation',
  'hidden_since',
  'shown_since',
  'deleted',
  'follows',
  'creation',
  'earlier_paths',
  'guid',
  'series',
  'translated_from',
]);

/** Returns the name of the field of a member of records. */
export function fieldOf(member: string): string | undefined {
  return undecided.has(member) ? undefined : (groupOf.get(member) ?? member);
}

const translation = /^translations\.(\w+)\.(\w+)$/;

/** Returns the values of a record by the names of its fields. Empty ones are not there. */
export function valuesOf(record: CalendarRecord): Map<string, unknown> {
  const values = new Map<string, unknown>();
  const members = record as unknown as Readonly<Record<string, unknown>>;
  for (const member of Object.keys(members)) {
    const field = fieldOf(member);
    if (field === undefined || members[member] === undefined || values.has(field)) continue;
    if (field === 'translations') addTranslations(values, members[member] as Translations);
    else if (field === 'stored') addPicture(values, members[member] as StoredPicture);
    else {
      const value =
        groups[field] === undefined ? members[member] : groups[field].map((name) => members[name]);
      if (!isEmpty(value)) values.set(field, value);
    }
  }
  return values;
}

function addTranslations(values: Map<string, unknown>, translations: Translations = {}): void {
  for (const [language, texts] of Object.entries(translations))
    for (const [name, text] of Object.entries(texts))
      if (text !== '') values.set(`translations.${language}.${name}`, text);
}

/** Facts of an uploaded picture that people write. */
export const pictureTexts = ['title', 'alt_text', 'caption', 'description', 'slug', 'post'] as const;

function addPicture(
  values: Map<string, unknown>,
  { modified: _modified, modified_utc: _utc, creation: _creation, ...picture }: StoredPicture,
): void {
  const others: Record<string, unknown> = { ...picture };
  for (const name of pictureTexts) {
    if (!isEmpty(picture[name])) values.set(`stored.${name}`, picture[name]);
    delete others[name];
  }
  values.set('stored', others);
}

/** Returns a record with other values of some fields; undefined removes a value. */
export function withValues<R extends CalendarRecord>(record: R, values: Values): R {
  const members: Record<string, unknown> = { ...record };
  const put = (member: string, value: unknown) => {
    if (value === undefined) delete members[member];
    else members[member] = value;
  };
  for (const [field, value] of values) {
    const [, language, name] = translation.exec(field) ?? [];
    if (field.startsWith('stored'))
      members['stored'] = withFact(members['stored'] as object | undefined, field, value);
    else if (language !== undefined && name !== undefined)
      members['translations'] = withText(
        members['translations'] as Translations | undefined,
        language,
        name,
        value,
      );
    else if (groups[field] === undefined) put(field, value);
    else for (const [index, member] of groups[field].entries()) put(member, (value as unknown[])?.[index]);
  }
  if (isDeepStrictEqual(members['translations'], {})) delete members['translations'];
  return members as unknown as R;
}

function withFact(picture: object | undefined, field: string, value: unknown): object | undefined {
  const name = field.slice('stored.'.length);
  if (name !== '')
    return Object.fromEntries(
      Object.entries({ ...picture, [name]: value }).filter(([, fact]) => fact !== undefined),
    );
  return value === undefined ? undefined : { ...picture, ...(value as StoredPicture) };
}

function withText(translations: Translations = {}, language: string, name: string, text: unknown): object {
  const { [name]: _before, ...texts } = translations[language as keyof Translations] ?? {};
  const after = text === undefined ? texts : { ...texts, [name]: text };
  const { [language as keyof Translations]: _texts, ...others } = translations;
  return Object.keys(after).length === 0 ? others : { ...others, [language]: after };
}

/** Checks whether a value reads the same when it is not stored. A number and a flag are values. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Characters of a digest. */
const digestLength = 8;

/** The digest of an empty value. */
export const noDigest = '';

const hashOf = (value: unknown) => hash('sha256', JSON.stringify(value), 'base64url').slice(0, digestLength);

/** Returns the digest of the value of a field. The order of categories and tags says nothing, nor does the generation of a link. */
export function digestOf(value: unknown, field = ''): string {
  if (isEmpty(value)) return noDigest;
  return hashOf(comparable(value, field));
}

function comparable(value: unknown, field: string): unknown {
  if (!Array.isArray(value)) return value;
  if (field === 'categories' || field === 'tags') return value.toSorted((a, b) => a - b);
  return field === 'venue' || field === 'organizer' ? value.map(linkedId) : value;
}

const emptyDigest = '-'.repeat(digestLength);
const spelled = (digest: string) => digest || emptyDigest;
/** Earlier versions have noted the hashes of empty values. */
const empties = new Set([emptyDigest, hashOf(''), hashOf([])]);
const read = (text: string) => (empties.has(text) ? noDigest : text);

/** Returns the note of a field; undefined where there are no notes at all. A field without one was empty on both sides. */
export function noteIn(digests: Digests | undefined, field: string): Note | undefined {
  if (digests === undefined) return undefined;
  const text = digests[field];
  if (text === undefined) return { there: noDigest, here: noDigest };
  const here = text.length > digestLength ? read(text.slice(digestLength)) : undefined;
  return { there: read(text.slice(0, digestLength)), here };
}

/** Returns digests with the note of a field. */
export function withNote(digests: Digests, field: string, { there, here }: Note): Digests {
  const { [field]: _before, ...others } = digests;
  if (there === noDigest && here === noDigest) return others;
  return { ...others, [field]: spelled(there) + (here === undefined ? '' : spelled(here)) };
}

/**
 * Returns a record that an import has changed by itself, with the notes of that: a value that nobody had changed before is not changed by
 * anybody now.
 */
export function withOwnChange<R extends CalendarRecord & { readonly follows?: Follows }>(
  before: R,
  after: R,
): R {
  if (before.follows === undefined) return after;
  let { digests } = before.follows;
  const [old, changed] = [valuesOf(before), valuesOf(after)];
  for (const field of new Set([...old.keys(), ...changed.keys()])) {
    const [from, to] = [digestOf(old.get(field), field), digestOf(changed.get(field), field)];
    const note = noteIn(digests, field);
    if (from !== to && note?.here === from) digests = withNote(digests, field, { ...note, here: to });
  }
  return { ...after, follows: { ...before.follows, digests } };
}
