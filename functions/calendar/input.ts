/** Input of the calendar: query, form and JSON body together, in all the forms that its clients send (behaviour section 1). */

import { CodedError, isCodedError } from '../../shared/errors.ts';
import type { Input } from '../../shared/http/api.ts';
import { checkMediaType, hasBody, mediaType, parseJson, readText } from '../../shared/http/body.ts';
import type { IncomingRequest } from '../../shared/http/request.ts';

/** Everything that was sent, by name: values of JSON, or texts. */
export type Sent = Readonly<Record<string, unknown>>;

const form = 'application/x-www-form-urlencoded';
/** Brackets below a name, at the most. */
const deepest = 4;

/** Bytes of a body that is no more than an address could hold. What lists are asked for is kept with their answers, so it is small. */
export const smallBody = 16 * 1024;
/** Names in a form, at the most. */
const mostNames = 10_000;

/** Reads what was sent; a body of more than `limit` bytes is refused, and not read at all when there is none. A name that comes twice counts from the JSON body, then the form, then the query; the path stands apart. */
export async function readCalendarInput(request: IncomingRequest, limit: number | undefined): Promise<Input> {
  const body = limit === undefined ? {} : await readBody(request, limit);
  const sent: Sent = { ...fromPairs(request.url.searchParams), ...body };
  return { path: request.parameters, query: sent, body: undefined };
}

/** Reads pairs of names and texts: `name=a`, `name[]=a`, `name[0]=a`, `name[key]=a`. Of a plain name that comes twice the last counts. */
export function fromPairs(pairs: Iterable<readonly [string, string]>): Sent {
  const root = new Map<string, unknown>();
  for (const [name, value] of pairs) put(root, partsOf(name), value);
  return Object.fromEntries([...root].map(([name, value]) => [name, plain(value)]));
}

async function readBody(request: IncomingRequest, limit: number): Promise<Sent> {
  // A body that says nothing of its type is read as a form.
  const type = mediaType(request.headers) ?? form;
  const isJson = type === 'application/json' || type.endsWith('+json');
  if (!hasBody(request) || (!isJson && type !== form)) return {};
  if (request.headers.has('content-type')) checkMediaType(request, [type]);
  const text = await readText(request, limit);
  return isJson ? fromJson(text) : fromForm(text);
}

function fromForm(text: string): Sent {
  if (text.split('&', mostNames + 1).length > mostNames)
    throw new CodedError(
      'form-too-large',
      `Cannot read the body: the form has more than ${mostNames} names.`,
    );
  return fromPairs(new URLSearchParams(text));
}

/** A body that is valid JSON but no object counts as empty, as does a blank one. */
function fromJson(text: string): Sent {
  if (text.trim() === '') return {};
  const value = parsed(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Sent) : {};
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!isCodedError(error, 'invalid-json')) throw error;
    throw new CodedError('rest_invalid_json', 'Cannot read the body: it is not valid JSON.');
  }
}

function partsOf(name: string): readonly string[] {
  const [, first, brackets] = /^([^[]+)((?:\[[^\]]*\])*)$/.exec(name) ?? [];
  if (first === undefined || brackets === undefined) return [name];
  const inner = [...brackets.matchAll(/\[([^\]]*)\]/g)].map(([, key = '']) => key);
  return inner.length > deepest ? [name] : [first, ...inner];
}

function put(into: Map<string, unknown>, [first = '', ...rest]: readonly string[], value: string): void {
  const key = first === '' ? String(into.size) : first;
  if (rest.length === 0) {
    into.set(key, value);
    return;
  }
  const known = into.get(key);
  const inner = known instanceof Map ? known : new Map<string, unknown>();
  into.set(key, inner);
  put(inner, rest, value);
}

/** A map whose keys are all numbers is a list. */
function plain(value: unknown): unknown {
  if (!(value instanceof Map)) return value;
  const entries = [...(value as Map<string, unknown>)].map(([key, inner]) => [key, plain(inner)] as const);
  return entries.every(([key]) => /^\d+$/.test(key))
    ? entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => inner)
    : Object.fromEntries(entries);
}
