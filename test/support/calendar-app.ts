/** The built app with an empty calendar, for the tests of one file; every reply is checked against the API document. */

import { afterAll } from 'vitest';
import { type DevStack, type Identity, type Settings, sqlServerSettings } from '../../local/index.ts';
import { send, useApp } from './app.ts';
import { canReuseApp } from './reused-app.ts';

/** The caller; anonymous without one. The second author and contributor are other people with the same role. */
const people = {
  editor: ['alice@example.org', 'Calendar.Editor'],
  otherEditor: ['gunnar@example.org', 'Calendar.Editor'],
  author: ['bjorn@example.org', 'Calendar.Author'],
  otherAuthor: ['fiona@example.org', 'Calendar.Author'],
  contributor: ['dorte@example.org', 'Calendar.Contributor'],
  /** The author, whose role has become a lesser one. */
  formerAuthor: ['bjorn@example.org', 'Calendar.Contributor'],
  /** The author, who has no role any more. */
  withoutRole: ['bjorn@example.org', undefined],
  reader: ['erik@example.org', undefined],
} as const;
export type Person = keyof typeof people;

export interface CalendarCall {
  readonly as?: Person;
  /** Sent as JSON; a text is sent as a form. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Address of another process of the app. */
  readonly at?: string;
}

type Json = ReturnType<typeof JSON.parse>;

export interface CalendarReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

export interface CalendarApp {
  /** Address of the calendar API. */
  readonly root: string;
  call(method: string, path: string, options?: CalendarCall): Promise<CalendarReply>;
  /** Creates a record as an editor, unless told, and gives its body; throws when it is refused. */
  create(collection: string, fields: object, as?: Person): Promise<Json>;
  /** Updates a record with PATCH, as an editor unless told. */
  change(path: string, fields: unknown, as?: Person): Promise<CalendarReply>;
  token(person: Person): string;
  /** The issuer that the app trusts. */
  readonly identity: Identity;
  /** Starts one more process of the app on the same calendar, which ends with the tests of this file. */
  another(settings?: Settings): ReturnType<DevStack['startAnotherApp']>;
}

/**
 * Serves an app on an empty calendar to the tests of this file: a new one for other settings, else that of the file before, whose calendar
 * is emptied.
 */
export function useCalendarApp(settings: Readonly<Record<string, string>> = {}): CalendarApp {
  const isReused = Object.keys(settings).length === 0 && canReuseApp();
  const noDatabases = { ...sqlServerSettings, DB_SERVER: 'localhost,1' };
  const options = { settings: { ...noDatabases, ...settings }, prepareDatabases: false };
  const shared = useApp(isReused ? {} : options);
  const otherApps: Awaited<ReturnType<DevStack['startAnotherApp']>>[] = [];
  afterAll(() => Promise.all(otherApps.map((host) => host.stop())));

  const app: CalendarApp = {
    get root() {
      return shared.stack.calendar;
    },
    get identity() {
      return shared.stack.identity;
    },
    token(person) {
      const [email, role] = people[person];
      return shared.token(email, role === undefined ? [] : [role]);
    },
    async call(method, path, { as, body, headers = {}, at = app.root } = {}) {
      const form = typeof body === 'string' && { 'Content-Type': 'application/x-www-form-urlencoded' };
      const token = as === undefined ? {} : { token: app.token(as) };
      const reply = await send(method, at + path, { ...token, body, headers: { ...form, ...headers } });
      const { status, text } = reply;
      const contentType = reply.headers.get('content-type');
      // Parts of records, methods under another name, and replies without a body are not in the document.
      if (!/^(?:HEAD|OPTIONS)$/.test(method) && !/_fields|_method|_envelope/.test(path) && status !== 304)
        shared.check({
          method: headers['X-HTTP-Method-Override'] ?? method,
          path: `/tribe/events/v1${path.split('?', 1)[0]}`,
          status,
          contentType,
          text,
        });
      const isJson = text !== '' && contentType?.includes('json') === true;
      return { status, headers: reply.headers, body: isJson ? JSON.parse(text) : text || undefined };
    },
    async create(collection, fields, as = 'editor') {
      const { status, body } = await app.call('POST', `/${collection}`, { as, body: fields });
      if (status !== 201) throw new Error(`Cannot create: ${status} ${JSON.stringify(body)}`);
      return body;
    },
    change: (path, body, as = 'editor') => app.call('PATCH', path, { as, body }),
    async another(settings) {
      const host = await shared.stack.startAnotherApp(settings);
      otherApps.push(host);
      return host;
    },
  };
  return app;
}

/** Status and error code of a reply. */
export function outcome({ status, body }: CalendarReply): readonly unknown[] {
  return [status, body.code];
}

/** The names of a list. */
export function names({ body }: CalendarReply): readonly string[] {
  const list = body.events ?? body.venues ?? body.organizers ?? body.categories ?? body.tags ?? [];
  return list.map((item: Json) => item.title ?? item.venue ?? item.organizer ?? item.name);
}
