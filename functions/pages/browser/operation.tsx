/** One operation: what it does, a form that sends it, and its replies with an example each. */

import type { TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { parseExactly } from './json.ts';
import { bodyOf, exampleOf, type Operation, type Parameter, readable, schemaOf } from './openapi.ts';
import { labelsOf, useFields } from './read.tsx';
import { languages, type Request, sampleOf } from './samples.ts';
import { SchemaTree } from './schema-tree.tsx';
import { base, user } from './session.tsx';
import { fieldsOf, jsonOf, ValueFields } from './value-form.tsx';

/** Parameters of which there are many and of which a search names a few: they are chosen, and not all shown. */
const isCondition = ({ name }: Parameter) => /^bk[A-Z]\w*\d\d$/.test(name);

export function OperationView({ operation }: { readonly operation: Operation }) {
  const [received, setReceived] = useState<{
    readonly status: string;
    readonly text: string;
    readonly request: Request;
  }>();
  const [language, setLanguage] = useState('curl');
  const [hasFields, setHasFields] = useState(false);
  const { parameters = [], description, path, responses } = operation;
  const fields = parameters.filter((parameter) => !isCondition(parameter));
  const conditions = parameters.filter(isCondition).map(({ name }) => name);
  const body = bodyOf(operation);
  const bodyFields = body && hasFields ? fieldsOf(parseExactly(body.text)) : undefined;
  const send = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    if (bodyFields) form.set('body', jsonOf(bodyFields, form));
    const request = requestOf(operation, form);
    const reply = await fetch(request.url, request.init);
    setReceived({ status: `${reply.status}`, text: await reply.text(), request });
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
          <button type="button" class="outline" onClick={() => setHasFields(!hasFields)}>
            {hasFields ? 'Body as JSON' : 'Body as a form'}
          </button>
        )}
        {bodyFields && <ValueFields fields={bodyFields} />}
        {body && !bodyFields && (
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
          <select
            aria-label="Language of the sample"
            value={language}
            onChange={({ currentTarget }) => setLanguage(currentTarget.value)}
          >
            {Object.keys(languages).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <pre>{sampleOf(language, received.request)}</pre>
          {received.text && <pre>{readable(received.text)}</pre>}
        </section>
      )}
      {body && <h3>Schema of the body</h3>}
      <SchemaOf contents={operation.requestBody?.content} />
      <h3>Replies</h3>
      {Object.entries(responses).map(([status, { description: text, content }]) => (
        <details key={status}>
          <summary>
            <b>{status}</b> {text}
          </summary>
          <SchemaOf contents={content} />
          <pre>{exampleOf(content)}</pre>
        </details>
      ))}
    </div>
  );
}

function SchemaOf({ contents }: { readonly contents: Parameters<typeof schemaOf>[0] }) {
  const schema = schemaOf(contents);
  return schema ? <SchemaTree name="body" schema={schema} /> : null;
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
  const labels = labelsOf(useFields(user ? `${base}${path}/fields` : undefined));
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
function requestOf(operation: Operation, form: FormData): Request {
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
