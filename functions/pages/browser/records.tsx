/** Objects and their custom data, for consultants who register a source: a tree on the left, the selected object on the right. */

import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ObjectView } from './object-view.tsx';
import { Read } from './read.tsx';
import { records, root, SignInBar, signIn, user } from './session.tsx';

/** Collections of objects, each below the one before. */
const collections = ['diaries', 'journalized-cases', 'deeds', 'documents'];

/** Items of one level of the tree, at most. */
const maxItems = 100;

const why = 'Sign in to see diaries, cases, deeds and documents, and where their custom data comes from.';
const hint = new URLSearchParams(location.search).get('login_hint');
if (hint !== null && user?.profile.email !== hint) await signIn(hint);
else render([<SignInBar />, user === null ? <p>{why}</p> : <Objects />], root);

/** Returns the path of the object that stands behind the # of the address: `/documents/document-contract`. */
function pathInAddress(): string | undefined {
  const [collection = '', id] = location.hash.slice(1).split('/');
  return id && collections.includes(collection) ? `/${collection}/${id}` : undefined;
}

function Objects() {
  const [path, setPath] = useState(pathInAddress());
  useEffect(() => addEventListener('hashchange', () => setPath(pathInAddress())), []);
  return (
    <div class="columns">
      <nav aria-label="Objects">
        <Level path="/diaries" />
      </nav>
      <div>{path ? <ObjectView key={path} url={records + path} /> : <p>Choose an object.</p>}</div>
    </div>
  );
}

type Item = Readonly<Record<'id' | 'title', string>>;

/** One level of the tree, read when it is opened. Its path ends with the name of its collection. */
function Level({ path }: { readonly path: string }) {
  return (
    <Read path={`${records}${path}?limit=${maxItems}`}>
      {(items: readonly Item[]) => (
        <ul class="tree">
          {items.length === 0 && <li class="muted">Nothing here.</li>}
          {items.map((item) => (
            <Branch key={item.id} {...item} list={path} />
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
