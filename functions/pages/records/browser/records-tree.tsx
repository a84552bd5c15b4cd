/** The tree from diaries down to documents. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { Failure } from '../../common/browser/read.tsx';
import { word } from '../../common/browser/session.tsx';
import { type Item, Name, nameOf, useItems } from './object-list.tsx';
import { type Ancestor, type Collection, collectionBelow, type Lineage, pathOf } from './record-kinds.ts';

interface LevelProps {
  /** Path of the list. */
  readonly list: string;
  readonly collection: Collection;
  readonly lineage: Lineage;
}

/** One list, read when it is opened. An object that is looked at stands in it, however far behind. */
export function Level({ list, collection, lineage }: LevelProps) {
  const { items, more, failure } = useItems(list, collection);
  if (items === undefined) return failure ? <Failure error={failure} /> : <p>{word('reading')}</p>;
  const linked = lineage.objects.find((object) => object.list === list);
  const isFurtherOn = linked !== undefined && !items.some(({ id }) => id === linked.id);
  const branch = (item: Item) => (
    <Branch key={item.id} item={item} collection={collection} lineage={lineage} />
  );
  return (
    <>
      <ul class="tree">
        {items.length === 0 && !isFurtherOn && <li class="muted">{word('nothing')}</li>}
        {items.map(branch)}
      </ul>
      {more}
      <Failure error={failure} />
      {isFurtherOn && <ul class="tree">{branch(itemOf(linked))}</ul>}
    </>
  );
}

function itemOf({ id, record }: Ancestor): Item {
  const { title, number } = record as Partial<Record<'title' | 'number', string | null>>;
  return { id, title: title ?? null, number: number ?? null };
}

interface BranchProps {
  readonly item: Item;
  readonly collection: Collection;
  readonly lineage: Lineage;
}

function Branch({ item: listed, collection, lineage }: BranchProps) {
  const path = pathOf(collection, listed.id);
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
  // What is looked at was read later than the list, and may have been changed here.
  const read = lineage.objects.find((object) => object.path === path);
  const item = read === undefined ? listed : itemOf(read);
  return (
    <li>
      <div class="branch">
        {below && (
          <button
            type="button"
            class="outline secondary"
            aria-expanded={isOpen}
            aria-label={`${word(`collection_${below}`)}: ${nameOf(item)}`}
            onClick={() => open(!isOpen)}
          >
            {isOpen ? '−' : '+'}
          </button>
        )}
        <a ref={link} href={`#${path.slice(1)}`} aria-current={isCurrent ? 'true' : undefined}>
          <Name item={item} />
        </a>
      </div>
      {isOpen && below && <Level list={`${path}/${below}`} collection={below} lineage={lineage} />}
    </li>
  );
}
