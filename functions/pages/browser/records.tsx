/** Objects and their custom data, for those who have just registered a source: a tree on one side, what an object holds on the other. */

import type { User } from 'oidc-client-ts';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { parseExactly } from './exact-json.ts';
import { type Get, type Kind, kinds, type ObjectRecord, ObjectView } from './object-view.tsx';
import { createSession, rootElement } from './session.ts';
import { SignInBar } from './sign-in-bar.tsx';

/** Items of one level of the tree, at most. */
const maxItems = 100;

const element = rootElement();
const { authority = '', client = '', base = '', records = '' } = element.dataset;
const session = createSession({ authority, client, base });
const hint = new URLSearchParams(location.search).get('login_hint');
const user = await session.user();
if (hint !== null && user?.profile.email !== hint) await session.signIn(hint);
else render(<App user={user} />, element);

function getAs({ access_token }: User): Get {
  return async <T,>(path: string): Promise<T> => {
    const reply = await fetch(records + path, { headers: { Authorization: `Bearer ${access_token}` } });
    const body = parseExactly(await reply.text());
    if (reply.ok) return body as T;
    const { detail, hint } = body as { readonly detail?: string; readonly hint?: string };
    throw new Error([detail ?? `Status ${reply.status}`, hint].filter(Boolean).join(' '));
  };
}

function App({ user }: { readonly user: User | null }) {
  const [selected, select] = useState(selectedInAddress());
  useEffect(() => {
    const show = () => select(selectedInAddress());
    addEventListener('hashchange', show);
    return () => removeEventListener('hashchange', show);
  }, []);
  if (user === null)
    return (
      <>
        <p>Sign in to see diaries, cases, deeds and documents, and where their custom data comes from.</p>
        <SignInBar session={session} user={null} />
      </>
    );
  const get = getAs(user);
  return (
    <>
      <SignInBar session={session} user={user} />
      <div class="columns">
        <nav aria-label="Objects">
          <Level get={get} kind={kinds[0]} path="/diaries" selected={selected?.id} />
        </nav>
        <div>
          {selected === undefined ? (
            <p>Choose an object.</p>
          ) : (
            <ObjectView key={`${selected.kind}/${selected.id}`} {...selected} get={get} base={records} />
          )}
        </div>
      </div>
    </>
  );
}

/** The object that stands behind the # of the address: `documents/document-contract`. */
function selectedInAddress(): { readonly kind: Kind; readonly id: string } | undefined {
  const [collection, id] = location.hash.slice(1).split('/').map(decodeURIComponent);
  const kind = kinds.find((one) => one === collection);
  return kind === undefined || !id ? undefined : { kind, id };
}

interface LevelProps {
  readonly get: Get;
  readonly kind: Kind;
  /** Path of the list. */
  readonly path: string;
  readonly selected: string | undefined;
}

/** One level of the tree, read when it is opened. */
function Level({ get, kind, path, selected }: LevelProps) {
  const [found, setFound] = useState<readonly ObjectRecord[] | string>('Reading …');
  useEffect(() => {
    get<readonly ObjectRecord[]>(`${path}?limit=${maxItems}`).then(setFound, (error: Error) =>
      setFound(error.message),
    );
  }, [path]);
  if (typeof found === 'string') return <p>{found}</p>;
  if (found.length === 0) return <p class="muted">Nothing here.</p>;
  return (
    <ul class="tree">
      {found.map((record) => (
        <Node key={record.id} {...{ get, kind, record, selected }} />
      ))}
    </ul>
  );
}

type NodeProps = Omit<LevelProps, 'path'> & { readonly record: ObjectRecord };

function Node({ get, kind, record: { id, title }, selected }: NodeProps) {
  const [isOpen, open] = useState(false);
  const child = kinds[kinds.indexOf(kind) + 1];
  const segment = encodeURIComponent(id);
  return (
    <li>
      {child !== undefined && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`${child} of ${title}`}
          onClick={() => open(!isOpen)}
        >
          {isOpen ? '−' : '+'}
        </button>
      )}{' '}
      <a href={`#${kind}/${segment}`} aria-current={id === selected ? 'true' : undefined}>
        {title}
      </a>
      {isOpen && child !== undefined && (
        <Level get={get} kind={child} path={`/${kind}/${segment}/${child}`} selected={selected} />
      )}
    </li>
  );
}
