/** The caller as a user of WordPress. */

import * as Type from 'typebox';
import { CodedError } from '../../../shared/errors.ts';
import { json } from '../../../shared/http/reply.ts';
import { endpoint, requestOf } from '../../calendar/input.ts';
import { has, type Role } from '../../calendar/model/rights.ts';
import { querySchema } from '../../calendar/parameters.ts';

const roleNames: Readonly<Record<Role, string>> = {
  reader: 'subscriber',
  contributor: 'contributor',
  author: 'author',
  editor: 'editor',
};

/** The endpoint that tells callers who they are, by which clients check that they are signed in. */
export const userEndpoint = endpoint({
  method: 'GET',
  path: '/users/me',
  operationId: 'get-wp-user',
  summary: 'Read who the caller is',
  tag: 'Calendar: wp/v2',
  access: 'optional',
  query: querySchema(),
  problems: { 401: 'Not signed in.' },
  replies: {
    200: {
      description: 'The caller. `id` is 0 for a caller who may not write.',
      schema: Type.Object(
        { id: Type.Integer(), name: Type.String(), slug: Type.String() },
        { additionalProperties: true },
      ),
    },
  },
  async handle(call) {
    const { caller, query, link } = call;
    const { subject, name = subject } = caller;
    if (subject === undefined)
      throw new CodedError('rest_not_logged_in', 'Cannot tell who you are: you are not signed in.');
    const may = (role: Role) => has(role, caller);
    const editing = {
      roles: [roleNames[caller.role]],
      capabilities: {
        read: true,
        edit_tribe_events: may('contributor'),
        publish_tribe_events: may('author'),
        edit_others_tribe_events: may('editor'),
        upload_files: may('author'),
      },
    };
    return json({
      id: (await call.calendar().authorOf(requestOf(call))) ?? 0,
      name,
      url: '',
      description: '',
      link: '',
      slug: subject,
      avatar_urls: {},
      meta: [],
      ...(query['context'] === 'edit' ? editing : {}),
      _links: { self: [{ href: link('/users/me') }] },
    });
  },
});
