/** Lists of objects, page by page, with the numbers by which people call them. */

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { send } from '../../common/browser/api-client.ts';
import { Failure, useAttempt } from '../../common/browser/read.tsx';
import { records, word } from '../../common/browser/session.tsx';
import { type Collection, pathOf } from './record-kinds.ts';

/** Items that are read at once. */
const itemsAtOnce = 100;

export interface Item {
  readonly id: string;
  readonly title: string | null;
  /** Of a case. */
  readonly number?: string | null;
}

/** Returns the query parameter with the fields of items. */
export function itemFields(collection: Collection): string {
  return collection === 'journalized-cases' ? 'fields=id,title,number' : 'fields=id,title';
}

/** What an object is called: its number first. */
export function nameOf({ id, title, number }: Item): string {
  return [number, title || id].filter(Boolean).join(' ');
}

export function Name({ item: { id, title, number } }: { readonly item: Item }) {
  return (
    <>
      {number && <span class="number">{number}</span>}
      {number && ' '}
      {title || id}
    </>
  );
}

/** A page of a list: its items, and where the next one is. */
export interface ItemPage {
  readonly items: readonly Item[];
  readonly next: string | undefined;
  readonly total: number;
}

export async function readItems(address: string, signal?: AbortSignal): Promise<ItemPage> {
  const { value, headers } = await send<readonly Item[]>(address, signal === undefined ? {} : { signal });
  return {
    items: value,
    next: /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1],
    total: Number(headers.get('x-total-count')),
  };
}

/** Reads a list, at first one page of it; `more` is a button that reads the next one. In another round it is read again. */
export function useItems(list: string, collection: Collection, round = 0) {
  const [items, setItems] = useState<readonly Item[]>();
  const [page, setPage] = useState<ItemPage>();
  const [failure, attempt, isBusy] = useAttempt();
  const read = async (address: string, known: readonly Item[] = []) => {
    const found = await readItems(address);
    // What is changed meanwhile may come a second time.
    const ids = new Set(known.map(({ id }) => id));
    setItems([...known, ...found.items.filter(({ id }) => !ids.has(id))]);
    setPage(found);
  };
  const firstPage = `${records}${list}?${itemFields(collection)}&count=true&limit=${itemsAtOnce}`;
  useEffect(() => attempt(() => read(firstPage)), [firstPage, round]);
  const next = page?.next;
  const more: ComponentChildren = next !== undefined && (
    <p class="buttons">
      <button
        type="button"
        class="outline secondary"
        aria-disabled={isBusy}
        onClick={() => attempt(() => read(next, items))}
      >
        {word('showMore')}
      </button>
      <span class="muted" role="status">
        {items?.length} / {page?.total}
      </span>
    </p>
  );
  return { items, more, failure };
}

interface ObjectLinksProps {
  readonly list: string;
  readonly collection: Collection;
  readonly round: number;
}

/** The objects below another, as links. */
export function ObjectLinks({ list, collection, round }: ObjectLinksProps) {
  const { items, more, failure } = useItems(list, collection, round);
  if (items === undefined) return failure ? <Failure error={failure} /> : <p>{word('reading')}</p>;
  if (items.length === 0) return <p class="muted">{word('noValues')}</p>;
  return (
    <>
      <ul class="below">
        {items.map((item) => (
          <li key={item.id}>
            <a href={`#${pathOf(collection, item.id).slice(1)}`}>
              <Name item={item} />
            </a>
          </li>
        ))}
      </ul>
      {more}
      <Failure error={failure} />
    </>
  );
}
