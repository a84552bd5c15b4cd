/** Lists of objects: the tree from diaries down to documents, and what a search has found. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { send } from '../../common/browser/api-client.ts';
import { Failure, useAttempt } from '../../common/browser/read.tsx';
import { records, word } from '../../common/browser/session.tsx';
import { type Collection, collectionBelow, type Lineage, pathOf } from './record-kinds.ts';

/** Items that are read at once. */
const itemsAtOnce = 100;

interface Item {
  readonly id: string;
  readonly title: string | null;
}

interface LevelProps {
  /** Path of the list, and the conditions of a search. */
  readonly list: string;
  readonly conditions?: string;
  readonly collection: Collection;
  readonly lineage: Lineage;
}

/** One list, read when it is opened. An object that is looked at stands in it, however far behind. */
export function Level({ list, conditions = '', collection, lineage }: LevelProps) {
  const [items, setItems] = useState<readonly Item[]>();
  const [more, setMore] = useState<{ readonly address: string; readonly total: number }>();
  const [failure, attempt, isBusy] = useAttempt();
  const read = async (address: string, known: readonly Item[] = []) => {
    const { value, headers } = await send<readonly Item[]>(address);
    // What is changed meanwhile may come a second time.
    const ids = new Set(known.map(({ id }) => id));
    setItems([...known, ...value.filter(({ id }) => !ids.has(id))]);
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    setMore(next === undefined ? undefined : { address: next, total: Number(headers.get('x-total-count')) });
  };
  const page = `fields=id,title&count=true&limit=${itemsAtOnce}`;
  const firstPage = `${records}${list}?${conditions}${conditions && '&'}${page}`;
  useEffect(() => attempt(() => read(firstPage)), [firstPage]);
  if (items === undefined) return failure ? <Failure error={failure} /> : <p>{word('reading')}</p>;
  const linked = lineage.objects.find((object) => object.list === list);
  const isFurtherOn = linked !== undefined && conditions === '' && !items.some(({ id }) => id === linked.id);
  const branch = (item: Item) => (
    <Branch key={item.id} item={item} collection={collection} lineage={lineage} />
  );
  return (
    <>
      <ul class="tree">
        {items.length === 0 && !isFurtherOn && <li class="muted">{word('nothing')}</li>}
        {items.map(branch)}
      </ul>
      {more !== undefined && (
        <p class="buttons">
          <button
            type="button"
            class="outline secondary"
            aria-disabled={isBusy}
            onClick={() => attempt(() => read(more.address, items))}
          >
            {word('showMore')}
          </button>
          <span class="muted">
            {items.length} / {more.total}
          </span>
        </p>
      )}
      <Failure error={failure} />
      {isFurtherOn && (
        <ul class="tree">{branch({ id: linked.id, title: linked.record['title'] as string | null })}</ul>
      )}
    </>
  );
}

interface BranchProps {
  readonly item: Item;
  readonly collection: Collection;
  readonly lineage: Lineage;
}

function Branch({ item: { id, title }, collection, lineage }: BranchProps) {
  const path = pathOf(collection, id);
  const isCurrent = lineage.path === path;
  const isAbove = lineage.objects.slice(1).some((object) => object.path === path);
  const [isOpen, open] = useState(isAbove);
  useEffect(() => {
    if (isAbove) open(true);
  }, [isAbove, lineage.path]);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const below = collectionBelow(collection);
  const name = title || id;
  return (
    <li>
      <div class="branch">
        {below && (
          <button
            type="button"
            class="outline secondary"
            aria-expanded={isOpen}
            aria-label={`${word(`collection_${below}`)}: ${name}`}
            onClick={() => open(!isOpen)}
          >
            {isOpen ? '−' : '+'}
          </button>
        )}
        <a ref={link} href={`#${path.slice(1)}`} aria-current={isCurrent ? 'true' : undefined}>
          {name}
        </a>
      </div>
      {isOpen && below && <Level list={`${path}/${below}`} collection={below} lineage={lineage} />}
    </li>
  );
}
