/** The explorer: one document at a time, its operations in groups that are closed, each to read and to try. */

import type { User } from 'oidc-client-ts';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { groupsOf, type OpenApiDocument, type Operation } from './openapi.ts';
import { OperationView } from './operation.tsx';
import { createSession, rootElement } from './session.ts';
import { SignInBar } from './sign-in-bar.tsx';

const element = rootElement();
const { authority = '', client = '', base = '', records, calendar } = element.dataset;
const session = createSession({ authority, client, base });

/** The documents by their addresses below the base path. */
const documents: readonly (readonly [file: string, name: string])[] = [
  ...(calendar === undefined ? [] : [['calendar', 'Calendar'] as const]),
  ...(records === undefined
    ? []
    : [['records', 'Records, v8.0'] as const, ['records-v7', 'Records, v7'] as const]),
];

render(<App user={await session.user()} />, element);

function App({ user }: { readonly user: User | null }) {
  const asked = new URLSearchParams(location.search).get('document');
  const [file, setFile] = useState(documents.find(([one]) => one === asked)?.[0] ?? documents[0]?.[0] ?? '');
  const [filter, setFilter] = useState('');
  const [document, setDocument] = useState<OpenApiDocument>();
  useEffect(() => {
    void fetch(`${base}/swagger/${file}.json`).then(async (reply) => setDocument(await reply.json()));
    history.replaceState(null, '', `?document=${file}`);
  }, [file]);
  return (
    <>
      <SignInBar session={session} user={user} />
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          API
          <select value={file} onChange={({ currentTarget }) => setFile(currentTarget.value)}>
            {documents.map(([one, name]) => (
              <option key={one} value={one}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          Filter
          <input
            type="search"
            value={filter}
            placeholder="Words of path or summary"
            onInput={({ currentTarget }) => setFilter(currentTarget.value)}
          />
        </label>
        <p>
          <a href={`${base}/swagger/${file}.json`}>OpenAPI document</a>
        </p>
      </form>
      {document === undefined ? (
        <p>Reading …</p>
      ) : (
        <Groups key={file} {...{ document, filter }} token={user?.access_token} />
      )}
    </>
  );
}

interface GroupsProps {
  readonly document: OpenApiDocument;
  readonly filter: string;
  readonly token: string | undefined;
}

function Groups({ document, filter, token }: GroupsProps) {
  const groups = [...groupsOf(document, filter.trim())];
  if (groups.length === 0) return <p>No operation has these words.</p>;
  return (
    <>
      {groups.map(([name, operations]) => (
        <details key={name} class="group" open={filter.trim() !== ''}>
          <summary>
            <h2>{name}</h2> <span class="muted">{operations.length}</span>
          </summary>
          {operations.map((operation) => (
            <OperationRow key={operation.operationId} {...{ document, operation, token }} />
          ))}
        </details>
      ))}
    </>
  );
}

/** What is inside is made when it is opened. */
function OperationRow(props: Omit<GroupsProps, 'filter'> & { readonly operation: Operation }) {
  const [isOpen, open] = useState(false);
  const { method, path, summary } = props.operation;
  return (
    <details class="operation" onToggle={({ currentTarget }) => open(currentTarget.open)}>
      <summary>
        <b>{method}</b> <code>{path}</code> <span class="muted">{summary}</span>
      </summary>
      {isOpen && <OperationView {...props} base={base} />}
    </details>
  );
}
