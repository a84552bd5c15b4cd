/** The built app with an empty calendar, for the tests of one file; every reply is checked against the API document. */

import { afterAll, beforeAll } from 'vitest';
import { sqlServerSettings } from '../../local/defaults.ts';
import { type DevStack, startDevStack } from '../../local/dev-stack.ts';
import type { Identity } from '../../local/identity/start.ts';
import { cachedDocument } from './cached-document.ts';
import { cachedTokens } from './cached-tokens.ts';
import { hostMode } from './host-mode.ts';
import { publishedDocument, replyChecker } from './reply-checker.ts';
import { canReuseApp, type TakenApp, takeApp } from './reused-app.ts';
import { settingsOfOwnTable } from './shared-emulators.ts';
import { keysOfFile } from './signing-keys.ts';
import { untilKeysAreLoaded } from './until-keys-are-loaded.ts';

/** The caller; anonymous without one. The second author and contributor are other people with the same role. */
const people = {
  editor: ['alice@example.org', 'Calendar.Editor'],
  author: ['bjorn@example.org', 'Calendar.Author'],
  otherAuthor: ['fiona@example.org', 'Calendar.Author'],
  contributor: ['dorte@example.org', 'Calendar.Contributor'],
  reader: ['erik@example.org', undefined],
} as const;
export type Person = keyof typeof people;

export interface CalendarCall {
  readonly as?: Person;
  /** Sent as JSON; a text is sent as a form. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
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
  readonly identity: Identity;
  /** Starts one more process of the app on the same calendar, which ends with the tests of this file. */
  another(): ReturnType<DevStack['startAnotherApp']>;
}

/**
 * Serves an app on an empty calendar to the tests of this file: a new one for other settings, else that of the file before, whose calendar
 * is emptied.
 */
export function useCalendarApp(settings: Readonly<Record<string, string>> = {}): CalendarApp {
  const otherApps: Awaited<ReturnType<DevStack['startAnotherApp']>>[] = [];
  let started: TakenApp | undefined;
  let check: ReturnType<typeof replyChecker> | undefined;

  function running(): DevStack {
    if (started === undefined) throw new TypeError('The app is there only while tests run.');
    return started.stack;
  }
  const token = cachedTokens(() => running().identity);

  beforeAll(async () => {
    started = Object.keys(settings).length === 0 && canReuseApp() ? await takeApp() : await start(settings);
    const { base, settings: all } = started.stack;
    const document = await cachedDocument(all, () => publishedDocument(base));
    if (document !== undefined) check = replyChecker(document);
  });
  afterAll(async () => {
    await Promise.all(otherApps.map((host) => host.stop()));
    await started?.release();
  });

  const app: CalendarApp = {
    get root() {
      return running().calendar;
    },
    get identity() {
      return running().identity;
    },
    token(person) {
      const [email, role] = people[person];
      return token(email, role === undefined ? [] : [role]);
    },
    async call(method, path, { as, body, headers = {}, at = app.root } = {}) {
      const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json';
      const response = await fetch(at + path, {
        method,
        headers: {
          ...(as === undefined ? {} : { Authorization: `Bearer ${app.token(as)}` }),
          ...(body === undefined ? {} : { 'Content-Type': type }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = text !== '' && response.headers.get('content-type')?.includes('json') === true;
      const isCut = path.includes('_fields');
      if (
        method !== 'HEAD' &&
        method !== 'OPTIONS' &&
        !isCut &&
        !path.includes('_method') &&
        response.status !== 304
      )
        check?.({
          method: headers['X-HTTP-Method-Override'] ?? method,
          path: `/tribe/events/v1${path.split('?', 1)[0]}`,
          status: response.status,
          contentType: response.headers.get('content-type'),
          text,
        });
      return {
        status: response.status,
        headers: response.headers,
        body: isJson ? JSON.parse(text) : text || undefined,
      };
    },
    async create(collection, fields, as = 'editor') {
      const { status, body } = await app.call('POST', `/${collection}`, { as, body: fields });
      if (status !== 201) throw new Error(`Cannot create: ${status} ${JSON.stringify(body)}`);
      return body;
    },
    change: (path, body, as = 'editor') => app.call('PATCH', path, { as, body }),
    async another() {
      const host = await running().startAnotherApp();
      otherApps.push(host);
      return host;
    },
  };
  return app;
}

/** Starts an app with more settings, without databases. */
async function start(settings: Readonly<Record<string, string>>): Promise<TakenApp> {
  const noDatabases = { ...sqlServerSettings, DB_SERVER: 'localhost,1' };
  const stack = await startDevStack({
    settings: { ...noDatabases, ...settingsOfOwnTable(), ...hostMode.settings, ...settings },
    flex: hostMode.flex,
    generateKey: keysOfFile(),
    sampleCalendar: false,
  });
  await untilKeysAreLoaded(stack.calendar, stack.token('alice@example.org'));
  return { stack, release: stack.stop };
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
