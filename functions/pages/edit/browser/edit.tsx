/** Editing for people: lists of events, venues and organizers, and the form of each. Everything goes through the public API. */

import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { plain } from '../../common/browser/lists.ts';
import { Failure, useAttempt } from '../../common/browser/read.tsx';
import { language, root, SignInBar, word } from '../../common/browser/session.tsx';
import { Tabs } from '../../common/views/controls.tsx';
import { shortWhenOf } from '../../common/views/when.ts';
import type { Word } from '../../common/views/words.ts';
import { copyOf, takeDraft } from './drafts.ts';
import {
  address,
  changeEntry,
  type Entry,
  forms,
  hrefOf,
  type Kind,
  may,
  me,
  readEntries,
  readEntry,
  readWaiting,
  titleOf,
} from './edit-data.ts';
import { Editor } from './edit-form.tsx';
import { Submitted, useAuthors } from './review.tsx';
import { ToTranslate } from './to-translate.tsx';
import { untrashEntry } from './versions.ts';

type State = 'unpublished' | 'published' | 'over' | 'translations' | 'trash';
const eventStates: readonly State[] = ['unpublished', 'published', 'over', 'translations', 'trash'];
const contactStates: readonly State[] = ['unpublished', 'published', 'translations', 'trash'];

/** The statuses of records of a state. */
const statusesOf: Readonly<Record<State, string>> = {
  unpublished: 'draft,future,private',
  published: 'publish',
  over: 'publish',
  translations: 'publish,future,private,draft,pending',
  trash: 'trash',
};
/** The dates of events of a state, and their order: what comes next and what was last stand first. */
const datesOf: Readonly<Record<State, Readonly<Record<string, string>>>> = {
  unpublished: { start_date: '0001-01-01', end_date: '9999-12-31' },
  published: { ends_after: 'now', strict_dates: 'true' },
  translations: { ends_after: 'now', strict_dates: 'true' },
  over: { ends_before: 'now', strict_dates: 'true', order: 'desc' },
  trash: { start_date: '0001-01-01', end_date: '9999-12-31', order: 'desc' },
};

const kinds = Object.keys(forms) as Kind[];
const kindIn = (name: string) => kinds.find((kind) => kind === address.get(name));

render(await pageOf(kindIn('kind')).catch((error: Error) => <Failure error={error} />), root);

async function pageOf(kind: Kind | undefined) {
  if (me === undefined || !may('edit'))
    return (
      <>
        <h1>{word('edit')}</h1>
        <p>{word(me ? 'noRights' : 'editWhy')}</p>
        <SignInBar />
      </>
    );
  if (kind === undefined) return <Records list={kindIn('list') ?? 'event'} />;
  const id = address.get('id');
  const copy = address.get('copy');
  if (copy !== null && kind === 'event')
    return <Editor kind={kind} entry={undefined} draft={await copyOf(copy)} />;
  const entry = id === null ? undefined : await readEntry(kind, id);
  return <Editor kind={kind} entry={entry} draft={await takeDraft(kind, entry?.value.id)} />;
}

/** The records of a kind that the caller may change: those that are not published yet, or those that are, with a search. */
function Records({ list }: { readonly list: Kind }) {
  const states = list === 'event' ? eventStates : contactStates;
  const state = states.find((name) => name === address.get('state')) ?? 'unpublished';
  const search = address.get('search') ?? '';
  const [found, setFound] = useState<Found>();
  const [failure, attempt, isBusy] = useAttempt();
  const filters = () => filtersOf(list, state, search);
  const show = ({ items, total }: Pick<Found, 'items' | 'total'>, page: number) =>
    setFound((before) => ({ items: page === 1 ? items : [...(before?.items ?? []), ...items], total, page }));
  const read = async (page: number) => show(await readEntries(list, filters(), page), page);
  const [waiting, setWaiting] = useState<readonly Entry[]>([]);
  const nameOf = useAuthors();
  const readFirst = () =>
    attempt(async () => {
      const [pending, first] = await Promise.all([
        state === 'unpublished' ? readWaiting(list, filters()) : [],
        readEntries(list, filters(), 1),
      ]);
      setWaiting(pending);
      show(first, 1);
    });
  const rows = useRef<HTMLUListElement>(null);
  const [acts, setActs] = useState(0);
  const readAgain = () => {
    readFirst();
    setActs((count) => count + 1);
  };
  // The row whose button was pressed may be gone: then whoever presses keys goes on from the list.
  useEffect(() => {
    if (acts > 0 && document.activeElement === document.body) rows.current?.focus();
  }, [acts, found]);
  const isTranslating = state === 'translations';
  useEffect(() => {
    if (!isTranslating) readFirst();
  }, []);
  return (
    <>
      <div class="toolbar-row">
        <h1>{word('edit')}</h1>
        <SignInBar />
      </div>
      <p class="buttons">
        {kinds.map((kind) => (
          <a key={kind} href={hrefOf({ kind })}>
            + {word(`new_${kind}`)}
          </a>
        ))}
      </p>
      <div class="toolbar-row">
        <Tabs
          label={word('view')}
          links={kinds.map((kind) => [hrefOf({ list: kind }), word(`list_${kind}`), kind === list])}
        />
        <Tabs
          label={word('status')}
          links={states.map((name) => [
            hrefOf({ list, state: name, search }),
            word(name === 'trash' ? 'status_trash' : name),
            name === state,
          ])}
        />
      </div>
      <search>
        <form class="filters">
          {[...address].map(
            ([name, value]) =>
              name !== 'search' && <input key={name} type="hidden" name={name} value={value} />,
          )}
          <div class="search">
            <input type="search" name="search" defaultValue={search} aria-label={word('searchEntries')} />
            <button type="submit">{word('search')}</button>
          </div>
        </form>
      </search>
      {waiting.length > 0 && (
        <section aria-label={word('status_pending')}>
          <h2>
            {word('status_pending')} ({waiting.length})
          </h2>
          <ul class="entries">
            {waiting.map((item) => (
              <Row key={item.id} kind={list} item={item} read={readAgain} nameOf={nameOf} />
            ))}
          </ul>
        </section>
      )}
      {isTranslating && <ToTranslate list={list} filters={filters()} />}
      <Failure error={failure} />
      {found === undefined && !failure && !isTranslating && <p>{word('reading')}</p>}
      {found?.items.length === 0 && waiting.length === 0 && <p class="empty muted">{word('nothing')}</p>}
      <ul ref={rows} class="entries" tabIndex={-1}>
        {found?.items.map((item) => (
          <Row key={item.id} kind={list} item={item} read={readAgain} nameOf={nameOf} />
        ))}
      </ul>
      {found && found.items.length > 0 && (
        <p class="muted" role="status">
          {found.items.length} / {found.total}
        </p>
      )}
      {found && found.items.length < found.total && (
        <button
          type="button"
          class="outline"
          aria-disabled={isBusy}
          onClick={() => attempt(() => read(found.page + 1))}
        >
          {word('showMore')}
        </button>
      )}
    </>
  );
}

interface Found {
  readonly items: readonly Entry[];
  /** How many there are with those that are not shown yet. */
  readonly total: number;
  /** The last page that was read. */
  readonly page: number;
}

/** Returns what finds the records of a state that the caller may change: editors may all. */
function filtersOf(list: Kind, state: State, search: string): Readonly<Record<string, string>> {
  return {
    status: statusesOf[state],
    ...(list === 'event' ? { include_hidden: 'true', ...datesOf[state] } : {}),
    ...(may('edit_others') ? {} : { author: String(me?.id) }),
    ...(search.trim() === '' ? {} : { search }),
  };
}

interface RowProps {
  readonly kind: Kind;
  readonly item: Entry;
  readonly read: () => void;
  readonly nameOf: (author: string) => string;
}

function Row({ kind, item, read, nameOf }: RowProps) {
  const title = titleOf(kind, item);
  const isInTrash = item.status === 'trash';
  const isWaiting = item.status === 'draft' || item.status === 'pending';
  const [failure, attempt, isBusy] = useAttempt();
  const publish = async () => {
    await changeEntry(kind, { status: 'publish' }, await readEntry(kind, item.id));
    read();
  };
  const putBack = async () => {
    await untrashEntry(kind, item.id);
    read();
  };
  return (
    <li>
      <div>
        {isInTrash ? title : <a href={hrefOf({ kind, id: String(item.id) })}>{title}</a>}{' '}
        <kbd>{word(`status_${item.status}` as Word)}</kbd>
        {'title' in item && <p class="muted">{shortWhenOf(item, language)}</p>}
        {item.status === 'pending' && <Submitted item={item} nameOf={nameOf} />}
        {item.status === 'draft' && item.review_note && (
          <p>
            <strong>{word('sentBack')}</strong> {plain(item.review_note)}
          </p>
        )}
        <Failure error={failure} />
      </div>
      {kind === 'event' && (
        <button
          type="button"
          class="outline secondary"
          aria-label={`${word('copyEntry')}: ${title}`}
          onClick={() => location.assign(hrefOf({ kind, copy: String(item.id) }))}
        >
          {word('copyEntry')}
        </button>
      )}
      {/* The second click of a double click would meet the next row, which has moved up. */}
      {isWaiting && may('publish') && (
        <button
          type="button"
          class="outline"
          aria-label={`${word('publish')}: ${title}`}
          aria-disabled={isBusy}
          onClick={({ detail }) => detail < 2 && attempt(publish)}
        >
          {word('publish')}
        </button>
      )}
      {isInTrash && (
        <button
          type="button"
          class="outline"
          aria-label={`${word('putBack')}: ${title}`}
          aria-disabled={isBusy}
          onClick={({ detail }) => detail < 2 && attempt(putBack)}
        >
          {word('putBack')}
        </button>
      )}
    </li>
  );
}
