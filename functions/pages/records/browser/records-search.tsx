/** A search of objects by kind and title, and a download of its result. */

import type { TargetedEvent } from 'preact';
import { Failure, useAttempt } from '../../common/browser/read.tsx';
import { records, user, word } from '../../common/browser/session.tsx';
import { Select } from '../../common/views/controls.tsx';
import { type Collection, collections } from './record-kinds.ts';
import { useTechnical } from './technical.tsx';

/** Rows of one request of a download. */
const maxRows = 1000;

/** The kind that a search is of, and its conditions as a query. */
export interface Found {
  readonly collection: Collection;
  readonly conditions: string;
}

/** The form; `show` shows what is found, and nothing for the tree. */
export function Search({ show }: { readonly show: (found: Found | undefined) => void }) {
  const [failure, attempt] = useAttempt();
  const isTechnical = useTechnical();
  const searchOf = (form: HTMLFormElement | null): Found => {
    const { collection, title } = Object.fromEntries(new FormData(form ?? undefined)) as Record<
      'collection' | 'title',
      string
    >;
    const conditions = title === '' ? '' : String(new URLSearchParams({ 'title[contains]': title }));
    return { collection: collection as Collection, conditions };
  };
  const submit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    show(searchOf(event.currentTarget));
  };
  const options = collections.map((name) => [name, word(`collection_${name}`)] as const);
  return (
    <details>
      <summary>{word('search')}</summary>
      <form onSubmit={submit}>
        <Select label={word('kindOfObject')} name="collection" options={options} />
        <label>
          {word('wordsOfTitle')}
          <input type="search" name="title" />
        </label>
        <p class="buttons">
          <button type="submit">{word('search')}</button>
          <button
            type="button"
            class="outline"
            onClick={({ currentTarget: { form } }) => attempt(() => download(searchOf(form), isTechnical))}
          >
            {word('download')}
          </button>
          <button type="reset" class="outline secondary" onClick={() => show(undefined)}>
            {word('allObjects')}
          </button>
        </p>
        <Failure error={failure} />
      </form>
    </details>
  );
}

/** Saves a list as a table for spreadsheets; its columns have the names of the API, or the customer's labels. */
async function download({ collection, conditions }: Found, hasNames: boolean): Promise<void> {
  const headers = { Accept: 'text/csv', Authorization: `Bearer ${user?.access_token}` };
  const parts: string[] = [];
  const first = `${records}/${collection}?${conditions}${conditions && '&'}labels=${!hasNames}&limit=${maxRows}`;
  for (let next: string | undefined = first; next !== undefined; ) {
    const reply: Response = await fetch(next, { headers });
    if (!reply.ok) throw new Error(`${word('downloadFailed')} (${reply.status})`);
    const text = await reply.text();
    // The columns are named once.
    parts.push(parts.length === 0 ? text : text.replace(/^.*?\r?\n/, ''));
    next = /<([^>]+)>; rel="next"/.exec(reply.headers.get('link') ?? '')?.[1];
  }
  const href = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }));
  Object.assign(document.createElement('a'), { href, download: `${collection}.csv` }).click();
  URL.revokeObjectURL(href);
}
