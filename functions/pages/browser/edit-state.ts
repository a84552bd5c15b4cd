/** A record in its form: as it is stored, and what a person has changed of it. */

import { useEffect, useState } from 'preact/hooks';
import type { Answer } from './api-client.ts';
import { type Entry, forms, type Kind, valueIn } from './edit-data.ts';
import type { Values } from './fields.tsx';

export interface EditedRecord {
  readonly kind: Kind;
  /** The record as it is stored; undefined for a new one. */
  readonly record: Answer<Entry> | undefined;
  readonly status: string;
  /** The values of all fields, changed or not. */
  readonly values: Values;
  /** Names of the fields that were changed. */
  readonly changedNames: readonly string[];
  /** Differs for each record that is shown: controls keep typed text, so another record needs new ones. */
  readonly round: number;
  readonly set: (name: string, value: unknown) => void;
  /** Shows a stored record, without changes. */
  readonly show: (record: Answer<Entry>) => void;
  /** Drops the changes: the page may be left without a question. */
  readonly dropChanges: () => void;
  /** Drops the changes from the form, and keeps them until the page is opened again. */
  readonly putChangesAside: () => void;
}

/** The place of unsaved changes while a person signs in again. */
const storageKey = `edit ${location.search}`;

export function useEditedRecord(kind: Kind, entry: Answer<Entry> | undefined): EditedRecord {
  const [record, setRecord] = useState(entry);
  const [changes, setChanges] = useState<Values>(JSON.parse(sessionStorage.getItem(storageKey) ?? '{}'));
  const [round, setRound] = useState(0);
  const values = Object.fromEntries(
    forms[kind].map((field) => [field.name, changes[field.name] ?? valueIn(record?.value, field)]),
  );
  const changedNames = Object.keys(changes);
  useEffect(() => sessionStorage.removeItem(storageKey), []);
  useWarningBeforeLeaving(changedNames.length > 0);
  return {
    kind,
    record,
    status: record?.value.status ?? 'draft',
    values,
    changedNames,
    round,
    set(name, value) {
      setChanges((earlier) => ({ ...earlier, ...following(name, value, values), [name]: value }));
    },
    show(newRecord) {
      setRecord(newRecord);
      setChanges({});
      setRound(round + 1);
    },
    dropChanges: () => setChanges({}),
    putChangesAside() {
      sessionStorage.setItem(storageKey, JSON.stringify(changes));
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
