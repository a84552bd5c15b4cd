/** The form of a record: its fields, its buttons, its preview, and the choice when another person has changed it. */

import type { TargetedSubmitEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Word } from '../views/words.ts';
import { type Answer, Refusal } from './api-client.ts';
import { Conflict } from './conflict.tsx';
import {
  bodyOf,
  type Entry,
  forms,
  hrefOf,
  type Kind,
  may,
  readEntry,
  trashEntry,
  valueIn,
  writeEntry,
} from './edit-data.ts';
import { controls } from './edit-fields.tsx';
import { Preview, textOf } from './edit-views.tsx';
import { Fields, type Values } from './fields.tsx';
import { Failure } from './read.tsx';
import { signIn, word } from './session.tsx';

interface EditorProps {
  readonly kind: Kind;
  readonly heading: string;
  /** The record; undefined for a new one. */
  readonly entry: Answer<Entry> | undefined;
}

/** The place of unsaved changes while a person signs in again. */
const storageKey = `edit ${location.search}`;

export function Editor({ kind, heading, entry }: EditorProps) {
  const [record, setRecord] = useState(entry);
  const [changes, setChanges] = useState<Values>(JSON.parse(sessionStorage.getItem(storageKey) ?? '{}'));
  const [failure, setFailure] = useState<Error>();
  const [theirs, setTheirs] = useState<Answer<Entry>>();
  const [isSaved, setSaved] = useState(false);
  const [isPreviewed, setPreviewed] = useState(false);
  // Controls keep typed text, so another record needs new ones.
  const [round, setRound] = useState(0);
  const fields = forms[kind];
  const values = Object.fromEntries(
    fields.map((field) => [field.name, changes[field.name] ?? valueIn(record?.value, field)]),
  );
  const names = Object.keys(changes);
  const isChanged = names.length > 0;
  const status = record?.value.status ?? 'draft';

  useEffect(() => sessionStorage.removeItem(storageKey), []);
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isChanged]);

  /** Shows a stored record, without changes. */
  function show(newRecord: Answer<Entry>): void {
    setRecord(newRecord);
    setChanges({});
    setTheirs(undefined);
    setRound(round + 1);
  }

  async function save(newStatus: string, base = record): Promise<void> {
    const body = bodyOf(kind, values, names);
    const change = newStatus === base?.value.status ? {} : { status: newStatus };
    const record = await writeEntry(kind, { ...body, ...change }, base);
    if (!base) history.replaceState(null, '', hrefOf({ kind, id: String(record.value.id) }));
    show(record);
    setSaved(true);
  }

  /** Runs an action. A refusal is shown, and one of another version with both texts. */
  function attempt(action: () => Promise<void>): void {
    setFailure(undefined);
    setSaved(false);
    action().catch(async (error: Error) => {
      const code = error instanceof Refusal ? error.status : 0;
      if (code === 412 && record) return setTheirs(await readEntry(kind, record.value.id));
      setFailure(error);
      if (code !== 401) return;
      sessionStorage.setItem(storageKey, JSON.stringify(changes));
      setChanges({});
      await signIn();
    });
  }

  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    attempt(() => save((event.submitter as HTMLButtonElement | null)?.value ?? status));
  };
  const remove = async () => {
    if (record === undefined || !confirm(word('removeSure'))) return;
    await trashEntry(kind, record);
    setChanges({});
    location.assign(hrefOf({ list: kind }));
  };
  const set = (name: string, value: unknown) =>
    setChanges((earlier) => ({ ...earlier, ...following(name, value, values), [name]: value }));
  const fieldsThat = (isFirst: boolean) => (
    <div class="fields" key={round}>
      <Fields
        fields={fields.filter((field) => field.isFirst === isFirst)}
        {...{ values, set, failure, controls }}
      />
    </div>
  );
  return (
    <>
      <p>
        <a href={hrefOf({ list: kind })}>← {word('back')}</a>
      </p>
      <h1>{heading}</h1>
      {theirs && (
        <Conflict
          fields={fields
            .filter(({ name }) => names.includes(name))
            .map((field) => ({
              label: field.label,
              yours: textOf(values[field.name]),
              theirs: textOf(valueIn(theirs.value, field)),
            }))}
          keep={() => attempt(() => save(status, theirs))}
          take={() => show(theirs)}
        />
      )}
      <form class="editor" onSubmit={submit}>
        {fieldsThat(true)}
        <details>
          <summary>{word('more')}</summary>
          {fieldsThat(false)}
        </details>
        <div role="status">
          {isSaved && !isChanged && (
            <p class="ready">
              {word('saved')} {status === 'publish' && <a href={record?.value.url}>{word('viewPage')}</a>}
            </p>
          )}
          <Failure error={failure} />
        </div>
        <div class="buttons">
          {actionsOf(status).map(([value, text, isOutlined]) => (
            <button key={value} type="submit" value={value} class={isOutlined ? 'outline' : ''}>
              {word(text)}
            </button>
          ))}
          <button
            type="button"
            class="outline"
            aria-expanded={isPreviewed}
            onClick={() => setPreviewed(!isPreviewed)}
          >
            {word('preview')}
          </button>
          {record && (
            <button type="button" class="outline secondary" onClick={() => attempt(remove)}>
              {word('remove')}
            </button>
          )}
          <kbd>{word(`status_${status}` as Word)}</kbd>
        </div>
      </form>
      {isPreviewed && <Preview {...{ kind, values, record: record?.value }} />}
    </>
  );
}

/** Returns the values that follow from another: an event ends an hour after its start until its end is set. */
function following(name: string, value: unknown, { end_date: end }: Values): Values {
  if (name !== 'start_date' || value === '' || String(end ?? '') > String(value)) return {};
  const hourLater = new Date(Date.parse(`${String(value).padEnd(16, 'T00:00')}Z`) + 3_600_000);
  return { end_date: hourLater.toISOString().slice(0, 16) };
}

/** Returns the buttons that save a record: the status after it, and the text. The enter key presses the first. */
function actionsOf(status: string): readonly (readonly [status: string, Word, isOutlined?: true])[] {
  const isPublic = status === 'publish' || status === 'future';
  if (isPublic || (status === 'pending' && !may('publish')))
    return [
      [status, 'save'],
      ['draft', 'withdraw', true],
    ];
  return [
    status === 'pending' ? [status, 'save', true] : ['draft', 'saveDraft', true],
    may('publish') ? ['publish', 'publish'] : ['pending', 'submitReview'],
  ];
}
