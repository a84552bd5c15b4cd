/** The kinds of objects, each below the one before, and the way from an object up to its diary. */

import { useEffect, useState } from 'preact/hooks';
import { send } from '../../common/browser/api-client.ts';
import type { Values } from '../../common/browser/fields.tsx';
import { records } from '../../common/browser/session.tsx';

export const collections = ['diaries', 'journalized-cases', 'deeds', 'documents'] as const;
export type Collection = (typeof collections)[number];

/** Fields that have the identifier of the object above. */
const parentFields: Readonly<Record<Collection, string | undefined>> = {
  diaries: undefined,
  'journalized-cases': 'diaryId',
  deeds: 'journalizedCaseId',
  documents: 'deedId',
};

/** Checks whether a field is the identifier of the object above. */
export function isParentField(name: string): boolean {
  return Object.values(parentFields).includes(name);
}

/** Returns the collection below another; undefined for that of documents. */
export function collectionBelow(collection: Collection): Collection | undefined {
  return collections[collections.indexOf(collection) + 1];
}

/** Returns the path of an object: `/documents/document-contract`. */
export function pathOf(collection: Collection, id: string): string {
  return `/${collection}/${encodeURIComponent(id)}`;
}

/** Where an object is: its kind and identifier. */
export interface Place {
  readonly collection: Collection;
  readonly id: string;
}

/** Returns the object that stands behind the # of the address: `#documents/document-contract`. No other path is led to, whatever stands there. */
export function placeInAddress(): Place | undefined {
  const [name = '', segment = ''] = location.hash.slice(1).split('/');
  const collection = collections.find((known) => known === name);
  const id = decoded(segment);
  return collection === undefined || ['', '.', '..'].includes(id) ? undefined : { collection, id };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}

/** Returns the object above a record; undefined for a diary, and where a view of a product has none. */
function placeAbove({ collection }: Place, record: Values): Place | undefined {
  const above = collections[collections.indexOf(collection) - 1];
  const id = record[parentFields[collection] ?? ''];
  return above !== undefined && typeof id === 'string' ? { collection: above, id } : undefined;
}

/** An object on the way up. */
export interface Ancestor extends Place {
  readonly path: string;
  /** Path of the list that has it: of a diary, or of those below the object above. Undefined where that is unknown. */
  readonly list: string | undefined;
  readonly record: Values;
}

/** An object and those above it, as far as they are read. */
export interface Lineage {
  /** Path of the object. */
  readonly path: string | undefined;
  /** The object first, its diary last. */
  readonly objects: readonly Ancestor[];
  /** Why the next one cannot be read. */
  readonly failure?: Error;
}

/** Reads an object and those above it; again in each round, after which they are shown as they were until all are read. */
export function useLineage(place: Place | undefined, round: number): Lineage {
  const path = place && pathOf(place.collection, place.id);
  const [lineage, setLineage] = useState<Lineage>({ path, objects: [] });
  useEffect(() => {
    let isLeft = false;
    const show = (newLineage: Lineage) => {
      if (!isLeft) setLineage(newLineage);
    };
    const objects: Ancestor[] = [];
    const isAgain = lineage.path === path && lineage.failure === undefined && lineage.objects.length > 0;
    const read = async () => {
      for (let at = place; at !== undefined && !isLeft; ) {
        const itsPath = pathOf(at.collection, at.id);
        const { value: record } = await send<Values>(records + itsPath);
        const above = placeAbove(at, record);
        const parents = above && `${pathOf(above.collection, above.id)}/${at.collection}`;
        const list = at.collection === 'diaries' ? '/diaries' : parents;
        objects.push({ ...at, path: itsPath, list, record });
        at = above;
        if (!isAgain || at === undefined) show({ path, objects: [...objects] });
      }
    };
    if (!isAgain) show({ path, objects: [] });
    read().catch((failure: Error) => show({ path, objects: [...objects], failure }));
    return () => {
      isLeft = true;
    };
  }, [path, round]);
  // What is left here after a change of the address is of another object.
  return lineage.path === path ? lineage : { path, objects: [] };
}
