/** Creating, updating and deleting categories and tags (behaviour sections 10, 12 and 13). */

import { CodedError } from '../../errors.ts';
import type { TermKind, TermRecord } from '../model/records.ts';
import { escapedLine } from '../model/text/sanitize.ts';
import { slugOf, uniqueSlug } from '../model/text/slug.ts';
import { idOf } from '../parameters/kinds.ts';
import type { TermValues } from '../parameters/term-fields.ts';
import { invalidParameter } from '../problems.ts';
import { textsAfter } from './save-post.ts';
import { compact, type Write } from './write.ts';

/** Levels of categories, at the most: addresses of pages name them all. */
const deepest = 50;

/** Puts a new term; its name must be free among tags, or among the categories with its parent (`term_exists`), unless its own slug sets it apart. */
export function createTerm(write: Write, kind: TermKind, values: TermValues): TermRecord {
  mustFit(write, 1, values);
  const twin = twinOf(write, kind, values);
  if (twin !== undefined) throw termExists(twin);
  return putTerm(write, kind, undefined, values, freeTermSlug(write, kind, values));
}

/** Puts a term that stood before with the values sent. A slug that is taken is made unique below a new parent, else refused (`duplicate_term_slug`). */
export function updateTerm(write: Write, term: TermRecord, values: TermValues): TermRecord {
  const { slug = term.slug, parent } = values;
  const { terms } = write.surroundings.replica;
  if (parent !== undefined && terms.withDescendants(term.id).includes(parent))
    throw invalidParameter('parent', 'must not be the category itself or one below it');
  if (parent !== undefined) mustFit(write, terms.heightOf(term.id), values);
  const isTaken =
    slug !== term.slug && write.findTerm(term.kind, (other) => other.slug === slug) !== undefined;
  if (!isTaken) return putTerm(write, term.kind, term, values, slug);
  if (parent !== undefined && parent !== terms.parentOf(term))
    return putTerm(write, term.kind, term, values, freeTermSlug(write, term.kind, values));
  throw new CodedError('duplicate_term_slug', `Cannot save the term: the slug "${slug}" is taken.`);
}

/** Refuses a parent so far down that the levels to be put below it would be too many. */
function mustFit(write: Write, levels: number, { parent = 0 }: TermValues): void {
  if (write.surroundings.replica.terms.depthOf(parent) + levels > deepest)
    throw invalidParameter('parent', `must not lead to more than ${deepest} levels of categories`);
}

/** Deletes a term for good; the children of a category move to its parent. */
export function deleteTerm(write: Write, term: TermRecord): void {
  const { terms } = write.surroundings.replica;
  if (terms.isParent(term.id)) write.put({ ...term, parent: terms.parentOf(term), deleted: true });
  else write.delete(term);
}

/** Gives the ids of terms by slug, name or id, in this order. Unknown names are created, unknown ids are skipped. */
export function termIds(write: Write, kind: TermKind, items: readonly (string | number)[]): number[] {
  const terms = items.map((item) =>
    typeof item === 'string' ? writtenTerm(write, kind, item) : termWithId(write, kind, item),
  );
  return [...new Set(terms.filter((term) => term !== undefined).map(({ id }) => id))];
}

function termWithId(write: Write, kind: TermKind, item: string | number): TermRecord | undefined {
  const id = idOf(item);
  return write.findTerm(kind, (term) => term.id === id);
}

/** A text may be a number, and still the slug or name of a term, such as a year; a number that is neither is an id. */
function writtenTerm(write: Write, kind: TermKind, text: string): TermRecord | undefined {
  const name = escapedLine(text);
  if (name === '') return undefined;
  const slug = slugOf(text);
  const known =
    write.findTerm(kind, (term) => term.slug === slug) ??
    write.findTerm(kind, (term) => isCalled(term, name));
  if (known !== undefined) return known;
  if (Number.isFinite(Number(text))) return termWithId(write, kind, text);
  return putTerm(write, kind, undefined, { name }, freeTermSlug(write, kind, { name }));
}

function putTerm(
  write: Write,
  kind: TermKind,
  before: TermRecord | undefined,
  values: TermValues,
  slug: string,
): TermRecord {
  const { name } = values;
  if (name?.trim() === '')
    throw new CodedError('empty_term_name', 'Cannot save the term: its name is empty.');
  const parent = values.parent ?? (before && write.surroundings.replica.terms.parentOf(before));
  const id = before?.id ?? write.takeId('term');
  const texts = textsAfter(before, values, write.language, ['name', 'description'] as const);
  const record = compact<TermRecord>({
    kind,
    id,
    ...texts,
    slug: slug || String(id),
    parent: kind === 'category' ? parent : undefined,
  });
  write.put(record);
  return record;
}

/** Finds the term that a new one would be a double of. */
function twinOf(write: Write, kind: TermKind, { name = '', slug, parent = 0 }: TermValues) {
  const isBeside = (term: TermRecord) => parentOf(write, term) === parent;
  const namesake = write.findTerm(kind, (term) => isCalled(term, name) && isBeside(term));
  if (namesake === undefined || !slug || namesake.slug === slug) return namesake;
  return write.findTerm(kind, (term) => term.slug === slug && isBeside(term)) && namesake;
}

/** A slug that is taken gets those of the parents behind it, as many as it takes, and then a number that no term has. */
function freeTermSlug(write: Write, kind: TermKind, { slug, name = '', parent = 0 }: TermValues): string {
  const wanted = slug || slugOf(name);
  if (wanted === '' || write.findTerm(kind, (term) => term.slug === wanted) === undefined) return wanted;
  const isTaken = (wanted: string) => termWithSlug(write, wanted) !== undefined;
  const { terms } = write.surroundings.replica;
  let longer = wanted;
  for (let above = terms.get(parent); above && isTaken(longer); above = terms.get(terms.parentOf(above)))
    longer = slugOf(`${longer}-${above.slug}`);
  return uniqueSlug(longer, isTaken);
}

function termWithSlug(write: Write, slug: string): TermRecord | undefined {
  const isIt = (term: TermRecord) => term.slug === slug;
  return write.findTerm('category', isIt) ?? write.findTerm('tag', isIt);
}

function parentOf(write: Write, term: TermRecord): number {
  return write.surroundings.replica.terms.parentOf(term);
}

function isCalled(term: TermRecord, name: string): boolean {
  return term.name.toLowerCase() === name.toLowerCase();
}

function termExists({ id, name }: TermRecord) {
  const message = `Cannot create the term: there is one named "${name}" already.`;
  return new CodedError('term_exists', message, {
    facts: { data: { term_id: id }, additional: { additional_data: [id, id] } },
  });
}
