/** Links from an event, as clients write them (behaviour section 10). */

import { isCodedError } from '../../errors.ts';
import { organizerFields, venueFields } from './contact-fields.ts';
import { idOf, isNothing } from './kinds.ts';
import { type Parameter, readParameters, type Surroundings, Unfit, type Values } from './parameter.ts';

type LinkedKind = 'venue' | 'organizer';
interface LinkedFields {
  readonly venue: typeof venueFields;
  readonly organizer: typeof organizerFields;
}
const linkedFields: LinkedFields = { venue: venueFields, organizer: organizerFields };

/** The values of a venue or organizer that is made on the spot. */
export type NewLinked<K extends LinkedKind> = Values<LinkedFields[K]>;

/** A link that was asked for: to a record that exists, or to one to be made. */
export type LinkRequest<K extends LinkedKind> = { readonly id: number } | { readonly values: NewLinked<K> };

/**
 * Reads links to venues or organizers: an id as number or text, `{ "id": 5 }`, an object of fields for a new one,
 * arrays of these, or ids with commas. Nothing (`""`, `[]`, null, 0; a list of these) gives no links. Duplicates are dropped.
 */
export function links<K extends LinkedKind>(kind: K, description: string): Parameter<LinkRequest<K>[]> {
  return {
    description,
    type: 'array',
    schema: { items: { type: 'integer' } },
    read: (value, surroundings) => {
      const requests = itemsOf(value).map((item) => readLink(kind, item, surroundings));
      const unfit = requests.find((request) => request instanceof Unfit);
      return (
        unfit ??
        withoutDuplicates(
          requests.filter((request): request is LinkRequest<K> => !(request instanceof Unfit)),
        )
      );
    },
  };
}

function itemsOf(value: unknown): unknown[] {
  if (isNothing(value)) return [];
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? value.split(',').map((item) => item.trim()) : [value];
}

function readLink<K extends LinkedKind>(
  kind: K,
  item: unknown,
  surroundings: Surroundings,
): LinkRequest<K> | Unfit {
  const isObject = typeof item === 'object' && item !== null;
  const named: unknown = isObject ? (item as { id?: unknown }).id : item;
  if (isObject && isNothing(named)) return readNew(kind, item, surroundings);
  const id = idOf(named);
  const entry = id === undefined ? undefined : surroundings.replica.posts[kind].get(id);
  if (id === undefined || entry === undefined || entry.status === 'trash')
    return new Unfit(`must be the id of an existing ${kind}, or an object with the fields of a new one`);
  return { id };
}

function readNew<K extends LinkedKind>(
  kind: K,
  item: object,
  surroundings: Surroundings,
): LinkRequest<K> | Unfit {
  try {
    const sent = { ...item };
    return {
      values: readParameters(linkedFields[kind], sent, surroundings, { isCreate: true }) as NewLinked<K>,
    };
  } catch (error) {
    if (isCodedError(error) && error.kind === 'invalid')
      return new Unfit(`must be a complete ${kind}: ${error.message}`);
    throw error;
  }
}

function withoutDuplicates<K extends LinkedKind>(requests: readonly LinkRequest<K>[]): LinkRequest<K>[] {
  const ids = requests.map((request) => ('id' in request ? request.id : undefined));
  return requests.filter((_, index) => ids[index] === undefined || ids.indexOf(ids[index]) === index);
}
