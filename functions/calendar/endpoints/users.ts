/** Who the caller is, and what they may do: what a program for editing asks first. */

import * as Type from 'typebox';
import { CodedError } from '../../../shared/errors.ts';
import { json } from '../../../shared/http/reply.ts';
import { notAllowed } from '../model/refusals.ts';
import { has, type Role, roles } from '../model/rights.ts';
import { bounds } from '../wire/bounds.ts';
import { endpoint, requestOf } from '../wire/input.ts';
import { querySchema } from '../wire/parameters.ts';

const right = (description: string) => Type.Boolean({ description });

const userSchema = Type.Object(
  {
    id: Type.Integer({
      description: 'The number by which records name the caller as author; 0 for a caller who may not write.',
    }),
    name: Type.String(),
    role: Type.Unsafe<Role>({ type: 'string', enum: [...roles] }),
    may: Type.Object({
      edit: right('Write events, venues and organizers of their own.'),
      publish: right('Publish them, and upload pictures that others see at once.'),
      upload: right('Upload pictures for records of their own.'),
      edit_others: right('Change those of others.'),
    }),
  },
  { $id: 'CalendarUser' },
);

const usersSchema = Type.Object(
  {
    users: Type.Array(Type.Object({ id: Type.Integer(), name: Type.Optional(Type.String()) }), {
      description: 'By their numbers. A name is told for a time (CALENDAR_AUTHOR_NAME_DAYS).',
    }),
  },
  { $id: 'CalendarUsers' },
);

/** The people whose records an editor has before them. */
export const usersEndpoint = endpoint({
  method: 'GET',
  path: '/users',
  operationId: 'list-calendar-users',
  bound: bounds.users,
  summary: 'List who has written to the calendar',
  tag: 'Calendar: index',
  access: 'bearer',
  mayUse: (caller) => has('editor', caller),
  extension: true,
  query: querySchema(),
  problems: {
    401: 'Not signed in.',
    403: 'Signed in without the right.',
    503: 'The tables cannot be reached.',
  },
  replies: { 200: { description: 'The users.', schema: usersSchema } },
  async handle(call) {
    const { caller } = call;
    if (!has('editor', caller)) throw notAllowed(caller, 'list the users');
    return json({ users: await call.calendar().authors(requestOf(call)) });
  },
});

export const userEndpoint = endpoint({
  method: 'GET',
  path: '/users/me',
  operationId: 'get-calendar-user',
  bound: bounds.record,
  summary: 'Read who the caller is',
  tag: 'Calendar: index',
  access: 'optional',
  extension: true,
  query: querySchema(),
  problems: { 401: 'Not signed in.', 503: 'The tables cannot be reached.' },
  replies: { 200: { description: 'The caller.', schema: userSchema } },
  async handle(call) {
    const { caller } = call;
    const { subject, name = subject } = caller;
    if (subject === undefined)
      throw new CodedError('rest_not_logged_in', 'Cannot tell who you are: you are not signed in.');
    return json({
      id: (await call.calendar().authorOf(requestOf(call))) ?? 0,
      name,
      role: caller.role,
      may: {
        edit: has('contributor', caller),
        publish: has('author', caller),
        upload: has('contributor', caller),
        edit_others: has('editor', caller),
      },
    });
  },
});
