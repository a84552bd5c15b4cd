/** Input of the calendar: query, form and JSON body together, in all the forms that its clients send (docs/calendar-contract.md, "Requests"). */

import { CodedError, isCodedError } from '../../../shared/errors.ts';
import type { Input } from '../../../shared/http/api.ts';
import {
  bodyLimit,
  checkMediaType,
  hasBody,
  mediaType,
  mustHaveFewNames,
  parseJson,
  readBytes,
  readText,
} from '../../../shared/http/body.ts';
import { modifiedSince } from '../../../shared/http/conditional.ts';
import { type Call, endpointsFor } from '../../../shared/http/endpoint.ts';
import { textsOfParts } from '../../../shared/http/form-parts.ts';
import { pairsOf } from '../../../shared/http/forms.ts';
import type { IncomingRequest } from '../../../shared/http/request.ts';
import { callerKey } from '../../../shared/http/request-context.ts';
import { idempotencyKeyHeader, idempotencyKeyOf } from '../../../shared/idempotency-key.ts';
import type { CalendarRequest, RawParameters } from '../model/calendar-context.ts';
import { invalidParameter, noRoute } from '../model/refusals.ts';
import type { Caller } from '../model/rights.ts';
import { type Language, languages } from '../model/values.ts';
import type { Calendar } from '../operations/calendar.ts';
import type { RecordRef } from '../replica/find.ts';

/** What each call of the calendar has. */
export interface CalendarServices {
  /** Returns the calendar; opens it on first use. */
  readonly calendar: () => Calendar;
}

/** Creates an endpoint of the calendar. */
export const endpoint = endpointsFor<Caller, CalendarServices>();

/** A call of any endpoint of the calendar. */
export type CalendarCall = Call<Caller, unknown, RawParameters, unknown> & CalendarServices;

const form = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data';
/** The most brackets that may follow a name. */
const maxDepth = 4;

/** The most names that a form, or the top level of a JSON body, may have. */
const maxNames = 10_000;
const partLimits = { texts: maxNames, textBytes: bodyLimit, files: maxNames };

/**
 * Reads the parameters of a request. A body of more than `limit` bytes is refused; without a limit no body is read. Where a name is
 * repeated, the JSON body goes before the form, and the form before the query; the parameters of the path stay apart.
 */
export async function readCalendarInput(request: IncomingRequest, limit: number | undefined): Promise<Input> {
  const body = limit === undefined ? {} : await readBody(request, limit);
  const raw: RawParameters = { ...fromPairs(request.url.searchParams), ...body };
  return { path: request.parameters, query: raw, body: undefined };
}

/** Reads pairs of names and texts: `name=a`, `name[]=a`, `name[0]=a`, `name[key]=a`. When a plain name is repeated, the last value counts. */
export function fromPairs(pairs: Iterable<readonly [string, string]>): RawParameters {
  const root = new Map<string, unknown>();
  for (const [name, value] of pairs) put(root, partsOf(name), value);
  return Object.fromEntries([...root].map(([name, value]) => [name, toPlainValue(value)]));
}

async function readBody(request: IncomingRequest, limit: number): Promise<RawParameters> {
  // Without a Content-Type a body is a form.
  const type = mediaType(request.headers) ?? form;
  const isJson = type === 'application/json' || type.endsWith('+json');
  if (!hasBody(request)) return {};
  if (!isJson && type !== form && type !== multipart) return ignoredBody(request);
  if (request.headers.has('content-type')) checkMediaType(request, [type]);
  if (type === multipart) {
    const contentType = request.headers.get('content-type') ?? type;
    const bytes = await readBytes(request, limit);
    return fromPairs(await textsOfParts([bytes], contentType, partLimits));
  }
  const text = await readText(request, limit);
  return isJson ? fromJson(text) : fromPairs(await pairsOf(text, maxNames));
}

/** Refuses (415) a body of a type that is not read, except with a read, where a body means nothing. */
function ignoredBody(request: IncomingRequest): RawParameters {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    checkMediaType(request, ['application/json', form, multipart]);
  return {};
}

/**
 * Reads a JSON body. Whitespace, and valid JSON other than an object, count as an empty body. An object whose names are all numbers is a
 * list, as in a form.
 */
function fromJson(text: string): RawParameters {
  if (text.trim() === '') return {};
  const value = parseBody(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  mustHaveFewNames(Object.keys(value).length, maxNames);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isNumbered(item) ? Object.values(item) : item]),
  );
}

function parseBody(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!isCodedError(error, 'invalid-json')) throw error;
    throw new CodedError('rest_invalid_json', 'Cannot read the body: it is not valid JSON.');
  }
}

function partsOf(name: string): readonly string[] {
  if (!name.includes('[')) return [name];
  // Checked before the brackets are read one by one, since a name may have any number of them.
  if (name.split('[', maxDepth + 2).length > maxDepth + 1) return [name];
  const [, first, brackets] = /^([^[]+)((?:\[[^\]]*\])*)$/.exec(name) ?? [];
  if (first === undefined || brackets === undefined) return [name];
  const inner = [...brackets.matchAll(/\[([^\]]*)\]/g)].map(([, key = '']) => key);
  return [first, ...inner];
}

function put(into: Map<string, unknown>, [first = '', ...rest]: readonly string[], value: string): void {
  const key = first === '' ? String(into.size) : first;
  if (rest.length === 0) {
    into.set(key, value);
    return;
  }
  const existing = into.get(key);
  const inner = existing instanceof Map ? existing : new Map<string, unknown>();
  into.set(key, inner);
  put(inner, rest, value);
}

function isNumbered(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return areNumbers(Object.keys(value));
}

function areNumbers(keys: readonly string[]): boolean {
  return keys.every((key) => /^\d+$/.test(key));
}

/** Returns a map as an object, or as a list where its keys are all numbers. */
function toPlainValue(value: unknown): unknown {
  if (!(value instanceof Map)) return value;
  const entries = [...(value as Map<string, unknown>)].map(
    ([key, inner]) => [key, toPlainValue(inner)] as const,
  );
  return areNumbers(entries.map(([key]) => key))
    ? entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => inner)
    : Object.fromEntries(entries);
}

/** Returns the request to the calendar that a call makes. */
export function requestOf({
  caller,
  query,
  link,
  siteLink,
  ifMatch,
  ifNoneMatch,
  route,
  request,
  ...context
}: CalendarCall): CalendarRequest {
  const language = languageOf(query);
  return {
    caller,
    parameters: query,
    siteUrl: siteLink(''),
    language,
    root: route.api.recordsRoot?.(siteLink) ?? link(''),
    ifMatch,
    ifNoneMatch,
    ifModifiedSince: modifiedSince(request.headers),
    idempotencyKey: idempotencyKeyOf(request.headers.get(idempotencyKeyHeader), invalidParameter),
    callerKey: callerKey(context),
  };
}

/** Returns the record that the path names. An id that is not a number is a path that does not exist. */
export function refOf({ path }: CalendarCall): RecordRef {
  const { id, slug } = path as { id?: string; slug?: string };
  if (slug !== undefined) return { slug };
  if (id === undefined || !/^\d+$/.test(id)) throw noRoute();
  return { id: Number(id) };
}

/**
 * Returns a call whose path parameter ends in `.ics` without that suffix, with the parameter as `stem`; undefined for any other call. No
 * slug contains a dot.
 */
export function withoutExtension<Known extends CalendarCall>(call: Known) {
  const [[name, value] = ['', '']] = Object.entries(call.path as Readonly<Record<string, string>>);
  if (!/.\.ics$/i.test(value)) return undefined;
  const stem = value.slice(0, -'.ics'.length);
  return { stem, call: { ...call, path: { [name]: stem } } };
}

function languageOf({ translation_language: given }: RawParameters): Language | undefined {
  if (given === undefined) return undefined;
  const language = languages.find((language) => language === given);
  if (language === undefined)
    throw invalidParameter('translation_language', `must be one of ${languages.join(', ')}`);
  return language;
}
