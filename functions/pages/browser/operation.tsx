/** One operation: what it does, a form that sends it, and its replies with an example each. */

import type { TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { bodyOf, exampleOf, type Operation, type Parameter, readable } from './openapi.ts';
import { useLabels } from './read.tsx';
import { base, user } from './session.tsx';

/** Parameters of which there are many and of which a search names a few: they are chosen, and not all shown. */
const isCondition = ({ name }: Parameter) => /^bk[A-Z]\w*\d\d$/.test(name);

export function OperationView({ operation }: { readonly operation: Operation }) {
  const [received, setReceived] = useState<Readonly<Record<'status' | 'text' | 'call', string>>>();
  const { parameters = [], description, path, responses } = operation;
  const fields = parameters.filter((parameter) => !isCondition(parameter));
  const conditions = parameters.filter(isCondition).map(({ name }) => name);
  const body = bodyOf(operation);
  const send = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { url, init } = requestOf(operation, new FormData(event.currentTarget));
    const reply = await fetch(url, init);
    setReceived({ status: `${reply.status}`, text: await reply.text(), call: curlOf(url, init) });
  };
  return (
    <div class="inside">
      <p>{description}</p>
      <form onSubmit={send}>
        <div class="fields">
          {fields.map((field) => (
            <ParameterField key={field.name} {...field} />
          ))}
        </div>
        {conditions.length > 0 && <Conditions names={conditions} path={path} />}
        {body && (
          <label>
            Body ({body.type})
            <textarea name="body" rows={Math.min(12, body.text.split('\n').length + 1)}>
              {body.text}
            </textarea>
          </label>
        )}
        <button type="submit">Send</button>
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
          <pre>{exampleOf(content)}</pre>
        </details>
      ))}
    </div>
  );
}

function ParameterField({ name, in: place, required = false, description, example, schema }: Parameter) {
  return (
    <label title={description}>
      {place === 'header' ? `${name} (header)` : name}
      <input
        name={`${place} ${name}`}
        required={required}
        defaultValue={place === 'path' ? String(example ?? '') : ''}
        placeholder={String(schema?.default ?? '')}
      />
    </label>
  );
}

/** Rows of a field, with its label and a value; a button adds another row. */
function Conditions({ names, path }: { readonly names: readonly string[]; readonly path: string }) {
  const [rows, setRows] = useState<readonly string[]>(names.slice(0, 1));
  const labels = useLabels(user ? `${base}${path}/fields` : undefined);
  return (
    <fieldset>
      <legend>Conditions on bk-fields; all must hold</legend>
      {rows.map((name, row) => (
        <p key={row} class="grid">
          <select
            aria-label={`Field ${row + 1}`}
            value={name}
            onChange={({ currentTarget }) => setRows(rows.with(row, currentTarget.value))}
          >
            {names.map((name) => (
              <option key={name} value={name}>
                {labels.get(name) ? `${name}: ${labels.get(name)}` : name}
              </option>
            ))}
          </select>
          <input name={`query ${name}`} aria-label={`Value ${row + 1}`} />
        </p>
      ))}
      <button
        type="button"
        class="secondary"
        onClick={() => setRows([...rows, names[rows.length % names.length] ?? ''])}
      >
        Another condition
      </button>
    </fieldset>
  );
}

/** Writes an operation as a request, with what the form says. Empty fields are left out. */
function requestOf(operation: Operation, form: FormData) {
  const { method, security = [] } = operation;
  const url = new URL(location.origin);
  const headers = new Headers();
  if (user && security.length > 0) headers.set('Authorization', `Bearer ${user.access_token}`);
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
