/** Objects and their custom data, for consultants who register a source: a tree on the left, the selected object on the right. */

import { render, type TargetedEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Select } from '../views/controls.tsx';
import { ObjectView } from './object-view.tsx';
import { Failure, Read, useAttempt } from './read.tsx';
import { records, root, SignInBar, signIn, user } from './session.tsx';

/** Collections of objects, each below the one before. */
const collections = ['diaries', 'journalized-cases', 'deeds', 'documents'];

/** Items of one level of the tree, at most. */
const maxItems = 100;
/** Rows of one request of a download. */
const maxRows = 1000;

const invitation =
  'Sign in to see diaries, cases, deeds and documents, and where their custom data comes from.';
const hint = new URLSearchParams(location.search).get('login_hint');
if (hint !== null && user?.profile.email !== hint) await signIn(hint);
else render([<SignInBar />, user === null ? <p>{invitation}</p> : <Objects />], root);

/** Returns the path of the object that stands behind the # of the address: `/documents/document-contract`. It leads to no other path, whatever stands there. */
function pathInAddress(): string | undefined {
  const [collection = '', segment = ''] = location.hash.slice(1).split('/');
  const id = decoded(segment);
  if (['', '.', '..'].includes(id) || !collections.includes(collection)) return undefined;
  return `/${collection}/${encodeURIComponent(id)}`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}

function Objects() {
  const [path, setPath] = useState(pathInAddress());
  useEffect(() => addEventListener('hashchange', () => setPath(pathInAddress())), []);
  const [search, setSearch] = useState('');
  return (
    <div class="columns">
      <nav aria-label="Objects">
        <Search show={setSearch} />
        {search === '' ? <Level path="/diaries" /> : <Level path={search} />}
      </nav>
      <div>{path ? <ObjectView key={path} url={records + path} /> : <p>Choose an object.</p>}</div>
    </div>
  );
}

type Item = Readonly<Record<'id' | 'title' | 'collection', string>>;

/** A search by kind and title, and a download of its result. */
function Search({ show }: { readonly show: (path: string) => void }) {
  const [failure, attempt] = useAttempt();
  const pathOf = (form: HTMLFormElement | null) => {
    const { collection = '', title = '' } = Object.fromEntries(new FormData(form ?? undefined)) as Item;
    return `/${collection}${title === '' ? '' : `?${new URLSearchParams({ 'title[contains]': title })}`}`;
  };
  const submit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    show(pathOf(event.currentTarget));
  };
  return (
    <form onSubmit={submit}>
      <Select label="Kind" name="collection" options={collections.map((name) => [name, name])} />
      <label>
        Words of the title
        <input type="search" name="title" />
      </label>
      <p class="buttons">
        <button type="submit">Search</button>
        <button
          type="button"
          class="outline"
          onClick={({ currentTarget: { form } }) => attempt(() => download(pathOf(form)))}
        >
          Download CSV
        </button>
        <button type="reset" class="outline secondary" onClick={() => show('')}>
          Tree
        </button>
      </p>
      <Failure error={failure} />
    </form>
  );
}

/** Saves a list as a table for spreadsheets. */
async function download(path: string): Promise<void> {
  const headers = { Accept: 'text/csv', Authorization: `Bearer ${user?.access_token}` };
  const parts: string[] = [];
  for (let next: string | undefined = pageOf(path, maxRows); next !== undefined; ) {
    const reply: Response = await fetch(next, { headers });
    if (!reply.ok) throw new Error(`The download failed with status ${reply.status}.`);
    const text = await reply.text();
    // The columns are named once.
    parts.push(parts.length === 0 ? text : text.replace(/^.*?\r?\n/, ''));
    next = /<([^>]+)>; rel="next"/.exec(reply.headers.get('link') ?? '')?.[1];
  }
  const href = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }));
  const name = `${path.slice(1).replace(/\?.*/, '')}.csv`;
  Object.assign(document.createElement('a'), { href, download: name }).click();
  URL.revokeObjectURL(href);
}

function pageOf(path: string, limit = maxItems): string {
  return `${records}${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
}

/** One level of the tree, read when it is opened. Its path ends with the name of its collection. */
function Level({ path }: { readonly path: string }) {
  return (
    <Read key={path} path={pageOf(path)}>
      {(items: readonly Item[]) => (
        <ul class="tree">
          {items.length === 0 && <li class="muted">Nothing here.</li>}
          {items.map((item) => (
            <Branch key={item.id} {...item} list={path.replace(/\?.*/, '')} />
          ))}
        </ul>
      )}
    </Read>
  );
}

function Branch({ id, title, list }: Item & { readonly list: string }) {
  const [isOpen, open] = useState(false);
  const collection = list.split('/').at(-1) ?? '';
  const child = collections[collections.indexOf(collection) + 1];
  const object = `/${collection}/${encodeURIComponent(id)}`;
  return (
    <li>
      {child && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`${child} of ${title}`}
          onClick={() => open(!isOpen)}
        >
          {isOpen ? '−' : '+'}
        </button>
      )}{' '}
      <a href={`#${object.slice(1)}`} aria-current={object === pathInAddress() ? 'true' : undefined}>
        {title}
      </a>
      {isOpen && <Level path={`${object}/${child}`} />}
    </li>
  );
}
