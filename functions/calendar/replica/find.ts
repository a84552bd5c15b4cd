/** Finds the record that a path names, or rejects the request where it does not exist (docs/calendar-contract.md, "Errors"). */

import { CodedError } from '../../../shared/errors.ts';
import type { CalendarContext, RawParameters } from '../model/calendar-context.ts';
import { eventItemParameters } from '../model/fields/event.ts';
import {
  InvalidValue,
  type ParameterErrors,
  type ParameterTable,
  parseEach,
} from '../model/fields/parameter.ts';
import { termParameters } from '../model/fields/term.ts';
import type { TermRecord } from '../model/records.ts';
import { invalidParameters, notAllowed } from '../model/refusals.ts';
import { has } from '../model/rights.ts';
import { slugOf } from '../model/text/slug.ts';
import type { PostKind, TermKind } from '../model/values.ts';
import type { PostEntry } from './entries.ts';
import type { CalendarReplica } from './replica.ts';

/** How a path names a record. */
export type RecordRef = { readonly id: number } | { readonly slug: string };

/** A context with the whole replica. */
export interface ReplicaContext extends CalendarContext {
  readonly replica: CalendarReplica;
  /** Days after their last change for which names of authors are kept. Default 0: none are. */
  readonly authorNameDays?: number;
}

type Intent = 'read' | 'update' | 'delete';

/** The event, venue or organizer that a path names. Parse the parameters before you ask for the entry. */
export interface PostLookup {
  /** Parameters of every operation on the record. */
  readonly parameters: ParameterTable;
  /** Errors of the path as a parameter. */
  readonly errors: ParameterErrors;
  /** The record, where it exists. */
  readonly existing: PostEntry | undefined;
  /** Returns the record, or throws where it does not exist. */
  entry(): PostEntry;
}

/** Finds the event, venue or organizer that a path names. */
export function findPost(
  kind: PostKind,
  ref: RecordRef,
  intent: Intent,
  context: ReplicaContext,
): PostLookup {
  const set = context.replica.posts[kind];
  const entry: PostEntry | undefined = 'id' in ref ? set.get(ref.id) : set.withSlug(sentSlug(ref.slug));
  return {
    parameters: 'id' in ref && kind === 'event' ? eventItemParameters : {},
    errors: entry === undefined ? pathErrors(kind, ref, intent) : {},
    existing: entry,
    entry: () => {
      if (entry === undefined) throw unknownEvent(ref, intent, context);
      return entry;
    },
  };
}

/** Returns the slug that a path names. A text with an encoded slash is returned unchanged: it cannot equal a slug. */
function sentSlug(slug: string): string {
  return slug.includes('/') ? slug : slugOf(slug);
}

/** An unknown id or slug is a bad parameter. That of an event has a separate code, and is reported after all other errors. */
function pathErrors(kind: PostKind, ref: RecordRef, intent: Intent): ParameterErrors {
  const name = 'id' in ref ? 'id' : 'slug';
  if (kind === 'event' && (name === 'id' || intent === 'update')) return {};
  return { [name]: new InvalidValue(`must be the ${name} of an existing ${kind}`) };
}

/** Finds the category or tag that a path names. An unknown id is reported together with the errors of the fields. */
export function findTerm(
  kind: TermKind,
  ref: RecordRef,
  context: ReplicaContext,
  raw: RawParameters = {},
): TermRecord {
  const term = 'id' in ref ? context.replica.terms.get(ref.id, kind) : undefined;
  if (term !== undefined) return term;
  const { errors } = parseEach(termParameters[kind], raw, context);
  throw invalidParameters({ id: new InvalidValue(`must be the id of an existing ${kind}`), ...errors });
}

/** Returns the error of an event that does not exist. A missing right takes precedence. */
function unknownEvent(ref: RecordRef, intent: Intent, { replica, caller }: ReplicaContext) {
  if (intent !== 'read' && !has('contributor', caller)) return notAllowed(caller, `${intent} the event`);
  const isForeign =
    'id' in ref && (replica.post(ref.id) !== undefined || replica.image(ref.id) !== undefined);
  return isForeign
    ? new CodedError('rest-invalid-event-id', 'Cannot answer: the record of this id is not an event.')
    : new CodedError('rest-event-not-found', 'Cannot answer: there is no such event.');
}
