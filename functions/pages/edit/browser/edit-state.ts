/** A record in its form: as it is stored, and what a person has changed of it. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer } from '../../common/browser/api-client.ts';
import type { Values } from '../../common/browser/fields.tsx';
import { endAfter, lengthOf } from './dates.ts';
import { type Creation, type Draft, holdDraft, keepDraft, putAside } from './drafts.ts';
import { type Entry, isSame, type Kind, valuesOf } from './edit-data.ts';

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
  /** Whether the browser keeps the changes until they are saved. */
  readonly isKept: boolean;
  /** Changes the value of a field; undefined takes its change back. */
  readonly set: (name: string, value: unknown) => void;
  /** Shows a stored record. Of the changes those stay that were not saved with it. */
  readonly show: (record: Answer<Entry>, savedChanges: Values) => void;
  /** Returns the changes to save over what another person has saved: an end that only follows the start is left as they have set it. */
  readonly changesOver: (theirs: Entry) => Values;
  /** Drops the changes, here and in the browser: the page may be left without a question. */
  readonly dropChanges: () => Promise<void>;
  /** Keeps the changes in the browser as they are now. */
  readonly keep: () => Promise<void>;
  /** Keeps the changes for the same form after a sign-in, and lets the page be left without a question. */
  readonly putChangesAside: () => Promise<void>;
}

export function useEditedRecord(kind: Kind, entry: Answer<Entry> | undefined, draft: Draft): EditedRecord {
  // Changes are saved on the version that they were made on, whatever was read since.
  const [record, setRecord] = useState(entry && { ...entry, etag: draft.etag ?? entry.etag });
  const [changes, setChanges] = useState(draft.changes);
  const { creation } = draft;
  const stored = valuesOf(kind, record?.value);
  const values = { ...stored, ...changes };
  const length = useRef(draft.length ?? lengthOf(values));
  /** The end that has followed the start, while nobody has set another. */
  const followed = useRef<string>();
  const [isLeaving, setLeaving] = useState(false);
  const id = record?.value.id;
  const isKept = useKeptDraft(kind, record, { changes, creation, etag: record?.etag });
  useWarningBeforeLeaving(Object.keys(changes).length > 0 && !isLeaving);
  return {
    kind,
    record,
    status: record?.value.status ?? 'draft',
    values,
    changes,
    creation,
    isKept,
    set(name, value) {
      setChanges((earlier) => {
        const before = { ...stored, ...earlier };
        const end = endAfter(before, name, value, length);
        followed.current = end ?? followed.current;
        const ends = end === undefined ? {} : { end_date: end };
        const all = Object.entries({ ...earlier, ...ends, [name]: value });
        const isChange = ([name, value]: [string, unknown]) =>
          value !== undefined && !isSame(value, stored[name]);
        return Object.fromEntries(all.filter(isChange));
      });
    },
    show(newRecord, savedChanges) {
      setRecord(newRecord);
      length.current = lengthOf(valuesOf(kind, newRecord.value));
      setChanges((latest) =>
        Object.fromEntries(Object.entries(latest).filter(([name, value]) => value !== savedChanges[name])),
      );
    },
    changesOver(theirs) {
      const { end_date: end, ...others } = changes;
      const isTheirs = valuesOf(kind, theirs)['end_date'] !== stored['end_date'];
      return end !== undefined && end === followed.current && isTheirs ? others : changes;
    },
    async dropChanges() {
      setChanges({});
      await keepDraft(kind, id, { changes: {}, creation });
    },
    keep: () => keepDraft(kind, id, { changes, creation, etag: record?.etag }),
    async putChangesAside() {
      await putAside(kind, id, { changes, creation, etag: record?.etag });
      setLeaving(true);
    },
  };
}

/** Keeps the changes in the browser while the form is open; returns whether it has room for them. */
function useKeptDraft(kind: Kind, record: Answer<Entry> | undefined, draft: Draft): boolean {
  const [isKept, setKept] = useState(true);
  const id = record?.value.id;
  const { changes, creation, etag } = draft;
  const place = useRef(id);
  useEffect(() => holdDraft(draft), [creation.key]);
  useEffect(() => {
    // Once a record is created its draft has another place.
    if (place.current !== id) void keepDraft(kind, place.current, { changes: {}, creation });
    place.current = id;
    keepDraft(kind, id, draft).then(
      () => setKept(true),
      () => setKept(false),
    );
  }, [changes, etag, id]);
  return isKept;
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
