/** The parameters that all of `wp/v2` has for what a reply shows: `context`, and `_embed` for the records that it links to. */

import { statusOf } from '../../../shared/errors/kinds.ts';
import { isCodedError } from '../../../shared/errors.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import type { Reply } from '../../../shared/http/reply.ts';
import { forbiddenContext, invalidParameter } from '../../calendar/model/refusals.ts';
import { type Caller, has, type KnownCaller } from '../../calendar/model/rights.ts';
import { type CalendarCall, requestOf } from '../../calendar/wire/input.ts';
import { errorBody } from '../../calendar/wire/replies.ts';
import type { Shown } from './paging.ts';

/** Endpoints whose records have the same fields, and the names of those that the context `embed` shows. */
export interface RecordEndpoints {
  readonly endpoints: readonly Endpoint<Caller>[];
  readonly embedFields: readonly string[];
  readonly editing: Editing;
}

/** Who may ask for the context `edit`: those who may edit any of the records, and of one record those who may edit that. */
interface Editing {
  readonly mayEditAny: (caller: Caller) => boolean;
  /** Default: those who may edit any. */
  readonly mayEditOne?: (caller: KnownCaller, record: Shown) => boolean;
}

/** A link of a record; what it leads to can be embedded where it says so. */
interface Link {
  readonly href: string;
  readonly embeddable?: boolean;
}

type Handle = (call: CalendarCall) => Reply | Promise<Reply>;

const contexts = ['view', 'embed', 'edit'];
/** Items of a list that is embedded, at most. */
const embeddedItems = 100;

/** Returns all endpoints, with `context` and `_embed`. */
export function shownInContext(groups: readonly RecordEndpoints[]): readonly Endpoint<Caller>[] {
  const inContext = groups.flatMap(({ endpoints, embedFields, editing }) =>
    endpoints.map((endpoint) => {
      // What a write replies is in the context `edit`.
      if (endpoint.method !== 'GET') return endpoint;
      const read = (handle: Handle) =>
        endpoint.path.includes('{') ? withEditing(handle, editing) : withListEditing(handle, editing);
      return wrapped(endpoint, (handle) => withContext(read(handle), embedFields));
    }),
  );
  return inContext.map((endpoint) => wrapped(endpoint, (handle) => withEmbeds(handle, inContext)));
}

function wrapped(endpoint: Endpoint<Caller>, wrap: (handle: Handle) => Handle): Endpoint<Caller> {
  return {
    ...endpoint,
    handle: wrap(endpoint.handle as unknown as Handle) as unknown as Endpoint<Caller>['handle'],
  };
}

/** Refuses a context that does not exist, and cuts records down to what the context `embed` shows. */
function withContext(handle: Handle, embedFields: readonly string[]): Handle {
  const names = ['id', 'link', 'slug', ...embedFields, '_links'];
  const select = (record: Shown) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
  return async (call) => {
    const { context = 'view' } = call.query;
    if (!contexts.includes(String(context)))
      throw invalidParameter('context', `must be one of ${contexts.join(', ')}`);
    const reply = await handle(call);
    return context === 'embed' ? withRecords(reply, async (record) => select(record)) : reply;
  };
}

/** Refuses a list in the context `edit` to callers who may edit none of its records. */
function withListEditing(handle: Handle, { mayEditAny }: Editing): Handle {
  return (call) => {
    if (isEditing(call) && !mayEditAny(call.caller)) throw forbiddenContext(call.caller);
    return handle(call);
  };
}

/** Refuses a record in the context `edit` to callers who may not edit it. One that does not exist is refused as such. */
function withEditing(handle: Handle, editing: Editing): Handle {
  return async (call) => {
    if (!isEditing(call)) return handle(call);
    const reply = await Promise.resolve(handle(call)).catch((error: unknown) => {
      throw isCodedError(error) && error.kind === 'forbidden' ? forbiddenContext(call.caller) : error;
    });
    if (!(await mayEdit(jsonOf(reply) as Shown, call, editing))) throw forbiddenContext(call.caller);
    return reply;
  };
}

async function mayEdit(
  record: Shown,
  call: CalendarCall,
  { mayEditAny, mayEditOne = mayEditAny }: Editing,
): Promise<boolean> {
  const { caller } = call;
  if (has('editor', caller) || !mayEditAny(caller)) return mayEditAny(caller);
  const author = await call.calendar().authorOf(requestOf(call));
  return mayEditOne({ ...caller, ...(author === undefined ? {} : { author }) }, record);
}

function isEditing({ query }: CalendarCall): boolean {
  return query['context'] === 'edit';
}

/** Adds what the links of records lead to, as the callers may see it. */
function withEmbeds(handle: Handle, endpoints: readonly Endpoint<Caller>[]): Handle {
  return async (call) => {
    const reply = await handle(call);
    const { searchParams } = call.request.url;
    if (!['_embed', '_embed[]'].some((name) => searchParams.has(name))) return reply;
    const wanted = relationsIn([...searchParams.getAll('_embed'), ...searchParams.getAll('_embed[]')]);
    const known = new Map<string, unknown>();
    return withRecords(reply, async (record) => {
      const embedded: Record<string, readonly unknown[]> = {};
      for (const [relation, links] of Object.entries((record['_links'] ?? {}) as Record<string, Link[]>)) {
        const embeddable = links.filter((link) => link.embeddable);
        if (embeddable.length === 0 || wanted?.includes(relation) === false) continue;
        const targets: unknown[] = [];
        for (const { href } of embeddable) {
          if (!known.has(href)) known.set(href, await targetOf(href, call, endpoints));
          targets.push(known.get(href));
        }
        embedded[relation] = targets;
      }
      return Object.keys(embedded).length === 0 ? record : { ...record, _embedded: embedded };
    });
  };
}

/** Returns the relations that are asked for; undefined for all. */
function relationsIn(values: readonly string[]): readonly string[] | undefined {
  const names = values.flatMap((value) => value.split(/[\s,]+/)).filter((name) => name !== '');
  return names.length === 0 || names.some((name) => /^(?:true|0|1)$/.test(name)) ? undefined : names;
}

/** Returns what one of our addresses answers to the caller in the context `embed`: a record, a list, or the refusal. */
async function targetOf(
  href: string,
  call: CalendarCall,
  endpoints: readonly Endpoint<Caller>[],
): Promise<unknown> {
  const url = new URL(href);
  const path = href.slice(call.link('').length).split('?', 1)[0] ?? '';
  for (const endpoint of endpoints) {
    const [id] = /\d+$/.exec(path) ?? [];
    const isIt = endpoint.path === path || (id !== undefined && endpoint.path === path.replace(id, '{id}'));
    if (endpoint.method !== 'GET' || !isIt) continue;
    const embeddedCall = {
      ...call,
      request: { ...call.request, method: 'GET', url },
      path: { id },
      query: { ...Object.fromEntries(url.searchParams), context: 'embed', per_page: embeddedItems },
      ifMatch: undefined,
      ifNoneMatch: undefined,
    };
    return Promise.resolve((endpoint.handle as unknown as Handle)(embeddedCall as CalendarCall))
      .then(jsonOf)
      .catch((error: unknown) => refusalOf(error));
  }
  throw new TypeError(`No endpoint answers ${path}, which a record links to.`);
}

/** Returns a refusal as the embedded record. */
function refusalOf(error: unknown): object {
  if (!isCodedError(error) || statusOf(error.kind) >= 500) throw error;
  return errorBody(error, statusOf(error.kind));
}

function jsonOf({ body }: Reply): unknown {
  return body !== undefined && 'json' in body ? body.json : undefined;
}

/** Returns a reply whose record, or each of whose records, is another. */
async function withRecords(reply: Reply, change: (record: Shown) => Promise<Shown>): Promise<Reply> {
  const value = jsonOf(reply);
  if (typeof value !== 'object' || value === null) return reply;
  if (!Array.isArray(value)) return { ...reply, body: { json: await change(value as Shown) } };
  const records: Shown[] = [];
  for (const record of value as readonly Shown[]) records.push(await change(record));
  return { ...reply, body: { json: records } };
}
