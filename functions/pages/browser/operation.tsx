/** One operation: what it does, a form that sends it, and its replies with an example each. */

import { useState } from 'preact/hooks';
import {
  bodyOf,
  exampleOf,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  readable,
} from './openapi.ts';
import { type Fields, getAs, labelsOf, useRead } from './read.tsx';

export interface OperationViewProps {
  readonly document: OpenApiDocument;
  readonly operation: Operation;
  readonly token: string | undefined;
  /** The base path. */
  readonly base: string;
}

/** A reply as it came, and the request as a line for a shell. */
interface Received {
  readonly status: number;
  readonly text: string;
  readonly call: string;
}

/** Parameters of which there are many and of which a search names a few: they are chosen, and not all shown. */
const isCondition = ({ name }: Parameter) => /^bk[A-Z]\w*\d\d$/.test(name);

export function OperationView({ document, operation, token, base }: OperationViewProps) {
  const [received, setReceived] = useState<Received>();
  const { parameters = [], description, responses } = operation;
  const body = bodyOf(operation);
  const send = async (form: HTMLFormElement) => {
    const { url, init } = requestOf(operation, new FormData(form), token, base);
    const reply = await fetch(url, init);
    setReceived({ status: reply.status, text: await reply.text(), call: curlOf(url, init) });
  };
  return (
    <div class="inside">
      <p>{description}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send(event.currentTarget);
        }}
      >
        <div class="fields">
          {parameters
            .filter((one) => !isCondition(one))
            .map((one) => (
              <ParameterField key={one.name} parameter={one} />
            ))}
        </div>
        <Conditions {...{ parameters, base, token }} path={operation.path} />
        {body && (
          <label class="block">
            Body ({body.type})
            <textarea
              name="body"
              rows={Math.min(12, body.text.split('\n').length + 1)}
              defaultValue={body.text}
            />
          </label>
        )}
        <button type="submit" class="main">
          Send
        </button>
      </form>
      {received && (
        <section aria-label="Reply" aria-live="polite">
          <h3>
            Reply: <span class="status">{received.status}</span>
          </h3>
          <pre>{received.call}</pre>
          {received.text && <pre>{readable(received.text)}</pre>}
        </section>
      )}
      <h3>Replies</h3>
      {Object.entries(responses).map(([status, { description: text, content }]) => (
        <details key={status}>
          <summary>
            <b>{status}</b> {text}
          </summary>
          <pre>{exampleOf(content, document) ?? 'No body.'}</pre>
        </details>
      ))}
    </div>
  );
}

function ParameterField({ parameter }: { readonly parameter: Parameter }) {
  const { name, in: place, required = false, description, example, schema } = parameter;
  const value = place === 'path' ? String(example ?? '') : '';
  return (
    <label title={description}>
      {place === 'header' ? `${name} (header)` : name}
      <input
        name={`${place} ${name}`}
        required={required}
        defaultValue={value}
        placeholder={String(schema?.default ?? '')}
      />
    </label>
  );
}

interface ConditionsProps extends Pick<OperationViewProps, 'base' | 'token'> {
  readonly parameters: readonly Parameter[];
  readonly path: string;
}

/** Rows of a field, with what the customer calls it, and a value, as many as somebody wants. */
function Conditions({ parameters, path, base, token }: ConditionsProps) {
  const names = parameters.filter(isCondition).map(({ name }) => name);
  const [rows, setRows] = useState<readonly string[]>(names.slice(0, 1));
  const canRead = names.length > 0 && token !== undefined;
  const labels = labelsOf(useRead<Fields>(canRead ? getAs(token, base) : undefined, `${path}/fields`));
  if (names.length === 0) return null;
  return (
    <fieldset>
      <legend>Conditions on bk-fields; all must hold</legend>
      {rows.map((name, row) => (
        <p key={row} class="condition">
          <select
            aria-label={`Field ${row + 1}`}
            value={name}
            onChange={({ currentTarget }) => setRows(rows.with(row, currentTarget.value))}
          >
            {names.map((one) => (
              <option key={one} value={one}>
                {labels.has(one) ? `${one}: ${labels.get(one)}` : one}
              </option>
            ))}
          </select>
          <input name={`query ${name}`} aria-label={`Value ${row + 1}`} />
        </p>
      ))}
      <button type="button" onClick={() => setRows([...rows, names[rows.length % names.length] ?? ''])}>
        Another condition
      </button>
    </fieldset>
  );
}

/** Writes an operation as a request, with what the form says. Empty fields are left out. */
function requestOf(operation: Operation, form: FormData, token: string | undefined, base: string) {
  const { method, security = [] } = operation;
  const url = new URL(location.origin);
  const headers = new Headers();
  if (token !== undefined && security.length > 0) headers.set('Authorization', `Bearer ${token}`);
  let path = operation.path;
  for (const [key, value] of form) {
    const [place, name = ''] = key.split(' ');
    if (typeof value !== 'string' || value === '') continue;
    // A slash is encoded twice, since hosts decode a path once before they look for its route.
    if (place === 'path')
      path = path.replace(`{${name}}`, encodeURIComponent(value).replaceAll('%2F', '%252F'));
    if (place === 'query') url.searchParams.append(name, value);
    if (place === 'header') headers.set(name, value);
  }
  url.pathname = base + path;
  const body = form.get('body');
  if (typeof body !== 'string') return { url: url.href, init: { method, headers } };
  headers.set('Content-Type', bodyOf(operation)?.type ?? 'application/json');
  return { url: url.href, init: { method, headers, body } };
}

/** Writes a request as a line for a shell; the token stays a variable. */
function curlOf(url: string, { method, headers, body }: ReturnType<typeof requestOf>['init']): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const lines = [...headers].map(([name, value]) =>
    name === 'authorization' ? `-H "Authorization: Bearer $TOKEN"` : `-H ${quoted(`${name}: ${value}`)}`,
  );
  const data = body === undefined ? [] : [`-d ${quoted(body)}`];
  return ['curl', ...(method === 'GET' ? [] : [`-X ${method}`]), ...lines, ...data, quoted(url)].join(' ');
}
