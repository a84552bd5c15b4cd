/** One field that finds objects of all kinds: by number first, then by title. What it finds stands in the place of the tree. */

import type { ComponentChildren, TargetedEvent, TargetedKeyboardEvent } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Refusal } from '../../common/browser/api-client.ts';
import { Failure } from '../../common/browser/read.tsx';
import { records, word } from '../../common/browser/session.tsx';
import { type FoundItem, foundBy, queriesFor } from './found.ts';
import { type ItemPage, itemFields, Name, readItems } from './object-list.tsx';
import { pathOf } from './record-kinds.ts';

/** Objects of one list that are read at once. */
const itemsAtOnce = 20;

/** Milliseconds after the last key before the lists are asked. */
const pause = 250;

/** Characters that are looked for, at most: a title has no more words that tell it from others. */
const maxLength = 200;

interface Findings {
  /** What was looked for. */
  readonly text: string;
  readonly items: readonly FoundItem[];
  /** Addresses of further pages, with the query that each belongs to. */
  readonly next: readonly Asked[];
  /** Why one of the lists cannot be read: what the others have is shown. */
  readonly failure: Error | undefined;
}

interface Asked {
  readonly query: ReturnType<typeof queriesFor>[number];
  readonly address: string;
}

const nothing: ItemPage = { items: [], next: undefined, total: 0 };

/** Reads a page of each list. A kind that the service does not serve has none. */
async function readAll(text: string, asked: readonly Asked[], signal: AbortSignal): Promise<Findings> {
  let failure: Error | undefined;
  const pages = await Promise.all(
    asked.map(({ address }) =>
      readItems(address, signal).catch((error: Error) => {
        if (!(error instanceof Refusal && error.status === 404)) failure = error;
        return nothing;
      }),
    ),
  );
  const lists = asked.map(({ query }, index) => ({ query, items: pages[index]?.items ?? [] }));
  const next = asked.flatMap(({ query }, index) => {
    const address = pages[index]?.next;
    return address === undefined ? [] : [{ query, address }];
  });
  return { text, items: foundBy(text, lists), next, failure };
}

function firstPages(text: string): Asked[] {
  return queriesFor(text).map((query) => ({
    query,
    address: `${records}/${query.collection}?${query.conditions}&${itemFields(query.collection)}&limit=${itemsAtOnce}`,
  }));
}

interface FindProps {
  /** Told of the object that was chosen. */
  readonly choose: (path: string) => void;
  /** The tree. */
  readonly children: ComponentChildren;
}

export function Find({ choose, children }: FindProps) {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  const [findings, setFindings] = useState<Findings>();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  // Enter may be pressed before the answer is there.
  const opensFirst = useRef(false);
  const id = useId();
  const sought = text.trim();
  const isCurrent = findings?.text === sought;

  useEffect(() => {
    const timer = setTimeout(() => setAsked(sought), pause);
    return () => clearTimeout(timer);
  }, [sought]);

  useEffect(() => {
    setFindings(undefined);
    if (asked === '') return undefined;
    const abort = new AbortController();
    readAll(asked, firstPages(asked), abort.signal).then((found) => {
      if (!abort.signal.aborted) setFindings(found);
    });
    return () => abort.abort();
  }, [asked]);

  const open = ({ collection, id: itemId }: FoundItem) => {
    const path = pathOf(collection, itemId);
    choose(path);
    location.hash = path.slice(1);
  };
  useEffect(() => {
    const [first] = findings?.items ?? [];
    if (!isCurrent || !opensFirst.current) return;
    opensFirst.current = false;
    if (first !== undefined) open(first);
  }, [findings]);

  const submit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    const [first] = findings?.items ?? [];
    if (isCurrent && first !== undefined) return open(first);
    opensFirst.current = true;
    setAsked(sought);
  };
  const clear = () => {
    opensFirst.current = false;
    setText('');
    input.current?.focus();
  };
  const links = () => [...(list.current?.querySelectorAll('a') ?? [])];
  const moveFromInput = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape' && text !== '') {
      event.preventDefault();
      clear();
    }
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    links()[0]?.focus();
  };
  const moveInList = (event: TargetedKeyboardEvent<HTMLUListElement>) => {
    if (event.key === 'Escape') clear();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const all = links();
    const at = all.indexOf(document.activeElement as HTMLAnchorElement) + step;
    (at < 0 ? input.current : all[Math.min(at, all.length - 1)])?.focus();
  };
  const readMore = async ({ items, next }: Findings) => {
    const more = await readAll(sought, next, new AbortController().signal);
    const known = new Set(items.map((item) => pathOf(item.collection, item.id)));
    const added = more.items.filter((item) => !known.has(pathOf(item.collection, item.id)));
    setFindings((shown) => (shown?.text === more.text ? { ...more, items: [...items, ...added] } : shown));
  };

  return (
    <>
      <search>
        <form class="find" onSubmit={submit}>
          <label for={id}>{word('find')}</label>
          <input
            ref={input}
            id={id}
            type="search"
            maxLength={maxLength}
            autocomplete="off"
            spellcheck={false}
            value={text}
            onInput={({ currentTarget }) => {
              opensFirst.current = false;
              setText(currentTarget.value);
            }}
            onKeyDown={moveFromInput}
          />
          <p class="muted" role="status">
            {sought !== '' && (isCurrent ? <Outcome findings={findings} /> : word('finding'))}
          </p>
        </form>
      </search>
      {sought === '' && children}
      {sought !== '' && isCurrent && (
        <>
          <Failure error={findings.failure} />
          <ul ref={list} class="tree" onKeyDown={moveInList}>
            {findings.items.map((item) => {
              const path = pathOf(item.collection, item.id);
              return (
                <li key={path} class="found">
                  <a href={`#${path.slice(1)}`} onClick={() => choose(path)}>
                    <Name item={item} />
                    <small class="muted">{word(`kind_${item.collection}`)}</small>
                  </a>
                </li>
              );
            })}
          </ul>
          {findings.next.length > 0 && (
            <p class="buttons">
              <button type="button" class="outline secondary" onClick={() => readMore(findings)}>
                {word('showMore')}
              </button>
            </p>
          )}
        </>
      )}
    </>
  );
}

/** How much was found, in words. */
function Outcome({ findings: { text, items, next, failure } }: { readonly findings: Findings }) {
  if (items.length === 0) return failure === undefined ? `${word('noneFound')} ${text}` : null;
  const count = `${items.length} ${word(items.length === 1 ? 'oneFound' : 'manyFound')}`;
  return next.length === 0 ? count : `${count} ${word('andMore')}`;
}
