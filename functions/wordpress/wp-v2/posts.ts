/** Posts and pages of WordPress: there are none, and their lists say so. */

import * as Type from 'typebox';
import { CodedError } from '../../../shared/errors.ts';
import { json } from '../../../shared/http/reply.ts';
import { has } from '../../calendar/model/rights.ts';
import { bounds } from '../../calendar/wire/bounds.ts';
import { endpoint } from '../../calendar/wire/input.ts';
import { pathSchema, querySchema } from '../../calendar/wire/parameters.ts';
import type { RecordEndpoints } from './shown-in-context.ts';

/** Creates the endpoints of a type of posts that the site does not have. */
export function emptyEndpoints(type: 'posts' | 'pages'): RecordEndpoints {
  const common = {
    method: 'GET',
    tag: 'Calendar: wp/v2',
    access: 'optional',
    query: querySchema(),
  } as const;
  const endpoints = [
    endpoint({
      ...common,
      path: `/${type}`,
      operationId: `list-wp-${type}`,
      bound: bounds.list,
      summary: `List ${type}: none`,
      replies: { 200: { description: 'An empty list.', schema: Type.Array(Type.Object({})) } },
      handle: () => json([], { headers: { 'X-WP-Total': '0', 'X-WP-TotalPages': '0' } }),
    }),
    endpoint({
      ...common,
      path: `/${type}/{id}`,
      operationId: `get-wp-${type}`,
      bound: bounds.record,
      summary: `Read one of the ${type}: none`,
      parameters: pathSchema('id', undefined),
      problems: { 404: 'The site has none.' },
      replies: { 200: { description: 'The post.', schema: Type.Object({}) } },
      handle() {
        throw new CodedError('rest_post_invalid_id', 'Cannot show it: the site has no posts and pages.');
      },
    }),
  ];
  const role = type === 'posts' ? 'contributor' : 'editor';
  return { endpoints, embedFields: [], editing: { mayEditAny: (caller) => has(role, caller) } };
}
