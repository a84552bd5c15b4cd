/** One operation: its description, a form that sends it, and its replies with an example each. */

import type { TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Select } from '../views/controls.tsx';
import { Fields, type Values } from './fields.tsx';
import { parseExactly } from './json.ts';
import { bodyOf, exampleOf, type Operation, type Parameter, readable, schemaOf } from './openapi.ts';
import { Failure, useAttempt, useFields } from './read.tsx';
import { languages, type Request, sampleOf } from './samples.ts';
import { SchemaTree } from './schema-tree.tsx';
import { base, user } from './session.tsx';
import { fieldsOf, initialValues, jsonOf } from './value-form.tsx';

/** Conditions on bk-fields, of which a search has a few among many. */
const isCondition = ({ name }: Parameter) => /^bk[A-Z]\w*\d\d$/.test(name);

interface Exchange {
  readonly status: number;
  readonly text: string;
  readonly request: Request;
}

export function OperationView({ operation }: { readonly operation: Operation }) {
  const [exchange, setExchange] = useState<Exchange>();
  const [failure, attempt] = useAttempt();
  const { parameters = [], description, path, responses, requestBody } = operation;
  const conditions = parameters.filter(isCondition).map(({ name }) => name);
  const submit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    attempt(async () => {
      const request = requestOf(operation, form);
      const reply = await fetch(request.url, request.init);
      setExchange({ status: reply.status, text: await reply.text(), request });
    });
  };
  return (
    <div class="inside">
      <p>{description}</p>
      <form onSubmit={submit}>
        <div class="fields">
          {parameters
            .filter((parameter) => !isCondition(parameter))
            .map((parameter) => (
              <ParameterField key={parameter.name} {...parameter} />
            ))}
        </div>
        {conditions.length > 0 && <Conditions names={conditions} path={path} />}
        <Body operation={operation} />
        <button type="submit">Send</button>
      </form>
      <Failure error={failure} />
      {exchange && <Reply {...exchange} />}
      {requestBody && <h3>Schema of the body</h3>}
      <SchemaOf contents={requestBody?.content} />
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

/** The body, as JSON or as a form of its members; the form of the page gets the JSON of either. */
function Body({ operation }: { readonly operation: Operation }) {
  const [hasFields, setHasFields] = useState(false);
  const body = bodyOf(operation);
  const [text, setText] = useState(body?.text ?? '');
  const [failure, attempt] = useAttempt();
  if (body === undefined) return null;
  const toggle = async () => {
    JSON.parse(text);
    setHasFields(!hasFields);
  };
  return (
    <>
      <button type="button" class="outline" onClick={() => attempt(toggle)}>
        {hasFields ? 'Body as JSON' : 'Body as a form'}
      </button>
      <Failure error={failure} />
      {hasFields ? (
        <BodyFields text={text} setText={setText} />
      ) : (
        <label>
          Body ({body.type})
          <textarea
            rows={Math.min(12, text.split('\n').length + 1)}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
      )}
      <input type="hidden" name="body" value={text} />
    </>
  );
}

/** The members of a body; they are those that it has when the form is opened. */
function BodyFields({ text, setText }: { readonly text: string; readonly setText: (text: string) => void }) {
  const [fields] = useState(() => fieldsOf(parseExactly(text)));
  const [values, setValues] = useState<Values>(initialValues(fields));
  return (
    <div class="fields values">
      <Fields
        fields={fields}
        values={values}
        set={(name, value) => {
          setValues({ ...values, [name]: value });
          setText(jsonOf(fields, { ...values, [name]: value }));
        }}
      />
    </div>
  );
}

function Reply({ status, text, request }: Exchange) {
  const [language, setLanguage] = useState('curl');
  return (
    <section aria-label="Reply" aria-live="polite">
      <h3>
        Reply: <span class="status">{status}</span>
      </h3>
      <Select
        label="Language of the sample"
        options={languages.map((name) => [name, name])}
        value={language}
        onChange={({ currentTarget }) => setLanguage(currentTarget.value)}
      />
      <pre>{sampleOf(language, request)}</pre>
      {text && <pre>{readable(text)}</pre>}
    </section>
  );
}

/** Fields to search by: those with a label of the customer first. */
function Conditions({ names, path }: { readonly names: readonly string[]; readonly path: string }) {
  const { labels } = useFields(user ? `${base}${path}/fields` : undefined);
  return (
    <details>
      <summary>Conditions on bk-fields; all must hold</summary>
      <div class="fields">
        {names
          .toSorted((a, b) => Number(!labels.get(a)) - Number(!labels.get(b)))
          .map((name) => (
            <label key={name}>
              {labels.get(name) ? `${name}: ${labels.get(name)}` : name}
              <input name={`query ${name}`} />
            </label>
          ))}
      </div>
    </details>
  );
}

/** Writes an operation as a request with the values of a form. Empty ones are left out. */
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
