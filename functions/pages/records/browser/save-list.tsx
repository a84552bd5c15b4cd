/** Saves lists of objects as tables that the reader's spreadsheet opens: labelled columns that have something in them, dates and numbers as it reads them. */

import { parseExactly } from '../../common/browser/json.ts';
import { Failure, type Field, readFields, useAttempt } from '../../common/browser/read.tsx';
import { language, records, user, word } from '../../common/browser/session.tsx';
import { Select } from '../../common/views/controls.tsx';
import { labelOf } from './labels.ts';
import { type Collection, collections } from './record-kinds.ts';
import { tableFor } from './spreadsheet.ts';
import { useTechnical } from './technical.tsx';

/** Rows of one request. */
const maxRows = 1000;

export function SaveList() {
  const [failure, attempt] = useAttempt();
  const isTechnical = useTechnical();
  const options = collections.map((name) => [name, word(`collection_${name}`)] as const);
  return (
    <details>
      <summary>{word('saveList')}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          const collection = data.get('collection') as Collection;
          attempt(() => download(collection, String(data.get('title')).trim(), isTechnical));
        }}
      >
        <Select label={word('kindOfObject')} name="collection" options={options} />
        <label>
          {word('wordsOfTitle')}
          <input type="search" name="title" />
        </label>
        <p class="buttons">
          <button type="submit">{word('download')}</button>
        </p>
        <Failure error={failure} />
      </form>
    </details>
  );
}

type ObjectRecord = Readonly<Record<string, unknown>>;

/** Reads all pages of a list. */
async function readList(first: string): Promise<ObjectRecord[]> {
  const rows: ObjectRecord[] = [];
  for (let next: string | undefined = first; next !== undefined; ) {
    const reply: Response = await fetch(next, { headers: { Authorization: `Bearer ${user?.access_token}` } });
    if (!reply.ok) throw new Error(`${word('downloadFailed')} (${reply.status})`);
    rows.push(...(parseExactly(await reply.text()) as ObjectRecord[]));
    next = /<([^>]+)>; rel="next"/.exec(reply.headers.get('link') ?? '')?.[1];
  }
  return rows;
}

/** The columns are called as on the page; who sees technical details gets the names of the API. */
async function download(collection: Collection, title: string, hasNames: boolean): Promise<void> {
  const conditions = title === '' ? '' : `${new URLSearchParams({ 'title[contains]': title })}&`;
  const [fields, rows] = await Promise.all([
    readFields(`${records}/${collection}/fields`).catch((): readonly Field[] => []),
    readList(`${records}/${collection}?${conditions}limit=${maxRows}`),
  ]);
  const labels = new Map(fields.map(({ name, label }) => [name, label]));
  const headOf = (name: string) => (hasNames ? name : labelOf(name, labels.get(name)));
  const href = URL.createObjectURL(new Blob([tableFor(rows, headOf, language)], { type: 'text/csv' }));
  Object.assign(document.createElement('a'), { href, download: `${collection}.csv` }).click();
  URL.revokeObjectURL(href);
}
