/** What callers do to categories and tags: rights and values are checked here (docs/calendar-contract.md, "Create", "Update" and "Delete"). */

import { CodedError } from '../../../shared/errors.ts';
import type { TermRequest } from '../model/fields/field.ts';
import { parseFields, type Values } from '../model/fields/parameter.ts';
import { idOf } from '../model/fields/parsers.ts';
import { storedOf } from '../model/fields/table.ts';
import { termFields, termParameters } from '../model/fields/term.ts';
import type { TermRecord } from '../model/records.ts';
import { invalidParameter, notAllowed } from '../model/refusals.ts';
import { mayWrite } from '../model/rights.ts';
import { escapedLine } from '../model/text/html.ts';
import { slugOf, uniqueSlug } from '../model/text/slug.ts';
import type { TermKind } from '../model/values.ts';
import { findTerm, type RecordRef } from '../replica/find.ts';
import type { CalendarReplica } from '../replica/replica.ts';
import { createdBefore, creationOf, currentCreation } from './idempotency.ts';
import { mustMatch } from './if-match.ts';
import { textsAfter } from './translations.ts';
import { omitEmpty, type Write } from './write.ts';

/** Levels of categories, at most: URLs of pages name them all. */
const maxDepth = 50;

type TermValues = Values<typeof termParameters.category>;

/** Creates a category or tag. Its name must be free among tags, or among the categories with its parent (`term_exists`), unless its own slug sets it apart. */
export function createTerm(write: Write, kind: TermKind): TermRecord {
  const { context } = write;
  mustManage(write, kind);
  const values: TermValues = parseFields(termParameters[kind], context.parameters, context, {
    isCreate: true,
  });
  // Known behaviour of a create, which an update does not share: what is sent must say something.
  if (values.description === '') throw invalidParameter('description', 'must be a text that is not empty');
  if (values.parent === 0) throw invalidParameter('parent', 'must be the id of an existing category');
  mustFit(write, 1, values);
  const creation = creationOf(context);
  const earlier = createdBefore(creation, context.replica.terms.ofKind(kind), (term) => term.creation);
  if (earlier !== undefined) {
    write.isReplayed = true;
    return earlier;
  }
  const duplicate = twinOf(write, kind, values);
  if (duplicate !== undefined) throw termExists(duplicate);
  return putTerm(write, kind, undefined, values, freeTermSlug(write, kind, values), creation);
}

/** Updates a category or tag: what is not sent stays as it was. */
export function updateTerm(write: Write, kind: TermKind, ref: RecordRef): TermRecord {
  const { context } = write;
  const term = findTerm(kind, ref, context, context.parameters);
  mustManage(write, kind);
  const values: TermValues = parseFields(termParameters[kind], context.parameters, context);
  mustBeFreeParent(write, term, values);
  const updated = putTerm(write, kind, term, values, slugAfter(write, term, values));
  mustMatch(context.replica.terms.versionOf(term.id), context);
  return updated;
}

/** Deletes a category or tag permanently; the children of a category move to its parent. Returns it as it was. */
export function deleteTerm(write: Write, kind: TermKind, ref: RecordRef): TermRecord {
  const { terms } = write.context.replica;
  const term = findTerm(kind, ref, write.context);
  mustManage(write, kind);
  // Feeds have the names of categories: their events are other ones from then on.
  const isInFeeds = kind === 'category' && terms.countOf(term.id) > 0;
  if (terms.isParent(term.id) || isInFeeds || term.follows !== undefined) write.put(signpostOf(term, terms));
  else write.delete(term);
  mustMatch(terms.versionOf(term.id), write.context);
  return term;
}

/** Returns what remains of a deleted term. */
export function signpostOf(term: TermRecord, terms: CalendarReplica['terms']): TermRecord {
  return { ...term, parent: terms.parentOf(term), deleted: true };
}

function mustManage({ context: { caller } }: Write, kind: TermKind): void {
  if (!mayWrite(caller, kind)) throw notAllowed(caller, `write the ${kind}`);
}

/** Refuses a parent that is the category itself, or stands below it. */
function mustBeFreeParent(write: Write, term: TermRecord, values: TermValues): void {
  const { terms } = write.context.replica;
  const { parent } = values;
  if (parent === undefined) return;
  if (terms.withDescendants(term.id).includes(parent))
    throw invalidParameter('parent', 'must not be the category itself or one below it');
  mustFit(write, terms.heightOf(term.id), values);
}

/** Refuses a parent so far down that the levels to be put below it would be too many. */
function mustFit(write: Write, levels: number, { parent = 0 }: TermValues): void {
  if (write.context.replica.terms.depthOf(parent) + levels > maxDepth)
    throw invalidParameter('parent', `must not lead to more than ${maxDepth} levels of categories`);
}

/** Returns the slug after an update. One that is taken is made unique below a new parent, else refused (`duplicate_term_slug`). */
function slugAfter(write: Write, term: TermRecord, values: TermValues): string {
  const { slug = term.slug, parent } = values;
  const isTaken =
    slug !== term.slug && write.findTerm(term.kind, (other) => other.slug === slug) !== undefined;
  if (!isTaken) return slug;
  if (parent !== undefined && parent !== parentOf(write, term)) return freeTermSlug(write, term.kind, values);
  throw new CodedError('duplicate_term_slug', `Cannot save the term: the slug "${slug}" is taken.`);
}

/** Returns the ids of terms by slug, name or id, in this order. Unknown names are created, unknown ids are skipped. */
export function termIds(write: Write, kind: TermKind, items: readonly TermRequest[]): number[] {
  const terms = items.map((item) => {
    if (typeof item === 'object') return namedTerm(write, kind, escapedLine(item.name));
    return typeof item === 'string' ? writtenTerm(write, kind, item) : termWithId(write, kind, item);
  });
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
  const existing =
    write.findTerm(kind, (term) => term.slug === slug) ??
    write.findTerm(kind, (term) => isCalled(term, name));
  if (existing !== undefined) return existing;
  return Number.isFinite(Number(text)) ? termWithId(write, kind, text) : namedTerm(write, kind, name);
}

/** Returns the term of a name, a new one if there is none; undefined for an empty name. */
function namedTerm(write: Write, kind: TermKind, name: string): TermRecord | undefined {
  if (name === '') return undefined;
  return (
    write.findTerm(kind, (term) => isCalled(term, name)) ??
    putTerm(write, kind, undefined, { name }, freeTermSlug(write, kind, { name }))
  );
}

function putTerm(
  write: Write,
  kind: TermKind,
  before: TermRecord | undefined,
  values: TermValues,
  slug: string,
  creation = currentCreation(before?.creation, write.context.now),
): TermRecord {
  const { name } = values;
  if (name?.trim() === '')
    throw new CodedError('empty_term_name', 'Cannot save the term: its name is empty.');
  const parent = values.parent ?? (before && write.context.replica.terms.parentOf(before));
  const id = before?.id ?? write.takeId('term');
  const { language, site } = write.context;
  const texts = textsAfter(
    before,
    {
      texts: { name, description: values.description },
      language,
      translations: values.translations,
      confirmed: values.confirmed_translations,
      own: site.language,
    },
    ['name', 'description'],
  );
  const computed = omitEmpty({
    kind,
    id,
    ...texts,
    slug: slug || String(id),
    parent: kind === 'category' ? parent : undefined,
    imported_from: before?.imported_from,
    creation,
    follows: before?.follows,
    earlier_paths: before?.earlier_paths,
    shown_since: before?.shown_since,
  });
  const stored = storedOf(termFields[kind], values, { ...before });
  // The table of fields says of which type each member is; the compiler cannot follow it.
  const record = { ...computed, ...stored } as TermRecord;
  write.put(record);
  return record;
}

/** Finds the term that a new term would duplicate. */
function twinOf(write: Write, kind: TermKind, { name = '', slug, parent = 0 }: TermValues) {
  const isBeside = (term: TermRecord) => parentOf(write, term) === parent;
  const namesake = write.findTerm(kind, (term) => isCalled(term, name) && isBeside(term));
  if (namesake === undefined || !slug || namesake.slug === slug) return namesake;
  return write.findTerm(kind, (term) => term.slug === slug && isBeside(term)) && namesake;
}

/**
 * Returns a free slug for a new term. A taken slug is followed by the slugs of the parents, as many as needed, and then by a number that no
 * term has.
 */
function freeTermSlug(write: Write, kind: TermKind, { slug, name = '', parent = 0 }: TermValues): string {
  const baseSlug = slug || slugOf(name);
  if (baseSlug === '' || write.findTerm(kind, (term) => term.slug === baseSlug) === undefined)
    return baseSlug;
  const isTaken = (wanted: string) => termWithSlug(write, wanted) !== undefined;
  const { terms } = write.context.replica;
  let longer = baseSlug;
  let ancestor = terms.get(parent);
  while (ancestor !== undefined && isTaken(longer)) {
    longer = slugOf(`${longer}-${ancestor.slug}`);
    ancestor = terms.get(terms.parentOf(ancestor));
  }
  return uniqueSlug(longer, isTaken);
}

function termWithSlug(write: Write, slug: string): TermRecord | undefined {
  const isIt = (term: TermRecord) => term.slug === slug;
  return write.findTerm('category', isIt) ?? write.findTerm('tag', isIt);
}

function parentOf(write: Write, term: TermRecord): number {
  return write.context.replica.terms.parentOf(term);
}

function isCalled(term: TermRecord, name: string): boolean {
  const [one, other] = [term.name, name].map((text) => text.normalize('NFC').toLowerCase());
  return one === other;
}

function termExists({ id, name }: TermRecord) {
  const message = `Cannot create the term: there is one named "${name}" already.`;
  return new CodedError('term_exists', message, {
    facts: { data: { term_id: id }, additional: { additional_data: [id, id] } },
  });
}
