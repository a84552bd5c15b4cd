/** Objects and their custom data, for those who have just registered a source: a tree on one side, what an object holds on the other. */

import type { User } from 'oidc-client-ts';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ObjectView } from './object-view.tsx';
import { type Get, getAs, Shown, useRead } from './read.tsx';
import { root, SignInBar, signedInUser, signIn } from './session.tsx';

/** Collections of objects, each below the one before. */
const collections = ['diaries', 'journalized-cases', 'deeds', 'documents'];

/** Items of one level of the tree, at most. */
const maxItems = 100;

const { records = '' } = root.dataset;
const hint = new URLSearchParams(location.search).get('login_hint');
const user = await signedInUser();
if (hint !== null && user?.profile.email !== hint) await signIn(hint);
else render(user === null ? <SignInFirst /> : <App user={user} />, root);

function SignInFirst() {
  return (
    <>
      <p>Sign in to see diaries, cases, deeds and documents, and where their custom data comes from.</p>
      <SignInBar user={null} />
    </>
  );
}

/** Returns the path of the object that stands behind the # of the address: `/documents/document-contract`. */
function pathInAddress(): string | undefined {
  const [collection = '', id] = location.hash.slice(1).split('/');
  return id && collections.includes(collection) ? `/${collection}/${id}` : undefined;
}

function App({ user }: { readonly user: User }) {
  const [path, setPath] = useState(pathInAddress());
  useEffect(() => addEventListener('hashchange', () => setPath(pathInAddress())), []);
  const get = getAs(user.access_token, records);
  return (
    <>
      <SignInBar user={user} />
      <div class="columns">
        <nav aria-label="Objects">
          <Level get={get} path="/diaries" depth={0} selected={path} />
        </nav>
        <div>
          {path ? <ObjectView key={path} path={path} get={get} base={records} /> : <p>Choose an object.</p>}
        </div>
      </div>
    </>
  );
}

interface LevelProps {
  readonly get: Get;
  /** Path of the list. */
  readonly path: string;
  /** Levels above. */
  readonly depth: number;
  readonly selected: string | undefined;
}

interface Item {
  readonly id: string;
  readonly title: string;
}

/** One level of the tree, read when it is opened. */
function Level(props: LevelProps) {
  const found = useRead<readonly Item[]>(props.get, `${props.path}?limit=${maxItems}`);
  return (
    <Shown found={found}>
      {(items) => (
        <ul class="tree">
          {items.length === 0 && <li class="muted">Nothing here.</li>}
          {items.map((item) => (
            <Branch key={item.id} {...props} item={item} />
          ))}
        </ul>
      )}
    </Shown>
  );
}

function Branch({ depth, item: { id, title }, selected, get }: LevelProps & { readonly item: Item }) {
  const [isOpen, open] = useState(false);
  const child = collections[depth + 1];
  const path = `/${collections[depth]}/${encodeURIComponent(id)}`;
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
      <a href={`#${path.slice(1)}`} aria-current={path === selected ? 'true' : undefined}>
        {title}
      </a>
      {isOpen && <Level get={get} path={`${path}/${child}`} depth={depth + 1} selected={selected} />}
    </li>
  );
}
