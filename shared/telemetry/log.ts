/** The log: a line belongs to the invocation that it is written in. Never tokens, e-mail addresses, bodies or values. */

import type { Config } from '../config.ts';
import type { Identity } from '../errors/codes.ts';
import type { CodedError } from '../errors.ts';
import { type Entry, textOf } from './log-text.ts';
import type { ChangeFacts, LogLevel, Trace } from './measurement.ts';
import { currentTrace, durationOf } from './trace.ts';

export interface RequestEntry {
  readonly requestId: string;
  readonly method: string;
  /** The template of the path, not the path: identifiers stay out of the log. */
  readonly route: string;
  /** The path itself, for the lines that people read where they develop. */
  readonly path: string;
  readonly status: number;
  /** The account of the token. */
  readonly identity: Identity | undefined;
  /** What the reply says went wrong. */
  readonly error: CodedError | undefined;
}

const levels = ['debug', 'information', 'error'] as const;
let options: Readonly<Pick<Config, 'LOG_LEVEL' | 'LOG_FORMAT'>> = {
  LOG_LEVEL: 'information',
  LOG_FORMAT: 'json',
};

/** Takes the settings of the log. Until then, and while one is unusable, it has the default ones. */
export function configureLog({ LOG_LEVEL, LOG_FORMAT }: Pick<Config, 'LOG_LEVEL' | 'LOG_FORMAT'>): void {
  options = { LOG_LEVEL, LOG_FORMAT };
}

/** Writes the line of one request: where its time went, of an error its code, and the reason where credentials were refused. */
export function logRequest({ identity, error, path, ...entry }: RequestEntry, trace: Trace): void {
  const level = entry.status >= 500 ? 'error' : 'information';
  logMeasurements(trace, entry.requestId);
  write(level, {
    event: 'request',
    ...entry,
    ...(options.LOG_FORMAT === 'text' ? { path, sqlText: sqlTextOf(error) } : {}),
    milliseconds: rounded(performance.now() - trace.started - trace.waited),
    ...(trace.waited === 0 ? {} : { waited: rounded(trace.waited) }),
    ...(trace.parts.size === 0 ? {} : { parts: partsOf(trace) }),
    ...sourcesOf(trace),
    ...(error === undefined ? identity : failureFields(error, identity)),
  });
}

/** Returns what SQL Server said of an error with its number, which may quote values: for people, where they develop. */
function sqlTextOf(error: CodedError | undefined): string | undefined {
  const { cause } = error ?? {};
  return cause instanceof Error && 'number' in cause
    ? `SQL error ${cause.number}: ${cause.message}`
    : undefined;
}

/** The facts of an audit line. */
export interface ChangeEntry extends ChangeFacts {
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly identity: Identity | undefined;
}

/** Names in an audit line, at most. */
const maxNames = 200;

/** Writes the audit line of a change, or of an attempt at one: who, what, and what came of it. No level leaves it out. */
export function logChange({ identity, id, names = [], before, after, ...entry }: ChangeEntry): void {
  const fields = {
    event: 'change',
    ...entry,
    ...(id === undefined ? {} : { id: masked(id) }),
    objectId: identity?.objectId,
    tenantId: identity?.tenantId,
    names: names.slice(0, maxNames).map(masked),
    before: before ?? null,
    after: after ?? null,
  };
  write('information', fields, { always: true });
}

/** Identifiers of custom data, and ids that nothing has, are texts of callers. */
function masked<Text extends string | number>(text: Text): Text | '(address)' {
  return /\S@\S/.test(String(text)) ? '(address)' : text;
}

function logMeasurements({ measurements }: Trace, requestId: string): void {
  if (options.LOG_LEVEL !== 'debug') return;
  for (const measurement of measurements) {
    const { kind, name, attributes, error } = measurement;
    const milliseconds = rounded(durationOf(measurement));
    write('debug', {
      event: 'measurement',
      requestId,
      kind,
      name,
      milliseconds,
      ...(error && { error }),
      attributes,
    });
  }
}

function partsOf({ parts }: Trace) {
  return Object.fromEntries(
    [...parts].map(([part, { count, milliseconds }]) => [
      part,
      { count, milliseconds: rounded(milliseconds) },
    ]),
  );
}

/** Returns how long each source took, and how many rows it gave. */
function sourcesOf({ measurements }: Trace) {
  const sources = measurements
    .filter(({ kind }) => kind === 'source')
    .map((source) => ({
      identifier: source.name,
      rows: source.attributes['db.response.returned_rows'],
      milliseconds: rounded(durationOf(source)),
    }));
  return sources.length === 0 ? {} : { sources };
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}

function failureFields({ code, facts }: CodedError, identity: Identity | undefined) {
  const { reason, identity: refused } = 'reason' in facts ? facts : {};
  const { number: sqlError, identifier } = facts as {
    readonly number?: number;
    readonly identifier?: string;
  };
  return omitUndefined({ code, reason, sqlError, identifier, ...(identity ?? refused) });
}

function omitUndefined(entry: Entry): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}

/** Writes an unexpected failure in full, with its causes; without an id when it belongs to no request. */
export function logFailure(requestId: string | undefined, error: unknown): void {
  write('error', { event: 'failure', requestId, error: describeError(error) });
}

/** Writes that a stored record cannot be shown, and is omitted, for an invalid field. */
export function logInvalidRecord(record: string, field: string): void {
  write('error', { event: 'invalid-record', record: masked(record), field });
}

/** Writes that a feed of the calendar has not all events of its list: how many there are, how many a page has, and the names of its filters. */
export function logCutFeed(facts: {
  readonly events: number;
  readonly maximum: number;
  readonly filters: string;
}): void {
  write('information', { event: 'feed-cut', ...facts });
}

/** Writes by how many seconds the event loop was late at most, in a minute in which callers noticed. */
export function logEventLoopDelay(seconds: number): void {
  write('error', { event: 'event-loop', delay: Math.round(seconds * 1_000) / 1_000 });
}

/** Writes what happened to a snapshot of the calendar: it was written, or could not be, or is ignored since it cannot be used. */
export function logSnapshot(
  outcome: 'written' | 'not-written' | 'ignored',
  facts: Readonly<Record<string, unknown>>,
  error?: unknown,
): void {
  const cause = error === undefined ? {} : { error: describeError(error) };
  write(outcome === 'written' ? 'information' : 'error', { event: 'snapshot', outcome, ...facts, ...cause });
}

let pending = '';

/** Writes a line through the invocation that is current. In the background lines of one turn of the event loop go out together: a write to a pipe stops the process until it is done. */
function write(level: LogLevel, fields: Entry, { always = false } = {}): void {
  if (!always && levels.indexOf(level) < levels.indexOf(options.LOG_LEVEL)) return;
  const trace = currentTrace();
  const entry: Entry = { time: new Date().toISOString(), ...traceIdOf(trace), ...fields };
  const line = options.LOG_FORMAT === 'text' ? textOf(entry) : JSON.stringify(entry);
  if (trace?.log === undefined) writeLater(line);
  else trace.log(level, line);
}

function writeLater(line: string): void {
  if (pending === '') setImmediate(flush);
  pending += `${line}\n`;
}

function traceIdOf(trace: Trace | undefined): { readonly traceId?: string } {
  return trace === undefined ? {} : { traceId: trace.context.traceId };
}

function flush(): void {
  const lines = pending;
  pending = '';
  if (lines !== '') process.stdout.write(lines);
}

process.on('exit', flush);

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, cause } = error;
  // An error whose message may hold values of users says itself what may be written.
  const message = 'logged' in error ? String(error.logged) : error.message;
  const stack = error.stack?.replace(error.message, () => message);
  const code = 'code' in error ? { code: error.code } : {};
  const number = 'number' in error ? { number: error.number } : {};
  return {
    name,
    message,
    ...code,
    ...number,
    stack,
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}
