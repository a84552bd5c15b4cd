/**
 * Changes that are not saved yet, as the browser keeps them until they are: over a sign-in, and over its own end. Each form has its own draft,
 * in the name of its user and language, with the version of the record that it was made on. A sign-out deletes those of its user. Passwords
 * are kept for a sign-in alone.
 */

import type { Values } from '../../common/browser/fields.tsx';
import { keptPrefix, language } from '../../common/browser/session.tsx';
import { lengthOf } from './dates.ts';
import { forms, isSame, type Kind, readEntry, valuesOf } from './edit-data.ts';
import { dropPicture, isPending, restorePicture, storePicture } from './picture-upload.ts';

/** Milliseconds for which a draft is kept. */
const maxAge = 30 * 24 * 60 * 60 * 1000;

/** A request that creates a record. A key goes with one body, so one whose reply was lost is sent again as it was. */
export interface Creation {
  readonly key: string;
  body?: Values | undefined;
}

/** What a person has changed. The key of its creation names it, and the form that has it. */
export interface Draft {
  readonly changes: Values;
  readonly creation: Creation;
  /** Entity tag of the version that the changes were made on; undefined for a new record, and where nothing was changed. */
  readonly etag?: string | undefined;
  /** Milliseconds that the event takes, where its dates do not say it yet. */
  readonly length?: number | undefined;
}

interface StoredDraft extends Draft {
  /** When it was changed last, in milliseconds since 1970. */
  readonly at: number;
}

export const newDraft = (): Draft => ({ changes: {}, creation: { key: crypto.randomUUID() } });

/** Fields that a copy has not: it takes place at another time, and has an address and a password of its own. */
const notCopied = ['start_date', 'end_date', 'repeat', 'slug', 'access_password'];

/** Returns the draft of a new event that is like another but for its dates, and as long; what no form shows is copied with it. */
export async function copyOf(id: string): Promise<Draft> {
  const { value } = await readEntry('event', id);
  const empty = valuesOf('event', undefined);
  const values = valuesOf('event', value);
  const copied = Object.entries(values).filter(
    ([name, value]) =>
      !notCopied.includes(name) && !name.startsWith('translations.') && !isSame(value, empty[name]),
  );
  const changes = { ...Object.fromEntries(copied), copy_of: value.id };
  return { ...newDraft(), changes, length: lengthOf(values) };
}

/** The drafts of a record, or of new ones of its kind. */
const placeOf = (kind: Kind, id: number | undefined) => `${keptPrefix}${language} ${kind} ${id ?? 'new'} `;

/** The draft that is to be shown again after a sign-in, and the passwords in it. */
const asideKey = 'edit aside';

interface Aside {
  readonly name: string;
  readonly secrets: Values;
}

/** Keeps a draft, or removes it where nothing is changed. Throws where the browser has no room for it. */
export async function keepDraft(kind: Kind, id: number | undefined, draft: Draft): Promise<void> {
  const { changes, creation, etag } = draft;
  const name = placeOf(kind, id) + creation.key;
  if (Object.keys(changes).length === 0) return removeDraft(name);
  const secrets = secretsOf(kind, { ...changes, ...creation.body });
  const isSecret = (field: string) => field in secrets;
  const stored: StoredDraft = {
    changes: Object.fromEntries(Object.entries(changes).filter(([field]) => !isSecret(field))),
    // A body without its password is another creation.
    creation: Object.keys(creation.body ?? {}).some(isSecret) ? { key: creation.key } : creation,
    etag,
    at: Date.now(),
  };
  const before = read(name);
  localStorage.setItem(name, JSON.stringify(stored));
  await replacePictures(before?.changes ?? {}, changes);
}

/** Keeps a draft for the same form after a sign-in. */
export async function putAside(kind: Kind, id: number | undefined, draft: Draft): Promise<void> {
  await keepDraft(kind, id, draft);
  const aside: Aside = {
    name: placeOf(kind, id) + draft.creation.key,
    secrets: secretsOf(kind, draft.changes),
  };
  sessionStorage.setItem(asideKey, JSON.stringify(aside));
}

/** Returns the draft that was put aside for a sign-in, where the same person has come back to the same record; else an empty one. */
export async function takeDraft(kind: Kind, id: number | undefined): Promise<Draft> {
  const text = sessionStorage.getItem(asideKey);
  sessionStorage.removeItem(asideKey);
  if (text === null) return newDraft();
  const { name, secrets } = JSON.parse(text) as Aside;
  const draft = name.startsWith(placeOf(kind, id)) ? await restoreDraft(name) : undefined;
  return draft === undefined ? newDraft() : { ...draft, changes: { ...draft.changes, ...secrets } };
}

/** Returns the names and times of drafts of a record that neither the form `own` has nor another open one, the latest first. Those that are too old are removed. */
export async function findDrafts(
  kind: Kind,
  id: number | undefined,
  own: string,
): Promise<{ name: string; at: number }[]> {
  const { held = [] } = await navigator.locks.query();
  const open = new Set([own, ...held.map((lock) => lock.name)]);
  const found: { name: string; at: number }[] = [];
  for (const name of Object.keys(localStorage)) {
    if (!name.startsWith(placeOf(kind, id)) || open.has(name.slice(placeOf(kind, id).length))) continue;
    const { at = 0 } = read(name) ?? {};
    if (Date.now() - at > maxAge) await removeDraft(name);
    else found.push({ name, at });
  }
  return found.sort((one, other) => other.at - one.at);
}

/** Returns a draft as it was, its pictures too; undefined where it is gone. */
export async function restoreDraft(name: string): Promise<Draft | undefined> {
  const draft = read(name);
  if (draft === undefined) return undefined;
  const changes: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(draft.changes)) changes[field] = await restorePicture(value);
  return { ...draft, changes };
}

export async function removeDraft(name: string): Promise<void> {
  const draft = read(name);
  localStorage.removeItem(name);
  await replacePictures(draft?.changes ?? {}, {});
}

/** Says that a form is open, so that no other one offers its draft. Returns what says that it is closed. */
export function holdDraft({ creation }: Draft): () => void {
  const closed = Promise.withResolvers<void>();
  void navigator.locks.request(creation.key, () => closed.promise);
  return closed.resolve;
}

function read(name: string): StoredDraft | undefined {
  const text = localStorage.getItem(name);
  return text === null ? undefined : (JSON.parse(text) as StoredDraft);
}

/** Returns the passwords among values. */
function secretsOf(kind: Kind, values: Values): Values {
  const fields = forms[kind].filter(({ name, control }) => control === 'password' && name in values);
  return Object.fromEntries(fields.map(({ name }) => [name, values[name]]));
}

/** Stores the files of pictures that are not uploaded yet, and drops those of an earlier state. */
async function replacePictures(before: Values, after: Values): Promise<void> {
  const pictures = Object.values(after).filter(isPending);
  for (const picture of pictures) await storePicture(picture);
  for (const earlier of Object.values(before).filter(isPending))
    if (!pictures.some(({ place }) => place === earlier.place)) await dropPicture(earlier);
}
