/** The form of a record: its fields, what is done with it, its preview, and what to do when another person has changed it meanwhile. */

import type { TargetedSubmitEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Word } from '../views/words.ts';
import { type Answer, Refusal } from './api-client.ts';
import { Conflict } from './edit-conflict.tsx';
import { FieldView } from './edit-controls.tsx';
import type { Entry, Kind, Values } from './edit-data.ts';
import * as data from './edit-data.ts';
import { Preview } from './edit-preview.tsx';
import { signIn, word } from './session.tsx';

interface EditorProps {
  readonly kind: Kind;
  readonly heading: string;
  /** The record; undefined for a new one. */
  readonly found: Answer<Entry> | undefined;
}

/** Where the changes of a form wait for a person who has to sign in again. */
const storageKey = `edit ${location.search}`;

export function Editor({ kind, heading, found }: EditorProps) {
  const [stored, setStored] = useState(found);
  const [changes, setChanges] = useState<Values>(JSON.parse(sessionStorage.getItem(storageKey) ?? '{}'));
  const [failure, setFailure] = useState<Refusal | Error>();
  const [theirs, setTheirs] = useState<Answer<Entry>>();
  const [notice, setNotice] = useState('');
  const [isPreviewed, showPreview] = useState(false);
  // Controls keep what was typed, so another record needs new ones.
  const [round, setRound] = useState(0);
  const fields = data.forms[kind];
  const values = Object.fromEntries(
    fields.map((field) => [field.name, changes[field.name] ?? data.valueIn(stored?.value, field)]),
  );
  const isChanged = Object.keys(changes).length > 0;
  const status = stored?.value.status ?? 'draft';

  useEffect(() => sessionStorage.removeItem(storageKey), []);
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isChanged]);

  /** Shows a record as it is stored, with changes that are not. */
  function show(record: Answer<Entry> | undefined, unsaved: Values = {}): void {
    setStored(record);
    setChanges(unsaved);
    setTheirs(undefined);
    setFailure(undefined);
    setRound(round + 1);
  }

  async function save(wanted: string, before = stored): Promise<void> {
    const names = before ? Object.keys(changes) : [...Object.keys(changes), 'timezone'];
    const body = {
      ...data.bodyOf(kind, values, names),
      ...(wanted === before?.value.status ? {} : { status: wanted }),
    };
    setNotice('');
    setFailure(undefined);
    const saved = await data.writeEntry(kind, body, before);
    if (before === undefined)
      history.replaceState(null, '', data.hrefOf({ kind, id: String(saved.value.id) }));
    show(saved);
    setNotice(word('saved'));
  }

  /** Does something with the record; a refusal is shown, and one of another version with both texts. */
  const attempt = (action: () => Promise<void>) =>
    action().catch(async (error: Error) => {
      if (error instanceof Refusal && error.status === 412 && stored)
        return setTheirs(await data.readEntry(kind, stored.value.id));
      setFailure(error);
      if (!(error instanceof Refusal) || error.status !== 401) return;
      sessionStorage.setItem(storageKey, JSON.stringify(changes));
      setChanges({});
      await signIn();
    });

  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wanted = (event.submitter as HTMLButtonElement | null)?.value ?? status;
    void attempt(() => save(wanted));
  };
  const remove = async () => {
    if (stored === undefined || !confirm(word('removeSure'))) return;
    await data.trashEntry(kind, stored);
    setChanges({});
    location.assign(data.hrefOf({ list: kind }));
  };
  const set = (name: string, value: unknown) =>
    setChanges((before) => ({ ...before, ...following(name, value, values), [name]: value }));
  const views = (isFirst: boolean) =>
    fields
      .filter((field) => field.isFirst === isFirst)
      .map((field) => (
        <FieldView
          key={`${field.name} ${round}`}
          {...{ field, kind, values, value: values[field.name] }}
          error={failure instanceof Refusal ? failure.fields[field.name] : undefined}
          set={(value) => set(field.name, value)}
        />
      ));
  return (
    <>
      <p>
        <a href={data.hrefOf({ list: kind })}>← {word('back')}</a>
      </p>
      <h1>{heading}</h1>
      {theirs && (
        <Conflict
          {...{ kind, values, theirs, changed: Object.keys(changes) }}
          keep={() => attempt(() => save(status, theirs))}
          take={() => show(theirs)}
        />
      )}
      <form class="editor" onSubmit={submit}>
        {views(true)}
        <details>
          <summary>{word('more')}</summary>
          {views(false)}
        </details>
        <div role="status">
          {notice && !isChanged && (
            <p class="ready">
              {notice}{' '}
              {stored?.value.status === 'publish' && <a href={stored.value.url}>{word('viewPage')}</a>}
            </p>
          )}
          {failure && <p class="failing">{failure.message}</p>}
        </div>
        <div class="actions">
          {actionsOf(status).map(([wanted, text, isUsual]) => (
            <button key={wanted} type="submit" value={wanted} class={isUsual ? '' : 'outline'}>
              {word(text)}
            </button>
          ))}
          <button
            type="button"
            class="outline"
            aria-expanded={isPreviewed}
            onClick={() => showPreview(!isPreviewed)}
          >
            {word('preview')}
          </button>
          {stored && (
            <button type="button" class="outline secondary" onClick={() => attempt(remove)}>
              {word('remove')}
            </button>
          )}
          <kbd>{word(data.statusWords[status] ?? 'status')}</kbd>
        </div>
      </form>
      {isPreviewed && <Preview {...{ kind, values, record: stored?.value }} />}
    </>
  );
}

/** Returns the values that follow from another: an event ends an hour after its start until its end is said. */
function following(name: string, value: unknown, { end_date: end }: Values): Values {
  if (name !== 'start_date' || value === '' || String(end ?? '') > String(value)) return {};
  const hourLater = new Date(Date.parse(`${String(value).padEnd(16, 'T00:00')}Z`) + 3_600_000);
  return { end_date: hourLater.toISOString().slice(0, 16) };
}

/** Returns the ways to save a record of a status: the status that is asked for, what the button says, and whether it is the usual one. */
function actionsOf(status: string): readonly (readonly [status: string, Word, isUsual?: true])[] {
  const isPublic = status === 'publish' || status === 'future';
  // The first one is what the enter key does.
  if (isPublic || (status === 'pending' && !data.may('publish')))
    return [
      [status, 'save', true],
      ['draft', 'withdraw'],
    ];
  return [
    status === 'pending' ? [status, 'save'] : ['draft', 'saveDraft'],
    data.may('publish') ? ['publish', 'publish', true] : ['pending', 'submitReview', true],
  ];
}
