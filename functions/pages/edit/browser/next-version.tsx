/** The draft of the next version of a published record: what it would change, and what others have changed since. */

import { useEffect, useState } from 'preact/hooks';
import { type Answer, Refusal, send } from '../../common/browser/api-client.ts';
import type { Values } from '../../common/browser/fields.tsx';
import { Failure, useAttempt } from '../../common/browser/read.tsx';
import { word } from '../../common/browser/session.tsx';
import { Table } from '../../common/browser/table.tsx';
import { type Entry, type Kind, pathOf, readEntry } from './edit-data.ts';
import type { EditedRecord } from './edit-state.ts';
import { labelIn, rowsOf, shown } from './history.tsx';
import type { Scope } from './series.ts';
import type { FieldChange } from './versions.ts';

interface NextVersion {
  readonly base?: number;
  readonly scope?: Scope;
  readonly changes: readonly FieldChange[];
  readonly conflicts: readonly {
    readonly field: string;
    readonly language?: string;
    readonly mine: FieldChange['after'];
    readonly theirs: FieldChange['before'];
  }[];
}

/** Adds changes to the draft of a record. */
export async function saveDraftOf(kind: Kind, id: number, body: Values): Promise<void> {
  await send(pathOf(kind, `${id}/draft`), { method: 'PATCH', body: JSON.stringify(body) });
}

interface NextVersionProps {
  readonly edited: EditedRecord;
  /** Grows with each save of the draft from the form. */
  readonly saves: number;
}

/** The draft of a record, where there is one. */
export function NextVersionOf({ edited, saves }: NextVersionProps) {
  const { kind, record } = edited;
  const [draft, setDraft] = useState<Answer<NextVersion>>();
  const [isPublished, setPublished] = useState(false);
  const [failure, attempt, isBusy] = useAttempt();
  const id = record?.value.id;
  const read = async () => {
    if (id !== undefined) setDraft(await send<NextVersion>(pathOf(kind, `${id}/draft`)));
  };
  useEffect(() => attempt(read), [id, saves, record?.etag]);
  if (record === undefined || id === undefined || draft === undefined) return <Failure error={failure} />;
  const { base, changes, conflicts, scope } = draft.value;
  const publish = (resolve?: 'mine' | 'theirs') =>
    attempt(async () => {
      if (resolve === undefined) {
        // What another person has changed since it was shown is to be seen first: of the record, or of the draft.
        const present = await send<NextVersion>(pathOf(kind, `${id}/draft`));
        setDraft(present);
        if (present.value.conflicts.length > 0 || present.etag !== draft.etag) return;
      }
      const headers = { 'If-Match': draft.etag };
      const query = resolve === undefined ? '' : `&resolve=${resolve}`;
      try {
        await send(`${pathOf(kind, `${id}/draft/publish`)}${query}`, { method: 'POST', headers });
      } catch (error) {
        if (!(error instanceof Refusal && error.status === 409)) throw error;
        // Others have changed the same since it was shown: now both values are.
        return read();
      }
      const stored: Answer<Entry> = await readEntry(kind, id);
      edited.show(stored, {});
      setPublished(true);
      await read();
    });
  const drop = () =>
    attempt(async () => {
      await send(pathOf(kind, `${id}/draft`), { method: 'DELETE', headers: { 'If-Match': draft.etag } });
      await read();
    });
  if (base === undefined)
    return (
      <div role="status">
        {isPublished && <p class="ready">{word('nextPublished')}</p>}
        <Failure error={failure} />
      </div>
    );
  return (
    <section class="preview" aria-label={word('nextVersion')}>
      <h2>{word('nextVersion')}</h2>
      <p>
        {word('nextVersionWhy')}{' '}
        {scope !== undefined && `${word('nextScope')} ${word(`scope_${scope}`).toLowerCase()}.`}
      </p>
      {changes.length > 0 && <Table caption={word('restoreChanges')} rows={rowsOf(kind, changes)} />}
      {conflicts.length > 0 && (
        <div role="alert">
          <Table
            caption={word('conflictWhy')}
            rows={conflicts.map(({ field, language, mine, theirs }) => ({
              [word('field')]: labelIn(kind, field, language),
              [word('ofDraft')]: shown(kind, field, mine),
              [word('theirs')]: shown(kind, field, theirs),
            }))}
          />
        </div>
      )}
      <div role="status">
        <Failure error={failure} />
      </div>
      <div class="buttons">
        {conflicts.length === 0 ? (
          <button type="button" aria-disabled={isBusy} onClick={() => publish()}>
            {word('publishNext')}
          </button>
        ) : (
          <>
            <button type="button" aria-disabled={isBusy} onClick={() => publish('mine')}>
              {word('publishMine')}
            </button>
            <button type="button" class="outline" aria-disabled={isBusy} onClick={() => publish('theirs')}>
              {word('publishTheirs')}
            </button>
          </>
        )}
        <button type="button" class="outline secondary" aria-disabled={isBusy} onClick={drop}>
          {word('dropNext')}
        </button>
      </div>
    </section>
  );
}
