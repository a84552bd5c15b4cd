/** Parameters that name records which must exist. */

import type { TermKind } from '../model/records.ts';
import { mayEdit, mayList } from '../model/rights.ts';
import { slugOf } from '../model/text/slug.ts';
import { idOf, list, positiveInteger, refined } from './kinds.ts';
import { type Parameter, type Surroundings, Unfit } from './parameter.ts';

/** The id of an event. One that lists do not show to the caller is none: what it is linked to would tell of it. */
export function existingEvent(description: string): Parameter<number> {
  return refined(positiveInteger(description), (id, { replica, caller }) => {
    const event = replica.posts.event.get(id);
    return event !== undefined && mayList(caller, event)
      ? id
      : new Unfit('must be the id of an existing event');
  });
}

/** The id of an event whose links the caller may see: a password hides them from all who may not edit it. */
export function openEvent(description: string): Parameter<number> {
  return refined(existingEvent(description), (id, { replica, caller }) => {
    const event = replica.posts.event.get(id);
    const isHidden = event?.record.access_password !== undefined && !mayEdit(caller, event);
    return isHidden ? new Unfit('must be the id of an event without a password') : id;
  });
}

/** The id of an event, or 0 for none. */
export function existingEventOrNone(description: string): Parameter<number> {
  return orNone(existingEvent(description));
}

/** The id of a category, or 0 for none. */
export function existingCategoryOrNone(description: string): Parameter<number> {
  const category = refined(positiveInteger(description), (id, { replica }) =>
    replica.terms.get(id, 'category') === undefined
      ? new Unfit('must be the id of an existing category')
      : id,
  );
  return orNone(category);
}

/** Ids that must all exist; none for an empty list. */
export function existingIds(
  description: string,
  exists: (id: number, surroundings: Surroundings) => boolean,
): Parameter<readonly number[]> {
  return refined(list(description, 'integer'), (items, surroundings) => {
    const ids = items.map(idOf).filter((id) => id !== undefined);
    const doExist = ids.length === items.length && ids.every((id) => exists(id, surroundings));
    return doExist ? ids : new Unfit('must be ids that exist');
  });
}

/** Gives the term that an id names, or a text that makes its slug. */
export function termOf(kind: TermKind, item: string | number, { replica: { terms } }: Surroundings) {
  const slug = slugOf(String(item));
  return terms.get(idOf(item) ?? 0, kind) ?? terms.find(kind, (term) => term.slug === slug);
}

function orNone(parameter: Parameter<number>): Parameter<number> {
  const read: Parameter<number>['read'] = (value, surroundings) =>
    value === 0 || value === '0' ? 0 : parameter.read(value, surroundings);
  return { ...parameter, schema: { minimum: 0 }, read };
}
