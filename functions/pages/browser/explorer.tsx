/** The explorer: one document at a time, its operations in groups that are closed, each to read and to try. */

import type { User } from 'oidc-client-ts';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { groupsOf, type OpenApiDocument } from './openapi.ts';
import { OperationView, type OperationViewProps } from './operation.tsx';
import { root, SignInBar, signedInUser } from './session.tsx';

const { base = '', records, calendar } = root.dataset;

/** Names of the documents by their files below the base path. */
const documents: Readonly<Record<string, string>> = {
  ...(calendar === undefined ? {} : { calendar: 'Calendar' }),
  ...(records === undefined ? {} : { records: 'Records, v8.0', 'records-v7': 'Records, v7' }),
};

render(<App user={await signedInUser()} />, root);

function App({ user }: { readonly user: User | null }) {
  const asked = new URLSearchParams(location.search).get('document') ?? '';
  const [file, setFile] = useState(asked in documents ? asked : Object.keys(documents)[0]);
  const [filter, setFilter] = useState('');
  const [document, setDocument] = useState<OpenApiDocument>();
  const url = `${base}/swagger/${file}.json`;
  useEffect(() => {
    void fetch(url).then(async (reply) => setDocument(await reply.json()));
    history.replaceState(null, '', `?document=${file}`);
  }, [file]);
  return (
    <>
      <SignInBar user={user} />
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          API
          <select value={file} onChange={({ currentTarget }) => setFile(currentTarget.value)}>
            {Object.entries(documents).map(([one, name]) => (
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
          <a href={url}>OpenAPI document</a>
        </p>
      </form>
      {document && (
        <Groups key={file} {...{ document, base }} filter={filter.trim()} token={user?.access_token} />
      )}
    </>
  );
}

function Groups({ filter, ...props }: Omit<OperationViewProps, 'operation'> & { readonly filter: string }) {
  const groups = [...groupsOf(props.document, filter)];
  if (groups.length === 0) return <p>No operation has these words.</p>;
  return groups.map(([name, operations]) => (
    <details key={name} class="group" open={filter !== ''}>
      <summary>
        <h2>{name}</h2> <span class="muted">{operations.length}</span>
      </summary>
      {operations.map((operation) => (
        <OperationRow key={operation.operationId} {...props} operation={operation} />
      ))}
    </details>
  ));
}

/** What is inside is made when it is opened. */
function OperationRow(props: OperationViewProps) {
  const [isOpen, open] = useState(false);
  const { method, path, summary } = props.operation;
  return (
    <details class="operation" onToggle={({ currentTarget }) => open(currentTarget.open)}>
      <summary>
        <b>{method}</b> <code>{path}</code> <span class="muted">{summary}</span>
      </summary>
      {isOpen && <OperationView {...props} />}
    </details>
  );
}
