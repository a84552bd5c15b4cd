/** How an edited record is saved or removed, and what comes of it: saved, refused, or changed by another person meanwhile. */

import { useState } from 'preact/hooks';
import { type Answer, FieldErrors, Refusal } from '../../common/browser/api-client.ts';
import type { Values } from '../../common/browser/fields.tsx';
import { useAttempt } from '../../common/browser/read.tsx';
import { signIn, word } from '../../common/browser/session.tsx';
import { checkDates } from './dates.ts';
import {
  bodyOf,
  changeEntry,
  changeSeries,
  createEntry,
  type Entry,
  forms,
  hrefOf,
  readEntry,
  trashEntry,
  trashSeries,
  valuesOf,
} from './edit-data.ts';
import type { EditedRecord } from './edit-state.ts';
import { textOf } from './edit-views.tsx';
import { saveDraftOf } from './next-version.tsx';
import { isPending, uploadPicture } from './picture-upload.ts';
import { type AskScope, useScope } from './scope.tsx';
import { type RepeatValue, rulesOf } from './series.ts';

/** A version that another person has saved while this one edited, and the status that this one wanted; undefined for the same as before. */
interface Conflict {
  readonly theirs: Answer<Entry>;
  readonly status: string | undefined;
}

export interface Saving {
  /** Whether an action is running, during which no other begins. */
  readonly isBusy: boolean;
  /** When the record was saved last. */
  readonly savedAt: Date | undefined;
  /** Why the last action was refused. */
  readonly failure: Error | undefined;
  readonly conflict: Conflict | undefined;
  /** The question which dates of a series are meant, while it is asked. */
  readonly question: AskScope | undefined;
  /** Saves the changes, and gives the record a status; without one it keeps its own. */
  readonly save: (status: string | undefined) => void;
  /** Saves the changes over those of the other person, with the status that was wanted. */
  readonly keepMine: () => void;
  /** Shows what the other person has saved. */
  readonly takeTheirs: () => void;
  /** Saves the changes as the draft of the next version: the public record stays as it is. */
  readonly saveNext: () => void;
  /** Grows with each save of that draft. */
  readonly nextSaves: number;
  /** Moves the record to the trash once the person confirms it, and shows the list. */
  readonly remove: () => void;
}

export function useSaving(edited: EditedRecord): Saving {
  const { kind, record } = edited;
  const [savedAt, setSavedAt] = useState<Date>();
  const [conflict, setConflict] = useState<Conflict>();
  const [failure, attempt, isBusy] = useAttempt();
  const [question, askScope] = useScope();
  const [nextSaves, setNextSaves] = useState(0);

  /** Saves what was changed, on a version: pictures first. Those that are stored when the record is refused are not uploaded again. */
  async function save(
    status: string | undefined,
    base: Answer<Entry> | undefined,
    wanted = edited.changes,
  ): Promise<void> {
    try {
      const before = valuesOf(kind, base?.value);
      if (kind === 'event') checkDates({ ...before, ...wanted }, wanted);
      const changes = await withUploads(edited, wanted);
      const values = { ...before, ...changes };
      const stored = await write(changes, values, status, base);
      if (stored === undefined) return;
      const { id } = stored.value;
      if (id !== base?.value.id) history.replaceState(null, '', hrefOf({ kind, id: String(id) }));
      showSaved(stored, changes);
    } catch (error) {
      await explain(error, status, base);
    }
  }

  function showSaved(stored: Answer<Entry>, changes: Values): void {
    edited.show(stored, changes);
    setConflict(undefined);
    setSavedAt(new Date());
  }

  /** Writes what differs from a version; undefined where the person does not want it after all. What a request has stored whose reply was lost is not sent again. */
  async function write(
    changes: Values,
    values: Values,
    status: string | undefined,
    base: Answer<Entry> | undefined,
  ): Promise<Answer<Entry> | undefined> {
    const rules = rulesIn(changes, values);
    if (base !== undefined) {
      const body = { ...bodyOf(kind, changes, values), ...(status === undefined ? {} : { status }) };
      if (rules !== undefined) return changeSeries({ ...body, ...rules }, 'later', base);
      const isOfSeries = 'series' in base.value && Object.keys(body).length > 0;
      const scope = isOfSeries ? await askScope('scopeAsk') : 'this';
      if (scope === undefined) return undefined;
      return scope === 'this' ? changeEntry(kind, body, base) : changeSeries(body, scope, base);
    }
    const { creation } = edited;
    const isAgain = creation.body !== undefined;
    creation.body ??= { ...bodyOf(kind, filledIn(values), values), status, ...copied(changes), ...rules };
    // A browser that has no room for it says so beside the form.
    await edited.keep().catch(() => {});
    const created = await create(creation.body);
    if (!isAgain) return created;
    const missing = missingIn(created.value, changes);
    const isAsWanted = Object.keys(missing).length === 0 && isOfStatus(created.value, status);
    return isAsWanted ? created : write(missing, values, status, created);
  }

  /** Creates the record. What was refused is not stored, so another body may follow it. */
  async function create(body: Values): Promise<Answer<Entry>> {
    try {
      return await createEntry(kind, body, edited.creation.key);
    } catch (error) {
      if (error instanceof Refusal && error.isFinal) edited.creation.body = undefined;
      throw error;
    }
  }

  /** Returns the changes that a version does not have. */
  function missingIn(entry: Entry, changes: Values): Values {
    const there = valuesOf(kind, entry);
    const isMissing = ([name, value]: [string, unknown]) => textOf(value) !== textOf(there[name]);
    return Object.fromEntries(Object.entries(changes).filter(isMissing));
  }

  /** Shows a conflict with both versions, and lets people sign in again; other errors stay what they are. */
  async function explain(error: unknown, status: string | undefined, base?: Answer<Entry>): Promise<void> {
    const refusal = error instanceof Refusal ? error.status : 0;
    if (refusal === 401) {
      await edited.putChangesAside();
      await signIn();
    }
    if (refusal !== 412 || base === undefined) throw error;
    const theirs = await readEntry(kind, base.value.id);
    const isStored = Object.keys(missingIn(theirs.value, edited.changes)).length === 0;
    if (!isStored || !isOfStatus(theirs.value, status)) return setConflict({ theirs, status });
    showSaved(theirs, edited.changes);
  }

  async function saveNext(): Promise<void> {
    if (record === undefined) return;
    const before = valuesOf(kind, record.value);
    if (kind === 'event') checkDates({ ...before, ...edited.changes }, edited.changes);
    const scope = 'series' in record.value ? await askScope('scopeNext') : undefined;
    if ('series' in record.value && scope === undefined) return;
    const changes = await withUploads(edited, edited.changes);
    const body = bodyOf(kind, changes, { ...before, ...changes });
    await saveDraftOf(kind, record.value.id, scope === undefined ? body : { ...body, scope });
    edited.show(record, changes);
    setNextSaves((count) => count + 1);
    setSavedAt(new Date());
  }

  async function remove(): Promise<void> {
    if (record === undefined) return;
    const scope = 'series' in record.value ? await askScope('scopeRemove') : 'this';
    if (scope === undefined || (!('series' in record.value) && !confirm(word('removeSure')))) return;
    try {
      await (scope === 'this' ? trashEntry(kind, record) : trashSeries(scope, record));
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 412)) return explain(error, undefined);
      // Whoever removes it has seen what the other person has saved.
      edited.show(await readEntry(kind, record.value.id), {});
      throw error;
    }
    await edited.dropChanges();
    location.assign(hrefOf({ list: kind }));
  }

  return {
    isBusy,
    savedAt,
    failure,
    conflict,
    question,
    save: (status) => attempt(() => save(status, record)),
    keepMine() {
      if (conflict === undefined || isBusy) return;
      const { theirs, status } = conflict;
      const changes = edited.changesOver(theirs.value);
      const dropped = Object.entries(edited.changes).filter(([name]) => !(name in changes));
      // The form shows what is about to be saved, should it be refused.
      edited.show(theirs, Object.fromEntries(dropped));
      setConflict(undefined);
      attempt(() => save(status, theirs, changes));
    },
    takeTheirs() {
      if (conflict === undefined || isBusy) return;
      edited.show(conflict.theirs, edited.changes);
      setConflict(undefined);
    },
    saveNext: () => attempt(saveNext),
    nextSaves,
    remove: () => attempt(remove),
  };
}

/** Returns the rule that a form has now; undefined where it is not changed. Throws where something is missing. */
function rulesIn(changes: Values, values: Values): Values | undefined {
  const { series, repeat } = (changes['repeat'] ?? {}) as RepeatValue;
  if (repeat === undefined) return undefined;
  const rules = rulesOf(repeat, series?.recurrence_id ?? String(values['start_date']).slice(0, 10));
  if (rules === undefined) throw new FieldErrors(word('error_400'), { repeat: word('repeatIncomplete') });
  return rules;
}

/** Returns the event that a new one is a copy of. */
const copied = ({ copy_of: id }: Values) => (id === undefined ? {} : { copy_of: id });

/** Returns the values of a form that say something: a new record has what the form shows, changed or not. */
function filledIn(values: Values): Values {
  const isFilled = ([, value]: [string, unknown]) =>
    value !== '' && value !== false && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(values).filter(isFilled));
}

/** A record published ahead of its time is scheduled, and one of a contributor waits for review. */
function isOfStatus({ status }: Entry, wanted: string | undefined): boolean {
  const statuses = wanted === 'publish' ? ['publish', 'future', 'pending'] : [wanted ?? status];
  return statuses.includes(status);
}

/** Uploads the pictures that were chosen, and returns the changes with them. */
async function withUploads({ kind, set }: EditedRecord, changes: Values): Promise<Values> {
  const uploaded: Record<string, unknown> = { ...changes };
  for (const { name } of forms[kind]) {
    const value = uploaded[name];
    if (!isPending(value)) continue;
    uploaded[name] = await uploadPicture(value);
    set(name, uploaded[name]);
  }
  return uploaded;
}
