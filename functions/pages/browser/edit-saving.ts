/** How an edited record is saved or removed, and what comes of it: saved, refused, or changed by another person meanwhile. */

import { useState } from 'preact/hooks';
import { type Answer, Refusal } from './api-client.ts';
import { bodyOf, type Entry, hrefOf, readEntry, trashEntry, writeEntry } from './edit-data.ts';
import type { EditedRecord } from './edit-state.ts';
import { signIn, word } from './session.tsx';

export interface Saving {
  /** Whether the last action has saved the record. */
  readonly isSaved: boolean;
  /** Why the last action was refused. */
  readonly failure: Error | undefined;
  /** The record as another person has saved it meanwhile. */
  readonly theirs: Answer<Entry> | undefined;
  /** Saves the record with a status. */
  readonly save: (status: string) => void;
  /** Saves the changes over those of the other person. */
  readonly keepMine: () => void;
  /** Shows what the other person has saved. */
  readonly takeTheirs: () => void;
  /** Moves the record to the trash once the person confirms it, and shows the list. */
  readonly remove: () => void;
}

export function useSaving(edited: EditedRecord): Saving {
  const { kind, record } = edited;
  const [isSaved, setSaved] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const [theirs, setTheirs] = useState<Answer<Entry>>();

  function attempt(action: () => Promise<void>): void {
    setFailure(undefined);
    setSaved(false);
    action().catch(explain).catch(setFailure);
  }

  /** Shows a refusal: that of another version with both texts, and that of an old sign-in after the next. */
  async function explain(error: Error): Promise<void> {
    const status = error instanceof Refusal ? error.status : 0;
    if (status === 412 && record) return setTheirs(await readEntry(kind, record.value.id));
    setFailure(error);
    if (status !== 401) return;
    edited.putChangesAside();
    await signIn();
  }

  function show(stored: Answer<Entry>): void {
    edited.show(stored);
    setTheirs(undefined);
  }

  async function save(status: string, base: Answer<Entry> | undefined): Promise<void> {
    const body = bodyOf(kind, edited.values, edited.changedNames);
    const change = status === base?.value.status ? {} : { status };
    const stored = await writeEntry(kind, { ...body, ...change }, base);
    if (!base) history.replaceState(null, '', hrefOf({ kind, id: String(stored.value.id) }));
    show(stored);
    setSaved(true);
  }

  async function remove(): Promise<void> {
    if (record === undefined || !confirm(word('removeSure'))) return;
    await trashEntry(kind, record);
    edited.dropChanges();
    location.assign(hrefOf({ list: kind }));
  }

  return {
    isSaved,
    failure,
    theirs,
    save: (status) => attempt(() => save(status, record)),
    keepMine: () => attempt(() => save(edited.status, theirs)),
    takeTheirs: () => theirs && show(theirs),
    remove: () => attempt(remove),
  };
}
