/** The caller, and authors, as users of WordPress. */

import * as Type from 'typebox';
import type { Config } from '../../../shared/config.ts';
import { CodedError } from '../../../shared/errors.ts';
import { json } from '../../../shared/http/reply.ts';
import { has, type Role } from '../../calendar/model/rights.ts';
import { bounds } from '../../calendar/wire/bounds.ts';
import { readProblems } from '../../calendar/wire/documented-problems.ts';
import { endpoint, refOf, requestOf } from '../../calendar/wire/input.ts';
import { pathSchema, querySchema } from '../../calendar/wire/parameters.ts';
import type { RecordEndpoints } from './shown-in-context.ts';

const roleNames: Readonly<Record<Role, string>> = {
  reader: 'subscriber',
  contributor: 'contributor',
  author: 'author',
  editor: 'editor',
};

/** Tells callers who they are, by which clients check that they are signed in. */
const whoAmI = endpoint({
  method: 'GET',
  path: '/users/me',
  operationId: 'get-wp-user',
  bound: bounds.record,
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

/** Creates the endpoints of users. The calendar publishes no names of users: that of the site stands for them. */
export function userEndpoints(config: Config): RecordEndpoints {
  const text = Type.String();
  const author = endpoint({
    method: 'GET',
    path: '/users/{id}',
    operationId: 'get-wp-author',
    bound: bounds.record,
    summary: 'Read an author',
    tag: 'Calendar: wp/v2',
    access: 'optional',
    parameters: pathSchema('id', undefined),
    query: querySchema(),
    problems: readProblems,
    replies: {
      200: {
        description: 'The author, by the name of the site.',
        schema: Type.Object({ id: Type.Integer(), name: text }, { additionalProperties: true }),
      },
    },
    async handle(call) {
      const ref = refOf(call);
      const { link, siteLink } = call;
      if (!('id' in ref) || !(await call.calendar().hasAuthor(ref.id)))
        throw new CodedError('rest_user_invalid_id', 'Cannot find the author: no author has this id.');
      return json({
        id: ref.id,
        name: config.SITE_NAME || new URL(config.CALENDAR_SITE_URL || siteLink('')).hostname,
        url: '',
        description: '',
        link: '',
        slug: '',
        avatar_urls: {},
        meta: [],
        _links: { self: [{ href: link(`/users/${ref.id}`) }] },
      });
    },
  });
  return {
    endpoints: [whoAmI, author],
    embedFields: ['name', 'url', 'description', 'avatar_urls'],
    // All who are signed in may edit what is theirs.
    editing: {
      mayEditAny: ({ subject }) => subject !== undefined,
      mayEditOne: ({ author = 0 }, { id }) => author === id,
    },
  };
}
