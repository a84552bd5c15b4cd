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

interface OperationProps {
  readonly document: OpenApiDocument;
  readonly operation: Operation;
  readonly token: string | undefined;
  /** The base path. */
  readonly base: string;
}

/** A reply as it came. */
interface Received {
  readonly status: number;
  readonly text: string;
  readonly call: string;
}

/** Parameters of which there are many and of which a search names a few: they are chosen, and not all shown. */
const isCondition = ({ name }: Parameter) => /^bk[A-Z]\w*\d\d$/.test(name);

export function OperationView({ document, operation, token, base }: OperationProps) {
  const [received, setReceived] = useState<Received>();
  const { parameters = [], description, responses } = operation;
  const body = bodyOf(operation);
  const send = async (form: HTMLFormElement) => {
    const request = requestOf(operation, new FormData(form), token, base);
    const reply = await fetch(request.url, request.init);
    setReceived({
      status: reply.status,
      text: await reply.text(),
      call: curlOf(request, token !== undefined),
    });
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
        <Conditions names={parameters.filter(isCondition).map(({ name }) => name)} />
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
      {Object.entries(responses).map(([status, { description: text, content }]) => {
        const example = exampleOf(content, document);
        return (
          <details key={status}>
            <summary>
              <b>{status}</b> {text}
            </summary>
            {example === undefined ? <p class="muted">No body.</p> : <pre>{example}</pre>}
          </details>
        );
      })}
    </div>
  );
}

function ParameterField({ parameter }: { readonly parameter: Parameter }) {
  const { name, in: place, required = false, description, example, schema } = parameter;
  const value = place === 'path' && example !== undefined ? String(example) : '';
  const placeholder = schema?.default === undefined ? '' : String(schema.default);
  return (
    <label title={description}>
      {name}
      {place === 'header' && ' (header)'}
      <input name={`${place} ${name}`} required={required} defaultValue={value} placeholder={placeholder} />
    </label>
  );
}

/** Rows of a field and a value, as many as somebody wants. */
function Conditions({ names }: { readonly names: readonly string[] }) {
  const [rows, setRows] = useState<readonly string[]>([names[0] ?? '']);
  if (names.length === 0) return null;
  const choose = (row: number, name: string) => setRows(rows.map((one, at) => (at === row ? name : one)));
  return (
    <fieldset>
      <legend>Conditions on bk-fields; all must hold</legend>
      {rows.map((name, row) => (
        <p key={row} class="condition">
          <select
            aria-label={`Field ${row + 1}`}
            value={name}
            onChange={({ currentTarget }) => choose(row, currentTarget.value)}
          >
            {names.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
          <input name={`query ${name}`} aria-label={`Value ${row + 1}`} />
        </p>
      ))}
      <button type="button" onClick={() => setRows([...rows, names[rows.length] ?? names[0] ?? ''])}>
        Another condition
      </button>
    </fieldset>
  );
}

/** Writes an operation as a request, with what the form says. Empty fields are left out. */
function requestOf(operation: Operation, form: FormData, token: string | undefined, base: string) {
  const { method, security = [] } = operation;
  const headers = new Headers(
    token === undefined || security.length === 0 ? {} : { Authorization: `Bearer ${token}` },
  );
  const query = new URLSearchParams();
  let path = operation.path;
  for (const [key, value] of form) {
    const [place, name = ''] = key.split(' ');
    if (typeof value !== 'string' || value === '') continue;
    // A slash is encoded twice, since hosts decode a path once before they look for its route.
    if (place === 'path')
      path = path.replace(`{${name}}`, encodeURIComponent(value).replaceAll('%2F', '%252F'));
    if (place === 'query') query.append(name, value);
    if (place === 'header') headers.set(name, value);
  }
  const body = form.get('body');
  if (typeof body === 'string') headers.set('Content-Type', bodyOf(operation)?.type ?? 'application/json');
  const url = `${location.origin}${base}${path}${query.size === 0 ? '' : `?${query}`}`;
  return { url, init: { method, headers, ...(typeof body === 'string' ? { body } : {}) } };
}

/** Writes a request as a line for a shell; the token stays a variable. */
function curlOf(
  { url, init: { method, headers, body } }: ReturnType<typeof requestOf>,
  isSignedIn: boolean,
): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const lines = [...headers].map(([name, value]) =>
    name === 'authorization' && isSignedIn
      ? `-H "Authorization: Bearer $TOKEN"`
      : `-H ${quoted(`${name}: ${value}`)}`,
  );
  const data = body === undefined ? [] : [`-d ${quoted(body)}`];
  return ['curl', ...(method === 'GET' ? [] : [`-X ${method}`]), ...lines, ...data, quoted(url)].join(' ');
}
