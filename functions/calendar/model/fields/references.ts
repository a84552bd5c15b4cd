/** Parameters that name records which must exist, and links from an event to venues and organizers (docs/calendar-contract.md, "Links from an event"). */

import type { TSchema } from 'typebox';
import { isCodedError } from '../../../../shared/errors.ts';
import type { CalendarContext } from '../calendar-context.ts';
import { mayEdit, mayList, mayRead } from '../rights.ts';
import { withoutControls } from '../text/plain-text.ts';
import { slugOf } from '../text/slug.ts';
import { type Link, type LinkedKind, linkedId, type TermKind } from '../values.ts';
import { contactParameters } from './contact.ts';
import { field, type LinkRequest, type TermRequest } from './field.ts';
import { InvalidValue, map, type Parameter, parseFields } from './parameter.ts';
import { idOf, isNothing, isTextOrNumber, list, positiveInteger } from './parsers.ts';

/** The id of an event. One that lists do not show to the caller counts as unknown, since its links would tell of it, unless the record has it already. */
export function existingEvent(description: string): Parameter<number> {
  return map(positiveInteger(description), (id, { replica, caller, before }) => {
    const event = replica.posts.event.get(id);
    return event !== undefined && (id === before?.post_parent || mayList(caller, event))
      ? id
      : new InvalidValue('must be the id of an existing event');
  });
}

/** The id of an event whose links the caller may see: a password hides them from callers who may not edit it. */
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

/** The forms of one term in a document. */
const termForms = [
  { type: 'integer', description: 'Id.' },
  { type: 'string', description: 'Id, slug or name.' },
  {
    type: 'object',
    additionalProperties: true,
    description: '`name` alone, of one that exists or is new. (Extension.)',
  },
];

/** Terms: ids, slugs and names in any form of a list; in an array objects of a `name` alone, which is never taken for an id. */
export function terms(description: string): Parameter<TermRequest[]> {
  const texts = list(description);
  return {
    ...texts,
    schema: { items: { anyOf: termForms } },
    parse(value, context) {
      if (!Array.isArray(value)) return texts.parse(value, context);
      const requests: TermRequest[] = [];
      for (const item of value as readonly unknown[]) {
        const request = isTextOrNumber(item) ? item : namedTerm(item);
        if (request === undefined)
          return new InvalidValue('must be ids, slugs or names, or objects of a name alone');
        if (typeof request !== 'string') requests.push(request);
        else if (request.trim() !== '') requests.push(request.trim());
      }
      return requests;
    },
  };
}

/** Reads a term that is sent as an object of its name alone; undefined for anything else. */
function namedTerm(item: unknown): TermRequest | undefined {
  const { name, ...rest } = (item ?? {}) as { readonly name?: unknown };
  if (typeof name !== 'string' || Object.keys(rest).length > 0) return undefined;
  return { name: withoutControls(name.toWellFormed()) };
}

function orNone(parameter: Parameter<number>): Parameter<number> {
  return {
    ...parameter,
    schema: { minimum: 0 },
    parse: (value, context) => (value === 0 || value === '0' ? 0 : parameter.parse(value, context)),
  };
}

/** Creates the field of links from an event. A write without new links drops those that lead nowhere. */
export function linkField<Schema extends TSchema>(
  kind: LinkedKind,
  description: string,
  schema: Schema,
  onNull = (parameter: Parameter<LinkRequest[]>) => parameter,
) {
  return {
    ...field(onNull(links(kind, description)), {
      store: (requests: LinkRequest[] | undefined, before: readonly Link[] | undefined, write) =>
        requests === undefined ? write.liveLinks(kind, before) : write.links(kind, requests),
      schema,
    }),
    isJoined: true,
  };
}

/** The forms of one link in a document. */
const linkForms = [
  { type: 'integer', description: 'Id.' },
  { type: 'string', description: 'Id, or ids with commas.' },
  { type: 'object', additionalProperties: true, description: '`id`, or the fields of a new record.' },
];

/**
 * Links to venues or organizers: an id as number or text, `{ "id": 5 }`, an object of fields for a new one,
 * arrays of these, or ids with commas. Nothing (`""`, `[]`, null, 0; a list of these) gives no links. Duplicates are dropped.
 */
function links(kind: LinkedKind, description: string): Parameter<LinkRequest[]> {
  return {
    description,
    type: 'array',
    schema: { anyOf: [...linkForms, { type: 'array', items: { anyOf: linkForms } }] },
    parse(value, context) {
      const requests: LinkRequest[] = [];
      for (const item of itemsOf(value)) {
        const request = parseLink(kind, item, context);
        if (request instanceof InvalidValue) return request;
        requests.push(request);
      }
      return withoutDuplicates(requests);
    },
  };
}

function itemsOf(value: unknown): unknown[] {
  if (isNothing(value)) return [];
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? value.split(',').map((item) => item.trim()) : [value];
}

function parseLink(kind: LinkedKind, item: unknown, context: CalendarContext): LinkRequest | InvalidValue {
  const isObject = typeof item === 'object' && item !== null;
  const ref: unknown = isObject ? (item as { id?: unknown }).id : item;
  if (isObject && isNothing(ref)) return parseNew(kind, item, context);
  const id = idOf(ref);
  return id === undefined || !isLinkable(kind, id, context)
    ? new InvalidValue(`must be the id of an existing ${kind}, or an object with the fields of a new one`)
    : { id };
}

/** Checks whether a record may be linked to: the caller may read it, or it is linked to already. */
function isLinkable(kind: LinkedKind, id: number, { replica, caller, before }: CalendarContext): boolean {
  const entry = replica.posts[kind].get(id);
  if (entry === undefined || entry.status === 'trash') return false;
  return mayRead(caller, entry) || before?.[kind]?.some((link) => linkedId(link) === id) === true;
}

function parseNew(kind: LinkedKind, item: object, context: CalendarContext): LinkRequest | InvalidValue {
  try {
    const ofNew = { ...context, before: undefined };
    return { values: parseFields(contactParameters[kind], { ...item }, ofNew, { isCreate: true }) };
  } catch (error) {
    if (isCodedError(error) && error.kind === 'invalid')
      return new InvalidValue(`must be a complete ${kind}: ${error.message}`);
    throw error;
  }
}

function withoutDuplicates(requests: readonly LinkRequest[]): LinkRequest[] {
  const ids = requests.map((request) => ('id' in request ? request.id : undefined));
  return requests.filter((_, index) => ids[index] === undefined || ids.indexOf(ids[index]) === index);
}
