/** What a text finds among the objects of all kinds, and in which order: who types a number means that case. */

import { pageLanguages, words } from '../../common/views/words.ts';
import type { Item } from './object-list.tsx';
import type { Collection } from './record-kinds.ts';

export interface Query {
  readonly collection: Collection;
  readonly conditions: string;
}

export interface FoundItem extends Item {
  readonly collection: Collection;
}

/** The kinds by title, as people look for them. */
const kinds: readonly Collection[] = ['journalized-cases', 'deeds', 'documents', 'diaries'];

/** What people write or paste before a number: the word for a case in each language. */
const beforeNumber = new RegExp(
  `^(${pageLanguages.map((language) => words(language)('kind_journalized-cases')).join('|')})\\s*(?=\\d)`,
  'i',
);

/** Returns a text as the number that it may be: "Sag 2026 / 2" is 2026/2. */
export function numberIn(text: string): string {
  return text
    .trim()
    .replace(beforeNumber, '')
    .replaceAll(/\s*([/-])\s*/g, '$1');
}

/** Returns the lists that a text is looked for in. */
export function queriesFor(text: string): Query[] {
  const number = numberIn(text);
  const query = (collection: Collection, conditions: Readonly<Record<string, string>>): Query => ({
    collection,
    conditions: String(new URLSearchParams(conditions)),
  });
  return [
    ...(number === '' ? [] : [query('journalized-cases', { 'number[startsWith]': number, sort: 'number' })]),
    // The number within its year.
    ...(/^\d+$/.test(number) ? [query('journalized-cases', { 'number[contains]': `/${number}` })] : []),
    ...kinds.map((collection) => query(collection, { 'title[contains]': text.trim() })),
  ];
}

/** Returns what lists have, each object once: those with the number first, then with a number that begins so, then the others as their lists have them. */
export function foundBy(
  text: string,
  lists: readonly { readonly query: Query; readonly items: readonly Item[] }[],
): FoundItem[] {
  const found = new Map<string, FoundItem>();
  for (const { query, items } of lists)
    for (const item of items)
      found.set(`${query.collection}/${item.id}`, { ...item, collection: query.collection });
  const sought = numberIn(text).toLowerCase();
  const rank = ({ number }: Item): number => {
    const written = number?.toLowerCase() ?? '';
    if (written === '' || sought === '') return 4;
    if (written === sought) return 0;
    if (written.endsWith(`/${sought}`)) return 1;
    if (written.startsWith(sought)) return 2;
    return written.includes(`/${sought}`) ? 3 : 4;
  };
  const byNumber = (one: Item, other: Item) =>
    (one.number ?? '').localeCompare(other.number ?? '', 'en', { numeric: true });
  return [...found.values()].sort((one, other) => {
    const ranks = rank(one) - rank(other);
    return ranks !== 0 || rank(one) === 4 ? ranks : byNumber(one, other);
  });
}
