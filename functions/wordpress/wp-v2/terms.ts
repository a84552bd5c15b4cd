/** Tags and event categories as terms of WordPress. */

import * as Type from 'typebox';
import { json } from '../../../shared/http/reply.ts';
import type { RawParameters } from '../../calendar/model/calendar-context.ts';
import { mayWrite } from '../../calendar/model/rights.ts';
import type { TermKind } from '../../calendar/model/values.ts';
import { bounds } from '../../calendar/wire/bounds.ts';
import { listProblems, readProblems, writeProblems } from '../../calendar/wire/documented-problems.ts';
import { endpoint, refOf, requestOf } from '../../calendar/wire/input.ts';
import { pathSchema, querySchema } from '../../calendar/wire/parameters.ts';
import { freshnessHeaders } from '../../calendar/wire/replies.ts';
import { directions, mustBeOneOf, mustKnowFilters, pageReply, pickParameters, type Shown } from './paging.ts';
import type { RecordEndpoints } from './shown-in-context.ts';

/** What WordPress calls the kinds of terms, in paths and as taxonomies. */
const names = {
  tag: { path: '/tags', taxonomy: 'post_tag' },
  category: { path: '/tribe_events_cat', taxonomy: 'tribe_events_cat' },
} as const;

/** Parameters of lists that the calendar has under the same name. */
const listNames = [
  'search',
  'slug',
  'include',
  'exclude',
  'order',
  'orderby',
  'parent',
  'post',
  'hide_empty',
];

/** Filters of WordPress that lists of terms here have not. */
const unknownFilters = ['offset'];

const orders = ['id', 'include', 'name', 'slug', 'term_group', 'description', 'count'];

const termShape = Type.Object({ id: Type.Integer(), name: Type.String() }, { additionalProperties: true });

/** Creates the endpoints of a kind of terms: list, create and read. */
export function termEndpoints(kind: TermKind): RecordEndpoints {
  const { path } = names[kind];
  const place = { path, tag: 'Calendar: wp/v2' } as const;
  const endpoints = [
    endpoint({
      ...place,
      method: 'GET',
      operationId: `list-wp-${kind}`,
      bound: bounds.list,
      summary: `List terms: ${kind}`,
      access: 'optional',
      query: querySchema(),
      problems: listProblems,
      replies: { 200: { description: 'A page of the list.', schema: Type.Array(termShape) } },
      handle(call) {
        mustKnowFilters(call.query, unknownFilters);
        mustBeOneOf('orderby', call.query['orderby'], orders);
        mustBeOneOf('order', call.query['order'], directions);
        return pageReply(call, {
          kind,
          filters: { hide_empty: false, ...pickParameters(call.query, listNames) },
          view: (term) => termView(term, kind, call.link),
        });
      },
    }),
    endpoint({
      ...place,
      method: 'POST',
      operationId: `create-wp-${kind}`,
      bound: bounds.write,
      summary: `Create a term: ${kind}`,
      access: 'bearer',
      mayUse: (caller) => mayWrite(caller, kind),
      query: querySchema(),
      problems: writeProblems,
      replies: { 201: { description: 'The new term.', schema: termShape } },
      async handle(call) {
        const { text } = await call.calendar().create(kind, {
          ...requestOf(call),
          parameters: sentTerm(call.query),
        });
        const view = termView(JSON.parse(text), kind, call.link);
        return json(view, { status: 201, headers: { Location: call.link(`${path}/${view.id}`) } });
      },
    }),
    endpoint({
      ...place,
      method: 'GET',
      path: `${path}/{id}`,
      operationId: `get-wp-${kind}`,
      bound: bounds.record,
      summary: `Read one term: ${kind}`,
      access: 'optional',
      parameters: pathSchema('id', undefined),
      query: querySchema(),
      problems: readProblems,
      replies: { 200: { description: 'The term.', schema: termShape } },
      async handle(call) {
        const request = { ...requestOf(call), parameters: {} };
        const { value, freshness } = await call.calendar().read(kind, refOf(call), request);
        const view = termView(JSON.parse(value.text), kind, call.link);
        return json(view, { headers: freshnessHeaders(freshness) });
      },
    }),
  ];
  return {
    endpoints,
    embedFields: ['name', 'taxonomy'],
    editing: { mayEditAny: (caller) => mayWrite(caller, kind) },
  };
}

/** Reads what was sent of a new term. Clients of WordPress send what is empty too. */
function sentTerm(raw: RawParameters): RawParameters {
  const isEmpty = (value: unknown) => ['', '0', 0, null].includes(value as string);
  const entries = Object.entries(pickParameters(raw, ['name', 'slug', 'description', 'parent']));
  return Object.fromEntries(entries.filter(([name, value]) => name === 'name' || !isEmpty(value)));
}

/** Returns a term as WordPress shows it. */
export function termView(term: Shown, kind: TermKind, link: (path: string) => string) {
  const { path, taxonomy } = names[kind];
  const id = Number(term['id']);
  return {
    id,
    count: term['count'],
    description: term['description'],
    link: term['url'],
    name: term['name'],
    slug: term['slug'],
    taxonomy,
    ...(kind === 'category' ? { parent: term['parent'] } : {}),
    meta: [],
    _links: {
      self: [{ href: link(`${path}/${id}`) }],
      collection: [{ href: link(path) }],
      ...(term['parent'] && kind === 'category'
        ? { up: [{ embeddable: true, href: link(`${path}/${term['parent']}`) }] }
        : {}),
    },
  };
}
