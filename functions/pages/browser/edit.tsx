/** Editing for people: lists of events, venues and organizers, and the form of each. Everything goes through the public API. */

import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { shortWhenOf } from '../views/when.ts';
import type { Word } from '../views/words.ts';
import {
  asked,
  collections,
  type Entry,
  hrefOf,
  type Kind,
  may,
  me,
  readEntry,
  readList,
  statusWords,
  titleOf,
  wordsOf,
  writeEntry,
} from './edit-data.ts';
import { Editor } from './edit-form.tsx';
import { language, root, SignInBar, word } from './session.tsx';

const kinds = Object.keys(collections) as Kind[];
const kindIn = (name: string) => kinds.find((kind) => kind === asked.get(name));
const [kind, id] = [kindIn('kind'), asked.get('id')];

render(await pageOf().catch((error: Error) => <p class="failing">{error.message}</p>), root);

async function pageOf() {
  if (me === undefined || !may('edit'))
    return (
      <>
        <h1>{word('edit')}</h1>
        <p>{word(me ? 'noRights' : 'editWhy')}</p>
        <SignInBar />
      </>
    );
  if (kind === undefined) return <Records list={kindIn('list') ?? 'event'} />;
  const found = id === null ? undefined : await readEntry(kind, id);
  document.title = word(wordsOf[kind][found ? 1 : 0]);
  return <Editor kind={kind} found={found} heading={document.title} />;
}

/** The records of a kind that the caller may change: those that are not published yet, or those that are. */
function Records({ list }: { readonly list: Kind }) {
  const state = asked.get('state') === 'published' ? 'published' : 'unpublished';
  const [items, setItems] = useState<readonly Entry[] | Error>();
  const read = () => void readMine(list, state === 'published').then(setItems, setItems);
  useEffect(read, []);
  return (
    <>
      <div class="toolbar-row">
        <h1>{word('edit')}</h1>
        <SignInBar />
      </div>
      <p class="actions">
        {kinds.map((name) => (
          <a key={name} href={hrefOf({ kind: name })}>
            + {word(wordsOf[name][0])}
          </a>
        ))}
      </p>
      <div class="toolbar-row">
        <Tabs
          label="view"
          items={kinds.map((name) => [wordsOf[name][2], { list: name, state }, name === list])}
        />
        <Tabs
          label="status"
          items={(['unpublished', 'published'] as const).map((name) => [
            name,
            { list, state: name },
            name === state,
          ])}
        />
      </div>
      {items instanceof Error && <p class="failing">{items.message}</p>}
      {items === undefined && <p>{word('reading')}</p>}
      {Array.isArray(items) && items.length === 0 && <p class="empty muted">{word('nothing')}</p>}
      <ul class="entries">
        {Array.isArray(items) &&
          items.map((item: Entry) => <Row key={item.id} kind={list} item={item} read={read} />)}
      </ul>
    </>
  );
}

interface TabsProps {
  readonly label: Word;
  readonly items: readonly (readonly [Word, Readonly<Record<string, string>>, isCurrent: boolean])[];
}

function Tabs({ label, items }: TabsProps) {
  return (
    <nav class="views" aria-label={word(label)}>
      {items.map(([name, values, isCurrent]) => (
        <a key={name} href={hrefOf(values)} aria-current={isCurrent ? 'true' : undefined}>
          {word(name)}
        </a>
      ))}
    </nav>
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
  const event = 'title' in item ? item : undefined;
  const title = titleOf(kind, item);
  const isWaiting = item.status === 'draft' || item.status === 'pending';
  const [failure, setFailure] = useState('');
  const publish = async () => {
    const found = await readEntry(kind, item.id);
    await writeEntry(kind, { status: 'publish' }, found);
    read();
  };
  return (
    <li>
      <div>
        <a href={hrefOf({ kind, id: String(item.id) })}>{title}</a>{' '}
        <kbd>{word(statusWords[item.status] ?? 'status')}</kbd>
        {event && <p class="muted">{shortWhenOf(event, language)}</p>}
        {failure && <p class="failing">{failure}</p>}
      </div>
      {isWaiting && may('publish') && (
        <button
          type="button"
          class="outline"
          aria-label={`${word('publish')}: ${title}`}
          onClick={() => publish().catch((error: Error) => setFailure(error.message))}
        >
          {word('publish')}
        </button>
      )}
    </li>
  );
}
