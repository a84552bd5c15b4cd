/** The form of a record: its fields, its buttons, its preview, and the choice when another person has changed it. */

import type { TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { Answer } from './api-client.ts';
import { Conflict } from './conflict.tsx';
import { Actions } from './edit-actions.tsx';
import { type Entry, forms, hrefOf, type Kind, valueIn } from './edit-data.ts';
import { controls } from './edit-fields.tsx';
import { type Saving, useSaving } from './edit-saving.ts';
import { type EditedRecord, useEditedRecord } from './edit-state.ts';
import { Preview, textOf } from './edit-views.tsx';
import { Fields } from './fields.tsx';
import { Failure } from './read.tsx';
import { word } from './session.tsx';

interface EditorProps {
  readonly kind: Kind;
  readonly heading: string;
  /** The record; undefined for a new one. */
  readonly entry: Answer<Entry> | undefined;
}

export function Editor({ kind, heading, entry }: EditorProps) {
  const edited = useEditedRecord(kind, entry);
  const saving = useSaving(edited);
  const [isPreviewed, setPreviewed] = useState(false);
  const { record, status, values } = edited;
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    saving.save((event.submitter as HTMLButtonElement | null)?.value ?? status);
  };
  return (
    <>
      <p>
        <a href={hrefOf({ list: kind })}>← {word('back')}</a>
      </p>
      <h1>{heading}</h1>
      <ChangedMeanwhile edited={edited} saving={saving} />
      <form class="editor" onSubmit={submit}>
        <FieldsOfRecord edited={edited} saving={saving} isFirst={true} />
        <details>
          <summary>{word('more')}</summary>
          <FieldsOfRecord edited={edited} saving={saving} isFirst={false} />
        </details>
        <Outcome edited={edited} saving={saving} />
        <Actions
          status={status}
          isPreviewed={isPreviewed}
          togglePreview={() => setPreviewed(!isPreviewed)}
          remove={record && saving.remove}
        />
      </form>
      {isPreviewed && <Preview kind={kind} values={values} record={record?.value} />}
    </>
  );
}

interface PartProps {
  readonly edited: EditedRecord;
  readonly saving: Saving;
}

/** The choice between both texts of each field that was changed here, where another person has saved the record meanwhile. */
function ChangedMeanwhile({ edited, saving }: PartProps) {
  const { kind, values, changedNames } = edited;
  const { theirs, keepMine, takeTheirs } = saving;
  if (theirs === undefined) return null;
  const fields = forms[kind]
    .filter(({ name }) => changedNames.includes(name))
    .map((field) => ({
      label: field.label,
      yours: textOf(values[field.name]),
      theirs: textOf(valueIn(theirs.value, field)),
    }));
  return <Conflict fields={fields} keep={keepMine} take={takeTheirs} />;
}

/** The fields that come first, or the others. */
function FieldsOfRecord({ edited, saving, isFirst }: PartProps & { readonly isFirst: boolean }) {
  const { kind, values, set, round } = edited;
  return (
    <div class="fields" key={round}>
      <Fields
        fields={forms[kind].filter((field) => field.isFirst === isFirst)}
        values={values}
        set={set}
        failure={saving.failure}
        controls={controls}
      />
    </div>
  );
}

/** What came of the last action. */
function Outcome({ edited, saving }: PartProps) {
  const { record, status, changedNames } = edited;
  return (
    <div role="status">
      {saving.isSaved && changedNames.length === 0 && (
        <p class="ready">
          {word('saved')} {status === 'publish' && <a href={record?.value.url}>{word('viewPage')}</a>}
        </p>
      )}
      <Failure error={saving.failure} />
    </div>
  );
}
