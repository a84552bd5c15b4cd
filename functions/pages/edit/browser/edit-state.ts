/** A record in its form: as it is stored, and what a person has changed of it. */

import { useEffect, useState } from 'preact/hooks';
import type { Answer } from '../../common/browser/api-client.ts';
import type { Values } from '../../common/browser/fields.tsx';
import { type Entry, forms, isSame, type Kind, valuesOf } from './edit-data.ts';
import { restorePicture, storePicture } from './picture-upload.ts';

export interface EditedRecord {
  readonly kind: Kind;
  /** The record as it is stored; undefined for a new one. */
  readonly record: Answer<Entry> | undefined;
  readonly status: string;
  /** The values of all fields, changed or not. */
  readonly values: Values;
  /** The values of the fields that were changed. */
  readonly changes: Values;
  /** The creation of this record, however often it is sent. */
  readonly creation: Creation;
  /** Differs for each record that is shown: controls keep typed text, so another record needs new ones. */
  readonly round: number;
  /** Changes the value of a field; undefined takes its change back. */
  readonly set: (name: string, value: unknown) => void;
  /** Shows a stored record. Of the changes those stay that were not saved with it. */
  readonly show: (record: Answer<Entry>, savedChanges: Values) => void;
  /** Drops the changes: the page may be left without a question. */
  readonly dropChanges: () => void;
  /** Drops the changes from the form, and keeps them until the page is opened again. */
  readonly putChangesAside: () => Promise<void>;
}

/** A request that creates a record. A key goes with one body, so one whose reply was lost is sent again as it was. */
export interface Creation {
  readonly key: string;
  body?: Values | undefined;
}

/** What a person has changed before the page was left for a sign-in. */
export interface Draft {
  readonly changes: Values;
  readonly creation: Creation;
}

/** The place of unsaved changes while a person signs in again. */
const storageKey = `edit ${location.search}`;

/** Takes the changes that were put aside, or none. */
export async function takeDraft(kind: Kind): Promise<Draft> {
  const text = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  if (text === null) return { changes: {}, creation: { key: crypto.randomUUID() } };
  const { changes, creation } = JSON.parse(text) as Draft;
  const restored = { ...changes };
  for (const { name, control } of forms[kind])
    if (control === 'picture' && changes[name]) restored[name] = await restorePicture(changes[name]);
  return { changes: restored, creation };
}

async function putAside(draft: Draft): Promise<void> {
  sessionStorage.setItem(storageKey, JSON.stringify(draft));
  for (const value of Object.values(draft.changes)) await storePicture(value);
}

export function useEditedRecord(kind: Kind, entry: Answer<Entry> | undefined, draft: Draft): EditedRecord {
  const [record, setRecord] = useState(entry);
  const [changes, setChanges] = useState(draft.changes);
  const [round, setRound] = useState(0);
  const { creation } = draft;
  const stored = valuesOf(kind, record?.value);
  useWarningBeforeLeaving(Object.keys(changes).length > 0);
  return {
    kind,
    record,
    status: record?.value.status ?? 'draft',
    values: { ...stored, ...changes },
    changes,
    creation,
    round,
    set(name, value) {
      setChanges((earlier) => {
        const values = { ...stored, ...earlier };
        const all = Object.entries({ ...earlier, ...following(name, value, values), [name]: value });
        const isChange = ([name, value]: [string, unknown]) =>
          value !== undefined && !isSame(value, stored[name]);
        return Object.fromEntries(all.filter(isChange));
      });
    },
    show(newRecord, savedChanges) {
      setRecord(newRecord);
      setChanges((latest) =>
        Object.fromEntries(Object.entries(latest).filter(([name, value]) => value !== savedChanges[name])),
      );
      setRound(round + 1);
    },
    dropChanges: () => setChanges({}),
    async putChangesAside() {
      await putAside({ changes, creation });
      setChanges({});
    },
  };
}

/** Lets the browser ask before the page is left with unsaved changes. */
function useWarningBeforeLeaving(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isChanged]);
}

/** Returns the values that follow from another: an event ends an hour after its start until its end is set. */
function following(name: string, value: unknown, { end_date: end }: Values): Values {
  if (name !== 'start_date' || value === '' || String(end ?? '') > String(value)) return {};
  const hourLater = new Date(Date.parse(`${String(value).padEnd(16, 'T00:00')}Z`) + 3_600_000);
  return { end_date: hourLater.toISOString().slice(0, 16) };
}
