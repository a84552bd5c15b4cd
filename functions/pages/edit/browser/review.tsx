/** What waits for review: who has submitted it and when, and a word with which it is sent back. */

import { useEffect, useState } from 'preact/hooks';
import { send } from '../../common/browser/api-client.ts';
import { plain } from '../../common/browser/lists.ts';
import { calendar, language, word } from '../../common/browser/session.tsx';
import { locales, timeOfText } from '../../common/views/when.ts';
import { type Entry, may, me } from './edit-data.ts';
import type { Saving } from './edit-saving.ts';
import type { EditedRecord } from './edit-state.ts';

/** The field of the word to the author. */
export const noteField = 'review_note';

const timeFormat = new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeStyle: 'short' });

interface Users {
  readonly users: readonly { readonly id: number; readonly name?: string }[];
}

/** Returns what to call an author by the number that records have; empty until it is known. Only editors see records of others. */
export function useAuthors(): (author: string) => string {
  const [names, setNames] = useState<ReadonlyMap<number, string>>();
  useEffect(() => {
    if (!may('edit_others')) return;
    const read = send<Users>(`${calendar}/users`).then(({ value }) => value.users);
    read.then(
      (users) => setNames(new Map(users.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name]])))),
      () => setNames(new Map()),
    );
  }, []);
  return (author) => {
    if (names === undefined) return '';
    return names.get(Number(author)) ?? `${word('somebody')} (${author})`;
  };
}

/** Says who has submitted a record, and when. */
export function Submitted({
  item,
  nameOf,
}: {
  readonly item: Entry;
  readonly nameOf: (author: string) => string;
}) {
  const { author, submitted_utc: submitted } = item;
  const name = Number(author) === me?.id ? '' : nameOf(author);
  if (submitted === undefined && name === '') return null;
  const time = submitted === undefined ? '' : timeFormat.format(timeOfText(submitted));
  return (
    <p class="muted">
      {name && `${word('by')} ${name}`}
      {name && time && ', '}
      {time && `${word('submitted')} ${time}`}
    </p>
  );
}

/** The word with which a draft was sent back. */
export function SentBack({ record }: { readonly record: Entry | undefined }) {
  if (record?.status !== 'draft' || !record.review_note) return null;
  return (
    <section class="preview" aria-label={word('sentBack')}>
      <p>
        <strong>{word('sentBack')}</strong> {plain(record.review_note)}
      </p>
    </section>
  );
}

/** What an editor does with what waits, beside publishing it: sends it back with a word. */
export function Review({ edited, saving }: { readonly edited: EditedRecord; readonly saving: Saving }) {
  const { record, status, values, set } = edited;
  const nameOf = useAuthors();
  if (record === undefined || status !== 'pending' || !may('edit_others')) return null;
  return (
    <section class="preview" aria-label={word('status_pending')}>
      <Submitted item={record.value} nameOf={nameOf} />
      <label for="review-note">{word('field_review_note')}</label>
      <textarea
        id="review-note"
        rows={2}
        value={String(values[noteField] ?? '')}
        onInput={({ currentTarget }) => set(noteField, currentTarget.value)}
      />
      <div class="buttons">
        <button
          type="button"
          class="outline"
          aria-disabled={saving.isBusy}
          onClick={({ detail }) => detail < 2 && saving.save('draft')}
        >
          {word('sendBack')}
        </button>
      </div>
    </section>
  );
}
