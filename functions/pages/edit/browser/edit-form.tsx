/** The form of a record: its fields, its bar of actions, its preview, and the choice when another person has changed it. */

import type { TargetedSubmitEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer } from '../../common/browser/api-client.ts';
import { Conflict, type ConflictField } from '../../common/browser/conflict.tsx';
import { Fields } from '../../common/browser/fields.tsx';
import { word } from '../../common/browser/session.tsx';
import type { Word } from '../../common/views/words.ts';
import type { Draft } from './drafts.ts';
import { SaveBar } from './edit-actions.tsx';
import {
  dateFields,
  type Entry,
  fieldsAround,
  forms,
  hrefOf,
  isOfOtherLanguage,
  type Kind,
  valueIn,
} from './edit-data.ts';
import { controls } from './edit-fields.tsx';
import { type Saving, useSaving } from './edit-saving.ts';
import { type EditedRecord, useEditedRecord } from './edit-state.ts';
import { Preview, readableOf } from './edit-views.tsx';
import { History } from './history.tsx';
import { KeptDrafts } from './kept-drafts.tsx';
import { LanguagesOf } from './languages.tsx';
import { NextVersionOf } from './next-version.tsx';
import { noteField, Review, SentBack } from './review.tsx';
import { ScopeQuestion } from './scope.tsx';

interface EditorProps {
  readonly kind: Kind;
  /** The record; undefined for a new one. */
  readonly entry: Answer<Entry> | undefined;
  /** What was changed before the page was left for a sign-in. */
  readonly draft: Draft;
}

/** The form of a record, with the draft that was kept for it, or another one that the person chooses. */
export function Editor({ kind, entry, draft }: EditorProps) {
  const [shown, show] = useState(draft);
  return <Form key={shown.creation.key} kind={kind} entry={entry} draft={shown} show={show} />;
}

function Form({ kind, entry, draft, show }: EditorProps & { readonly show: (draft: Draft) => void }) {
  const edited = useEditedRecord(kind, entry, draft);
  const saving = useSaving(edited);
  const [isPreviewed, setPreviewed] = useState(false);
  const { record, values, status } = edited;
  const heading = word(`${record ? 'edit' : 'new'}_${kind}`);
  useEffect(() => {
    document.title = heading;
  }, [heading]);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => void (saving.failure && focusOnError(form.current)), [saving.failure]);
  // A copy lacks its dates alone.
  useEffect(() => {
    if (draft.changes['copy_of'] !== undefined)
      form.current?.querySelector<HTMLElement>('.date input')?.focus();
  }, []);
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    saving.save((event.submitter as HTMLButtonElement | null)?.value || undefined);
  };
  return (
    <>
      <p>
        <a href={hrefOf({ list: kind })}>← {word('back')}</a>
      </p>
      <h1>
        {heading} {record && <kbd>{wordOfStatus(status)}</kbd>}
      </h1>
      {record && kind === 'event' && (
        <p>
          <a href={hrefOf({ kind, copy: String(record.value.id) })}>{word('copyEntry')}</a>
        </p>
      )}
      <SentBack record={record?.value} />
      {record && ['publish', 'future', 'private'].includes(status) && (
        <NextVersionOf edited={edited} saves={saving.nextSaves} />
      )}
      <KeptDrafts kind={kind} id={entry?.value.id} own={draft.creation.key} show={show} />
      <form ref={form} class="editor" onSubmit={submit}>
        <FieldsOfRecord edited={edited} saving={saving} isFirst={true} />
        <details>
          <summary>{word('more')}</summary>
          <FieldsOfRecord edited={edited} saving={saving} isFirst={false} />
        </details>
        <LanguagesOf edited={edited} saving={saving} />
        <Review edited={edited} saving={saving} />
        <ChangedMeanwhile edited={edited} saving={saving} />
        <SaveBar edited={edited} saving={saving} preview={() => setPreviewed(true)} />
      </form>
      {saving.question && <ScopeQuestion {...saving.question} />}
      <History edited={edited} />
      {record && (
        <p class="buttons">
          <button
            type="button"
            class="outline secondary"
            aria-disabled={saving.isBusy}
            onClick={saving.remove}
          >
            {word('remove')}
          </button>
        </p>
      )}
      {isPreviewed && (
        <Preview kind={kind} values={values} record={record?.value} close={() => setPreviewed(false)} />
      )}
    </>
  );
}

/** Shows the first field that was refused, and goes there. */
function focusOnError(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  const fold = field?.closest('details');
  if (fold) fold.open = true;
  field?.focus();
}

interface PartProps {
  readonly edited: EditedRecord;
  readonly saving: Saving;
}

/** The choice between both versions, where another person has saved the record meanwhile. */
function ChangedMeanwhile({ edited, saving }: PartProps) {
  const { kind, changes, status } = edited;
  const { conflict, keepMine, takeTheirs, isBusy } = saving;
  if (conflict === undefined) return null;
  const { theirs } = conflict;
  const fields: readonly ConflictField[] = fieldsAround(kind, changes).map((field) => ({
    label: field.label,
    yours: field.name in changes ? readableOf(changes[field.name]) : undefined,
    theirs: readableOf(valueIn(theirs.value, field)),
  }));
  const isOfStatus = conflict.status !== undefined || theirs.value.status !== status;
  const statuses: ConflictField = {
    label: word('status'),
    yours: conflict.status && wordOfStatus(conflict.status),
    theirs: wordOfStatus(theirs.value.status),
  };
  return (
    <Conflict
      fields={isOfStatus ? [...fields, statuses] : fields}
      isBusy={isBusy}
      keep={keepMine}
      take={takeTheirs}
    />
  );
}

const wordOfStatus = (status: string) => word(`status_${status}` as Word);

/** The fields that come first, or the others. */
function FieldsOfRecord({ edited, saving, isFirst }: PartProps & { readonly isFirst: boolean }) {
  const { kind, values, set } = edited;
  return (
    <div class="fields">
      <Fields
        fields={forms[kind].filter(
          (field) =>
            (field.isFirst ?? false) === isFirst && field.name !== noteField && !isOfOtherLanguage(field),
        )}
        values={values}
        set={set}
        failure={saving.failure}
        controls={controls}
        together={dateFields}
      />
    </div>
  );
}
