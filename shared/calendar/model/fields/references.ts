/** Parameters that name records which must exist. */

import type { CalendarContext } from '../context.ts';
import { mayEdit, mayList } from '../rights.ts';
import { slugOf } from '../text/slug.ts';
import type { TermKind } from '../values.ts';
import { InvalidValue, map, type Parameter } from './parameter.ts';
import { idOf, list, positiveInteger } from './parsers.ts';

/** The id of an event. One that lists do not show to the caller is none: what it is linked to would tell of it. */
export function existingEvent(description: string): Parameter<number> {
  return map(positiveInteger(description), (id, { replica, caller }) => {
    const event = replica.posts.event.get(id);
    return event !== undefined && mayList(caller, event)
      ? id
      : new InvalidValue('must be the id of an existing event');
  });
}

/** The id of an event whose links the caller may see: a password hides them from all who may not edit it. */
export function unlockedEvent(description: string): Parameter<number> {
  return map(existingEvent(description), (id, { replica, caller }) => {
    const event = replica.posts.event.get(id);
    const isHidden = event?.record.access_password !== undefined && !mayEdit(caller, event);
    return isHidden ? new InvalidValue('must be the id of an event without a password') : id;
  });
}

/** The id of an event, or 0 for none. */
export function existingEventOrNone(description: string): Parameter<number> {
  return orNone(existingEvent(description));
}

/** The id of a category, or 0 for none. */
export function existingCategoryOrNone(description: string): Parameter<number> {
  const category = map(positiveInteger(description), (id, { replica }) =>
    replica.terms.get(id, 'category') === undefined
      ? new InvalidValue('must be the id of an existing category')
      : id,
  );
  return orNone(category);
}

/** Ids that must all exist; none for an empty list. */
export function existingIds(
  description: string,
  exists: (id: number, context: CalendarContext) => boolean,
): Parameter<readonly number[]> {
  return map(list(description, 'integer'), (items, context) => {
    const ids = items.map(idOf).filter((id) => id !== undefined);
    const doExist = ids.length === items.length && ids.every((id) => exists(id, context));
    return doExist ? ids : new InvalidValue('must be ids that exist');
  });
}

/** Returns the term that an id names, or a text that makes its slug. */
export function termOf(kind: TermKind, item: string | number, { replica: { terms } }: CalendarContext) {
  return terms.get(idOf(item) ?? 0, kind) ?? terms.withSlug(kind, slugOf(String(item)));
}

function orNone(parameter: Parameter<number>): Parameter<number> {
  return {
    ...parameter,
    schema: { minimum: 0 },
    parse: (value, context) => (value === 0 || value === '0' ? 0 : parameter.parse(value, context)),
  };
}
