/** The explorer: one document at a time, its operations in groups that are closed, each to read and to try. */

import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Tabs } from '../views/controls.tsx';
import { documents, file, groupsOf, type Operation, url } from './openapi.ts';
import { OperationView } from './operation.tsx';
import { root, SignInBar } from './session.tsx';

/** The operation that the address names. */
const linkedId = location.hash.slice(1);

render(<Explorer />, root);

function Explorer() {
  const [filter, setFilter] = useState('');
  return (
    <>
      <SignInBar />
      <Tabs
        label="API"
        links={[
          ...Object.entries(documents).map(
            ([document, name]) => [`?document=${document}`, name, document === file] as const,
          ),
          [url, 'OpenAPI document'],
        ]}
      />
      <label>
        Filter
        <input
          type="search"
          placeholder="Words of path or summary"
          onInput={({ currentTarget }) => setFilter(currentTarget.value.trim())}
        />
      </label>
      <Groups filter={filter} />
    </>
  );
}

function Groups({ filter }: { readonly filter: string }) {
  const groups = [...groupsOf(filter)];
  if (groups.length === 0) return <p>No operation has these words.</p>;
  return groups.map(([name, operations]) => (
    <details
      key={name}
      class="group"
      open={filter !== '' || operations.some(({ operationId }) => operationId === linkedId)}
    >
      <summary>
        <h2>{name}</h2> <span class="muted">{operations.length}</span>
      </summary>
      {operations.map((operation) => (
        <OperationRow key={operation.operationId} {...operation} />
      ))}
    </details>
  ));
}

/** The content is made when the row is opened. */
function OperationRow(operation: Operation) {
  const { operationId: id } = operation;
  const [isOpen, open] = useState(id === linkedId);
  const place = useRef<HTMLDetailsElement>(null);
  useEffect(() => void (id === linkedId && place.current?.scrollIntoView()), []);
  return (
    <details
      class="operation"
      id={id}
      ref={place}
      open={isOpen}
      onToggle={({ currentTarget }) => open(currentTarget.open)}
    >
      <summary>
        <b>{operation.method}</b> <code>{operation.path}</code> <span class="muted">{operation.summary}</span>
      </summary>
      {isOpen && (
        <a href={`#${id}`} class="muted">
          Link to this operation
        </a>
      )}
      {isOpen && <OperationView operation={operation} />}
    </details>
  );
}
