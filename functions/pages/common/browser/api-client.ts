/** Calls the APIs as the signed-in user: JSON in and out, and what a refusal says of each field. */

import { isWord } from '../views/words.ts';
import { parseExactly } from './json.ts';
import { wordsOfFault, wordsOfProblem } from './refusal-words.ts';
import { language, user, word } from './session.tsx';

/** The bodies of refusals of both APIs. */
interface RefusalBody {
  readonly message?: string;
  readonly code?: string;
  readonly detail?: string;
  readonly hint?: string;
  readonly data?: { readonly params?: Readonly<Record<string, string>> };
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

/** Returns what the API says in English with the page's words for it in front, if it has another language. */
function translated(name: string, english: string): string {
  return language !== 'en' && isWord(name) ? `${word(name)} (${english})` : english;
}

/** What is wrong with the fields of a form. */
export class FieldErrors extends Error {
  /** Errors by field: by its name, or by a JSON pointer. */
  private readonly fields: Readonly<Record<string, string>>;

  constructor(message: string, fields: Readonly<Record<string, string>>) {
    super(message);
    this.fields = fields;
  }

  /** The names of the fields, or of the values that the JSON pointers begin with. */
  get names(): readonly string[] {
    return Object.keys(this.fields).map((at) => (at.startsWith('/') ? (at.split('/')[1] ?? '') : at));
  }

  /** Returns what is wrong with a field or a part of it; the name of the whole value is empty. */
  ofField(name: string): string | undefined {
    const isOfField = (at: string) => at === name || name === '' || `${at}/`.startsWith(`/${escaped(name)}/`);
    return Object.entries(this.fields).find(([at]) => isOfField(at))?.[1];
  }

  /** Returns all places in a field that are wrong: the names and indices that lead to each, and what is wrong there. */
  within(name: string): (readonly [path: readonly string[], fault: string])[] {
    const start = name === '' ? '' : `/${escaped(name)}`;
    return Object.entries(this.fields)
      .filter(([at]) => at === start || at.startsWith(`${start}/`))
      .map(([at, fault]) => [at.slice(start.length).split('/').slice(1).map(unescaped), fault]);
  }
}

/** A name in a JSON pointer. */
const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
const unescaped = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~');

/** A refused call. */
export class Refusal extends FieldErrors {
  readonly status: number;

  constructor(status: number, { message, code = '', detail, hint = '', data, errors = [] }: RefusalBody) {
    const pointers = errors.map((error) => [error.pointer, error.detail] as const);
    const fields = [...Object.entries(data?.params ?? {}), ...pointers];
    super(
      wordsOfProblem(code, detail ?? '') ??
        translated(`error_${status}`, `${detail ?? message ?? `Status ${status}`} ${hint}`.trim()),
      Object.fromEntries(
        fields.map(([at, error]) => [at, wordsOfFault(error) ?? translated('error_field', error)]),
      ),
    );
    this.status = status;
  }

  /** Whether nothing was stored and nothing will be: a server that fails, or is at it still, may have stored what was sent. */
  get isFinal(): boolean {
    return this.status < 500 && this.status !== 409 && this.status !== 429;
  }
}

export interface Answer<T> {
  readonly value: T;
  readonly etag: string;
  readonly headers: Headers;
}

/** Sends a request, as JSON unless it is a form. Throws a `Refusal`, or an error that says that no reply came. */
export async function send<T>(path: string, init: RequestInit = {}): Promise<Answer<T>> {
  const headers = new Headers(init.headers);
  if (user) headers.set('Authorization', `Bearer ${user.access_token}`);
  if (typeof init.body === 'string') headers.set('Content-Type', 'application/json');
  const reply = await fetch(path, { ...init, headers }).catch((error: unknown) => {
    throw new Error(word('noReply'), { cause: error });
  });
  const isJson = reply.headers.get('content-type')?.includes('json') ?? false;
  const body = isJson ? parseExactly(await reply.text()) : {};
  if (!reply.ok) throw new Refusal(reply.status, body as RefusalBody);
  return {
    value: body as T,
    etag: reply.headers.get('etag') ?? '',
    headers: reply.headers,
  };
}

/** Milliseconds between two requests with one key, and the number of requests, at most. */
const pause = 1_000;
const maxRequests = 8;

/** Sends a creation with its key, and waits where an earlier request with the key is still under way. */
export async function sendOnce<T>(path: string, init: RequestInit): Promise<Answer<T>> {
  for (let request = 1; ; request++) {
    try {
      return await send<T>(path, init);
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 409) || request === maxRequests) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
