/** The bar below the form of a record, which stays in sight: what came of the last action, and the buttons. */

import { useEffect, useRef } from 'preact/hooks';
import { useRefusals } from '../../common/browser/fields.tsx';
import { Failure } from '../../common/browser/read.tsx';
import { language, word } from '../../common/browser/session.tsx';
import { locales } from '../../common/views/when.ts';
import type { Word } from '../../common/views/words.ts';
import { dateFields, may, zone } from './edit-data.ts';
import type { Saving } from './edit-saving.ts';
import type { EditedRecord } from './edit-state.ts';

interface SaveBarProps {
  readonly edited: EditedRecord;
  readonly saving: Saving;
  readonly preview: () => void;
}

export function SaveBar({ edited, saving, preview }: SaveBarProps) {
  const { status, record, values, changes } = edited;
  const { isBusy } = saving;
  const isChanged = Object.keys(changes).length > 0;
  return (
    <div class="savebar">
      <Outcome edited={edited} saving={saving} />
      <div class="buttons">
        {actionsOf(status, record !== undefined, isLater(values['date'])).map(
          ({ status, text, isOutlined = false }) => (
            <button
              key={text}
              type="submit"
              value={status}
              class={isOutlined ? 'outline' : ''}
              aria-disabled={isBusy}
              onClick={ignoreSecondClick}
            >
              {word(text)}
            </button>
          ),
        )}
        {(status === 'publish' || status === 'future') && (
          <button
            type="button"
            class="outline"
            aria-disabled={isBusy || !isChanged}
            onClick={({ detail }) => detail < 2 && isChanged && saving.saveNext()}
          >
            {word('saveNext')}
          </button>
        )}
        <button type="button" class="outline" aria-haspopup="dialog" onClick={preview}>
          {word('preview')}
        </button>
      </div>
    </div>
  );
}

/** After a quick save the second click of a double click would meet another button in the place of the first. */
function ignoreSecondClick(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault();
}

/** What came of the last action, and whether anything is not saved. */
function Outcome({ edited, saving }: Pick<SaveBarProps, 'edited' | 'saving'>) {
  const { record, status, values, changes, isKept } = edited;
  const { areMended } = useRefusals(saving.failure, values, dateFields);
  const { isBusy, savedAt, failure, conflict } = saving;
  const isChanged = Object.keys(changes).length > 0;
  const outcome = useRef<HTMLDivElement>(null);
  // The button that was pressed may be gone: then whoever presses keys goes on from what came of it.
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (savedAt !== undefined && !isBusy && isLost) outcome.current?.focus();
  }, [savedAt, isBusy]);
  const time = savedAt?.toLocaleTimeString(locales[language], { timeStyle: 'short' });
  return (
    <div ref={outcome} role="status" tabIndex={-1}>
      {isBusy && <p class="muted">{word('saving')}</p>}
      {!isBusy && isChanged && !conflict && <p class="muted">{word('notSaved')}</p>}
      {isChanged && !isKept && <p class="failing">{word('notKept')}</p>}
      {!isBusy && conflict && <p class="failing">{word('conflictNote')}</p>}
      {!isBusy && !isChanged && time && (
        <p class="ready">
          {word('saved')} {time} {status === 'publish' && <a href={record?.value.url}>{word('viewPage')}</a>}
        </p>
      )}
      {!areMended && <Failure error={failure} />}
    </div>
  );
}

interface Action {
  /** The status of the record after it; undefined to keep its own. */
  readonly status?: string;
  readonly text: Word;
  readonly isOutlined?: true;
}

/** Checks whether a time of the form, in the zone of the calendar, is still to come. */
function isLater(value: unknown): boolean {
  const now = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  return String(value) > now.format(Date.now()).replace(' ', 'T');
}

/** Returns the buttons that save a record. The enter key presses the first. */
function actionsOf(status: string, isStored: boolean, isScheduled: boolean): readonly Action[] {
  const isDraft = status === 'draft' || status === 'pending';
  if (!isDraft || (status === 'pending' && !may('publish')))
    return [{ text: 'save' }, { status: 'draft', text: 'withdraw', isOutlined: true }];
  const publish: Action = may('publish')
    ? { status: 'publish', text: isScheduled ? 'schedule' : 'publish' }
    : { status: 'pending', text: 'submitReview' };
  if (status === 'pending') return [{ text: 'save', isOutlined: true }, publish];
  const saveDraft: Action = { text: 'saveDraft', isOutlined: true };
  return [isStored ? saveDraft : { ...saveDraft, status: 'draft' }, publish];
}
