/** Creating, updating and deleting categories and tags (behaviour sections 10, 12 and 13). */

import { idOf } from '../parameters/kinds.ts';
import type { TermValues } from '../parameters/term-fields.ts';
import { invalidParameter, problem } from '../problems.ts';
import type { TermKind, TermRecord } from '../records.ts';
import { escapedText } from '../text/sanitize.ts';
import { slugOf, uniqueSlug } from '../text/slug.ts';
import { textsAfter } from './save-post.ts';
import { compact, type Write } from './write.ts';

/** Puts a new term; its name must be free among tags, or among the categories with its parent (`term_exists`). */
export function createTerm(write: Write, kind: TermKind, values: TermValues): TermRecord {
  const { name = '', parent = 0 } = values;
  const twin = write.findTerm(kind, (term) => isCalled(term, name) && parentOf(write, term) === parent);
  if (twin !== undefined) throw termExists(twin);
  return putTerm(write, kind, undefined, values, freeTermSlug(write, kind, values));
}

/** Puts a term that stood before with the values sent. A slug that is taken is refused (`duplicate_term_slug`). */
export function updateTerm(write: Write, term: TermRecord, values: TermValues): TermRecord {
  const { slug = term.slug, parent } = values;
  if (write.findTerm(term.kind, (other) => other.slug === slug && other.id !== term.id) !== undefined)
    throw problem('invalid', 'duplicate_term_slug', `Cannot save the term: the slug "${slug}" is taken.`);
  const { terms } = write.surroundings.replica;
  if (parent !== undefined && terms.withDescendants(term.id).includes(parent))
    throw invalidParameter('parent', 'must not be the category itself or one below it');
  return putTerm(write, term.kind, term, values, slug);
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
  const name = escapedText(text).trim();
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
    throw problem('invalid', 'empty_term_name', 'Cannot save the term: its name is empty.');
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

/** A slug that is taken gets that of the parent behind it, and then a number. */
function freeTermSlug(write: Write, kind: TermKind, { slug, name = '', parent = 0 }: TermValues): string {
  const isTaken = (wanted: string) => write.findTerm(kind, (term) => term.slug === wanted) !== undefined;
  const wanted = slug || slugOf(name);
  const above = write.surroundings.replica.terms.get(parent);
  if (wanted === '' || !isTaken(wanted) || above === undefined)
    return wanted === '' ? '' : uniqueSlug(wanted, isTaken);
  return uniqueSlug(`${wanted}-${above.slug}`, isTaken);
}

function parentOf(write: Write, term: TermRecord): number {
  return write.surroundings.replica.terms.parentOf(term);
}

function isCalled(term: TermRecord, name: string): boolean {
  return term.name.toLowerCase() === name.toLowerCase();
}

function termExists({ id, name }: TermRecord) {
  const message = `Cannot create the term: there is one named "${name}" already.`;
  return problem('invalid', 'term_exists', message, { term_id: id }, { additional_data: [id, id] });
}
