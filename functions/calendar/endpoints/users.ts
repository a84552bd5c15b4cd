/** Who the caller is, and what they may do: what a program for editing asks first. */

import * as Type from 'typebox';
import { CodedError } from '../../../shared/errors.ts';
import { json } from '../../../shared/http/reply.ts';
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
      publish: right('Publish them, and upload pictures.'),
      edit_others: right('Change those of others.'),
    }),
  },
  { $id: 'CalendarUser' },
);

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
        edit_others: has('editor', caller),
      },
    });
  },
});
