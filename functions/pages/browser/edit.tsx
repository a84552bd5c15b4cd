/** Editing for people: lists of events, venues and organizers, and the form of each. Everything goes through the public API. */

import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Tabs } from '../views/controls.tsx';
import { shortWhenOf } from '../views/when.ts';
import type { Word } from '../views/words.ts';
import {
  address,
  collections,
  type Entry,
  hrefOf,
  type Kind,
  may,
  me,
  readEntry,
  readList,
  titleOf,
  writeEntry,
} from './edit-data.ts';
import { Editor } from './edit-form.tsx';
import { Failure, useAttempt } from './read.tsx';
import { language, root, SignInBar, word } from './session.tsx';

const states = ['unpublished', 'published'] as const;
const kinds = Object.keys(collections) as Kind[];
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
  const entry = id === null ? undefined : await readEntry(kind, id);
  document.title = word(`${entry ? 'edit' : 'new'}_${kind}`);
  return <Editor kind={kind} entry={entry} heading={document.title} />;
}

/** The records of a kind that the caller may change: those that are not published yet, or those that are. */
function Records({ list }: { readonly list: Kind }) {
  const state = states.find((name) => name === address.get('state')) ?? 'unpublished';
  const [items, setItems] = useState<readonly Entry[]>();
  const [failure, attempt] = useAttempt();
  const read = () => attempt(async () => setItems(await readMine(list, state === 'published')));
  useEffect(read, []);
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
          links={kinds.map((kind) => [hrefOf({ list: kind, state }), word(`list_${kind}`), kind === list])}
        />
        <Tabs
          label={word('status')}
          links={states.map((name) => [hrefOf({ list, state: name }), word(name), name === state])}
        />
      </div>
      <Failure error={failure} />
      {items === undefined && !failure && <p>{word('reading')}</p>}
      {items?.length === 0 && <p class="empty muted">{word('nothing')}</p>}
      <ul class="entries">
        {items?.map((item) => (
          <Row key={item.id} kind={list} item={item} read={read} />
        ))}
      </ul>
    </>
  );
}

/** Reads the records of a kind that the caller may change: editors may all. */
async function readMine(list: Kind, isPublished: boolean): Promise<readonly Entry[]> {
  const range = isPublished ? { ends_after: 'now' } : { start_date: '0001-01-01' };
  const ofEvents = list === 'event' ? { ...range, end_date: '9999-12-31', include_hidden: 'true' } : {};
  const status = isPublished ? 'publish' : 'draft,pending,future';
  const items = await readList<Entry>(collections[list], { status, ...ofEvents });
  return may('edit_others') ? items : items.filter(({ author }) => Number(author) === me?.id);
}

interface RowProps {
  readonly kind: Kind;
  readonly item: Entry;
  readonly read: () => void;
}

function Row({ kind, item, read }: RowProps) {
  const title = titleOf(kind, item);
  const isWaiting = item.status === 'draft' || item.status === 'pending';
  const [failure, attempt] = useAttempt();
  const publish = async () => {
    await writeEntry(kind, { status: 'publish' }, await readEntry(kind, item.id));
    read();
  };
  return (
    <li>
      <div>
        <a href={hrefOf({ kind, id: String(item.id) })}>{title}</a>{' '}
        <kbd>{word(`status_${item.status}` as Word)}</kbd>
        {'title' in item && <p class="muted">{shortWhenOf(item, language)}</p>}
        <Failure error={failure} />
      </div>
      {isWaiting && may('publish') && (
        <button
          type="button"
          class="outline"
          aria-label={`${word('publish')}: ${title}`}
          onClick={() => attempt(publish)}
        >
          {word('publish')}
        </button>
      )}
    </li>
  );
}
