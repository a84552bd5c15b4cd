/** What events, venues and organizers have alike. */

import type { PostKind } from '../../shared/calendar/model/records.ts';
import { type Caller, has } from '../../shared/calendar/model/rights.ts';
import { addPost, changePost, readPost, removePost } from '../../shared/calendar/operations/posts.ts';
import type { Operations, Resource } from './resource.ts';

/** Gives the part of a resource whose records have slugs, a status and a trash. */
export function postResource(kind: PostKind, list: Operations['list']) {
  return {
    kind,
    operations: {
      list,
      create: (calendar, request) => addPost(kind, calendar, request),
      read: (named, calendar, request) => readPost(kind, named, calendar, request),
      update: (named, calendar, request) => changePost(kind, named, calendar, request),
      remove: (named, calendar, request) => removePost(kind, named, calendar, request),
    },
    mayWrite: (caller: Caller) => has('contributor', caller),
    by: ['id', 'slug'],
    itemMethods: ['GET', 'DELETE', 'POST', 'PUT', 'PATCH'],
    sendsLocation: false,
    deletion: 'Moves it to the trash; an update with another status brings it back.',
  } satisfies Partial<Resource>;
}
