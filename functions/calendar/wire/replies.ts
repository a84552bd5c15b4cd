/** Replies of the calendar: what every one carries, and its shape of errors (docs/calendar-contract.md, "Replies" and "Errors"). */

import { hash } from 'node:crypto';
import type { ErrorCode } from '../../../shared/errors/codes.ts';
import type { CodedError } from '../../../shared/errors.ts';
import { errorHeaders } from '../../../shared/http/problem.ts';
import { json, RawJson, type Reply, replayedHeader } from '../../../shared/http/reply.ts';
import type { RequestContext } from '../../../shared/http/request-context.ts';
import { noteChange } from '../../../shared/telemetry/trace.ts';
import { anonymous, type Caller } from '../model/rights.ts';
import { scriptSafeJson } from '../model/text/html.ts';
import type { WrittenItem } from '../operations/calendar.ts';
import type { Listing } from '../read/listing.ts';
import type { Item, ReadResult } from '../read/read-context.ts';

const jsonType = 'application/json; charset=UTF-8';
/** Headers that browsers may send. Those that only old clients send are among them, though nothing reads them. */
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'X-HTTP-Method-Override',
  'X-Request-Id',
  'X-WP-Nonce',
  'Content-Disposition',
  'Content-MD5',
  'Idempotency-Key',
  'Prefer',
].join(', ');
/** For signed-in callers, whose replies show what others may not see. */
const privateCache = 'no-cache, must-revalidate, max-age=0, no-store, private';
const publicCache = 'public, no-cache';
/** Fields that do not have the values that were sent, each with the reason, as a list of RFC 9651. */
export const adjustedFieldsHeader = 'Adjusted-Fields';
const exposedHeaders = [
  adjustedFieldsHeader,
  replayedHeader,
  'X-TEC-Total',
  'X-TEC-TotalPages',
  'X-TEC-API-VERSION',
  'X-TEC-API-ROOT',
  'X-TEC-API-ORIGIN',
  'X-WP-Total',
  'X-WP-TotalPages',
  'Link',
  'ETag',
  'Last-Modified',
  'Location',
  'Preference-Applied',
  'Retry-After',
  'Warning',
  'X-Request-Id',
].join(', ');

/** The codes that clients of the calendar know for conditions of the service. All rejected credentials share one code. */
const clientCodes: Partial<Readonly<Record<ErrorCode, string>>> = {
  'no-such-path': 'rest_no_route',
  'method-not-allowed': 'rest_no_route',
  'invalid-json': 'rest_invalid_json',
  'internal-error': 'internal_error',
  'not-signed-in': 'rest_forbidden',
  rest_not_logged_in: 'rest_not_logged_in',
  'not-signed-in-to-edit': 'rest_forbidden_context',
};

/** Answers with a record that was read. */
export function readReply({ value, freshness }: ReadResult<Item>): Reply {
  const headers = { ...itemHeaders(value), ...allowHeaders(value), ...freshnessHeaders(freshness) };
  return json(new RawJson(value.text), { headers });
}

/** Answers with a record that was written; status 200 unless told. */
export function writtenReply(
  { id, version, text, adjusted, isReplayed }: WrittenItem,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  noteChange({ id, after: `"${version}"` });
  return json(new RawJson(text), {
    status,
    headers: {
      ...headers,
      ...adjustedHeader(adjusted),
      ...(isReplayed ? { [replayedHeader]: 'true' } : {}),
    },
  });
}

/** Returns the header that names fields which do not have the values that were sent; none where all have. */
export function adjustedHeader(adjusted: WrittenItem['adjusted']): Readonly<Record<string, string>> {
  const fields = adjusted.map(({ name, reason }) => `${name};reason=${reason}`).join(', ');
  return fields === '' ? {} : { [adjustedFieldsHeader]: fields };
}

/** Answers with a page of a list. */
export function listReply({ value, freshness }: ReadResult<Listing>): Reply {
  const { bytes, etag, total, totalPages } = value;
  const totals = { 'X-TEC-Total': String(total), 'X-TEC-TotalPages': String(totalPages) };
  return json(new RawJson(bytes), { headers: { ...totals, ETag: etag, ...freshnessHeaders(freshness) } });
}

/** Turns an error into a reply. Never 405: a method that a path lacks is answered like a path that does not exist. */
export function errorReply(error: CodedError, status: number, context: RequestContext<Caller>): Reply {
  const { code, facts } = error;
  const isRouting = code === 'method-not-allowed';
  const wireStatus = isRouting ? 404 : status;
  const headers = {
    ...errorHeaders(error, wireStatus, context),
    ...allowHeaders('readOnly' in facts ? facts : {}),
  };
  return json(errorBody(error, wireStatus), { status: wireStatus, headers });
}

/** Returns the body of the reply to an error. */
export function errorBody({ code, kind, message, facts }: CodedError, status: number): object {
  return {
    code: clientCodes[code] ?? (kind === 'unauthenticated' ? 'incorrect_password' : code),
    message,
    data: { status, ...('data' in facts ? facts.data : {}) },
    ...('additional' in facts ? facts.additional : {}),
  };
}

/** Adds what every reply carries. */
export function decorateReply(reply: Reply, context: RequestContext<Caller>): Reply {
  const { request, identity } = context;
  const methods = allowedMethods(context);
  const isJson = reply.body !== undefined && 'json' in reply.body;
  const isRead = reply.status === 200 || reply.status === 304;
  // A reply to a request with a password is private; the body of a POST may hold one.
  const isPrivate =
    identity !== undefined ||
    request.url.searchParams.has('password') ||
    (isRead && request.method === 'POST');
  const cache = isPrivate ? privateCache : isRead ? publicCache : 'no-store';
  return inEnvelope(
    {
      ...reply,
      ...(isJson && reply.status < 400 ? { body: { json: onlyFields(reply, request.url) } } : {}),
      headers: {
        'Cache-Control': cache,
        'X-Robots-Tag': 'noindex',
        ...(methods.length > 0 ? { Allow: methods.join(', ') } : {}),
        ...originHeaders(request.headers.get('origin')),
        ...reply.headers,
        ...varyOf(reply),
        ...(isJson ? { 'Content-Type': jsonType } : {}),
      },
    },
    request.url,
  );
}

/** Puts a JSON reply, an error too, into an envelope of its body, status and headers where `_envelope` is sent: for clients that see only bodies. */
function inEnvelope(reply: Reply, { searchParams }: URL): Reply {
  const { status, headers, body } = reply;
  if (body === undefined || !('json' in body) || !searchParams.has('_envelope')) return reply;
  const json = new RawJson(
    `{"body":${jsonText(body.json)},"status":${status},"headers":${scriptSafeJson({ ...headers })}}`,
  );
  return { ...reply, status: 200, envelopedStatus: status, body: { json } };
}

function jsonText(value: unknown): string {
  return value instanceof RawJson ? value.text : JSON.stringify(value);
}

/** Returns the methods of the path that the caller may use. */
function allowedMethods({ route, caller = anonymous }: RequestContext<Caller>): readonly string[] {
  return route.endpoints.filter(({ mayUse = () => true }) => mayUse(caller)).map(({ method }) => method);
}

/** Cuts a reply, or each record of an array, down to the names of `_fields`, where it is sent. A name such as `title.rendered` asks for a part of a field. */
function onlyFields({ body }: Reply, { searchParams }: URL): unknown {
  const value = body !== undefined && 'json' in body ? body.json : undefined;
  const fieldLists = [...searchParams.getAll('_fields'), ...searchParams.getAll('_fields[]')];
  if (fieldLists.length === 0) return value;
  const paths = fieldLists.flatMap((names) => names.split(',')).map((name) => name.trim().split('.'));
  const parsed = value instanceof RawJson ? (JSON.parse(value.text) as unknown) : value;
  if (typeof parsed !== 'object' || parsed === null) return value;
  return new RawJson(scriptSafeJson(partsOf(parsed, paths)));
}

/** Returns the parts of an object that paths of names lead to; of an array, those of each item. */
function partsOf(value: object, paths: readonly (readonly string[])[]): object {
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? partsOf(item, paths) : item));
  const entries = Object.entries(value).flatMap(([name, part]) => {
    const inside = paths.filter(([first]) => first === name).map(([, ...others]) => others);
    if (inside.length === 0) return [];
    const isWhole = !isObject(part) || inside.some((path) => path.length === 0);
    return [[name, isWhole ? part : partsOf(part, inside)] as const];
  });
  return Object.fromEntries(entries);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Adds the headers that every reply varies by to those that this one names. */
function varyOf({ headers: { Vary: own } = {} }: Reply): Record<string, string> {
  const common = { Vary: 'Authorization, Origin' };
  return own === undefined ? common : { Vary: `${own}, ${common.Vary}` };
}

/** What a browser sends (RFC 6454 section 7). Anything else is not echoed: a header of other characters would break the reply. */
const wellFormedOrigin = /^(?:null|[a-z][a-z0-9+.-]*:\/\/[a-z0-9._~%:[\]-]{1,300})$/i;

/** Any origin may call: callers are known by their tokens, and never by cookies. */
function originHeaders(origin: string | null): Record<string, string> {
  if (origin === null || !wellFormedOrigin.test(origin)) return {};
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Allow-Headers': allowedHeaders,
    'Access-Control-Expose-Headers': exposedHeaders,
  };
}

function itemHeaders({ text, version, modified }: Item): Record<string, string> {
  const etag = { ETag: `"${version}-${digest(text)}"` };
  if (modified === undefined) return etag;
  // The modification time of a record that is scheduled lies in the future, and the header must not (RFC 9110 8.8.2.1).
  const modifiedAt = Math.min(Date.parse(`${modified.replace(' ', 'T')}Z`), Date.now());
  return { ...etag, 'Last-Modified': new Date(modifiedAt).toUTCString() };
}

/** Allows only reads where the caller could write to the record with no role. */
function allowHeaders({ readOnly }: { readonly readOnly?: unknown }): Record<string, string> {
  return readOnly === true ? { Allow: 'GET' } : {};
}

/** Returns the headers of a reply from memory, while the tables cannot be reached (RFC 9111 5.1). */
export function freshnessHeaders({ stale, age }: ReadResult<unknown>['freshness']): Record<string, string> {
  return stale ? { Age: String(age), Warning: '110 - "Response is Stale"' } : {};
}

/** Returns a short name for a text, by what is in it. */
export function digest(text: string): string {
  return hash('sha1', text, 'base64url').slice(0, 20);
}
