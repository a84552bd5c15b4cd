/** One write to the calendar while it is decided: what it reads, and the records it will put and delete. */

import { CodedError } from '../../errors.ts';
import { noteChange } from '../../telemetry/trace.ts';
import type { Decision, TakeId } from '../log/log.ts';
import { checkRecords } from '../log/plan.ts';
import type { CalendarRequest } from '../model/context.ts';
import type { CalendarRecord, ImageRecord, TermRecord } from '../model/records.ts';
import { restoredSlug, slugOf, trashedSlug, uniquePostSlug } from '../model/text/slug.ts';
import type { Language, PostKind, Status, TermKind, Translations } from '../model/values.ts';
import { keyOf, type PostEntry } from '../replica/entries.ts';
import type { ReplicaContext } from '../replica/find.ts';

export class Write {
  readonly context: ReplicaContext;
  readonly takeId: TakeId;
  readonly #puts = new Map<string, CalendarRecord>();
  readonly #deletes: string[] = [];
  #author: number | undefined;

  constructor(context: ReplicaContext, takeId: TakeId) {
    this.context = context;
    this.takeId = takeId;
    this.#author = context.caller.author;
  }

  put(record: CalendarRecord): void {
    this.#puts.set(keyOf(record), record);
    checkRecords(this.#puts.size);
  }

  delete(record: CalendarRecord): void {
    this.#deletes.push(keyOf(record));
  }

  /** Returns the decision with a result, for the log. */
  decision<T>(result: T): Decision<T> {
    const puts = [...this.#puts].map(([key, record]) => ({ key, json: JSON.stringify(record) }));
    return { puts, deletes: this.#deletes, result };
  }

  /** Returns the id of the caller as an author. A user becomes an author on the first write. */
  author(): number {
    const { subject } = this.context.caller;
    if (this.#author === undefined) {
      if (subject === undefined) throw new TypeError('Only a signed-in caller can be an author.');
      this.#author = this.takeId('user');
      this.put({ kind: 'author', id: this.#author, subject });
    }
    return this.#author;
  }

  /** Returns the id of the image of a URL; the same URL is the same image. */
  imageOf(url: string): number {
    const existing =
      this.context.replica.imageWithUrl(url) ?? this.#find('image', (image) => image.url === url);
    if (existing !== undefined) return existing.id;
    const image: ImageRecord = { kind: 'image', id: this.takeId('post'), url };
    this.put(image);
    return image.id;
  }

  /** Returns the first free slug for a post, counting those of this write; the post's own does not count. */
  freeSlug(kind: PostKind, id: number, wanted: string): string {
    const { posts } = this.context.replica;
    return uniquePostSlug(wanted, (slug) => {
      const holder: PostEntry | undefined = posts[kind].withSlug(slug);
      if (holder !== undefined && holder.record.id !== id) return true;
      return this.#find(kind, (other) => other.slug === slug && other.id !== id) !== undefined;
    });
  }

  /** Finds a term among those of the calendar and of this write. */
  findTerm(kind: TermKind, isIt: (term: TermRecord) => boolean): TermRecord | undefined {
    const added = this.#find(kind as 'category', isIt);
    return added ?? this.context.replica.terms.find(kind, isIt);
  }

  #find<K extends CalendarRecord['kind']>(
    kind: K,
    isIt: (record: Extract<CalendarRecord, { readonly kind: K }>) => boolean,
  ): Extract<CalendarRecord, { readonly kind: K }> | undefined {
    for (const record of this.#puts.values()) {
      if (record.kind !== kind) continue;
      const candidate = record as Extract<CalendarRecord, { readonly kind: K }>;
      if (isIt(candidate)) return candidate;
    }
    return undefined;
  }
}

/** Drops what reads the same when it is absent: undefined, `""`, false, 0 and empty lists. */
export function compact<T extends object>(record: { readonly [K in keyof T]: T[K] | undefined }): T {
  const entries = Object.entries(record).filter(
    ([, value]) => Boolean(value) && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(entries) as T;
}

type Texts<Field extends string> = { readonly [F in Field]?: string | undefined };
type TranslatedTexts<Field extends string> = Texts<Field> & {
  readonly translations?: Translations | undefined;
};

/** Returns texts after a write: those in a language stand beside the default ones; those of a new record are its default ones too. */
export function textsAfter<Field extends string>(
  before: TranslatedTexts<Field> | undefined,
  changes: Texts<Field>,
  language: Language | undefined,
  fields: readonly Field[],
): { readonly [F in Field]: string } & { readonly translations: Translations | undefined } {
  const old = picked(before, fields);
  const given = picked(changes, fields);
  const texts = language === undefined || before === undefined ? { ...old, ...given } : old;
  return { ...texts, translations: translationsAfter(before?.translations, given, language) } as never;
}

/** An empty translation is none: the default text shows through again. */
function translationsAfter(
  before: Translations | undefined,
  given: Readonly<Record<string, string | undefined>>,
  language: Language | undefined,
): Translations | undefined {
  if (language === undefined || Object.keys(given).length === 0) return before;
  const translated = Object.entries({ ...before?.[language], ...given }).filter(([, text]) => text !== '');
  return { ...before, [language]: Object.fromEntries(translated) };
}

function picked<Field extends string>(
  texts: Texts<Field> | undefined,
  fields: readonly Field[],
): Texts<Field> {
  const present = fields.filter((field) => texts?.[field] !== undefined);
  return Object.fromEntries(present.map((field) => [field, texts?.[field]])) as Texts<Field>;
}

/** Refuses a write whose `If-Match` does not name the present version (RFC 9110 13.1.1): tags read `"<version>-<digest of the text>"`. A write compares the version only, so that linked records may change. */
export function mustMatch(version: number, { ifMatch }: ReplicaContext): void {
  noteChange({ before: `"${version}"` });
  if (ifMatch === undefined || ifMatch === '*' || ifMatch.some((tag) => versionOf(tag) === version)) return;
  throw new CodedError(
    'precondition-failed',
    'Cannot write: the record has changed since the version that If-Match names.',
  );
}

function versionOf(tag: string): number {
  return Number(/^"(\d+)-/.exec(tag)?.[1] ?? Number.NaN);
}

/** Characters of parameters from which on a write is rehearsed. */
const longWrite = 2_000;

/**
 * Runs the decision of a long write once and discards it, so that its texts are sanitized before its turn; its errors appear in its turn.
 */
export function rehearse({ parameters }: CalendarRequest, decide: (takeId: TakeId) => unknown): void {
  const texts = Object.values(parameters).filter((value) => typeof value === 'string');
  if (texts.reduce((sum, text) => sum + text.length, 0) < longWrite) return;
  let id = Number.MAX_SAFE_INTEGER;
  try {
    decide(() => id--);
  } catch {
    // The replica need not be up to date, or loaded.
  }
}

/** Returns the slug of a record after a write (behaviour sections 9, 13 and 14). It does not follow the title. It goes into the trash with a suffix, so that it is free, and comes back without. */
export function slugAfter(
  write: Write,
  kind: PostKind,
  id: number,
  before: PostEntry | undefined,
  { slug }: { readonly slug?: string },
  title: string,
  status: Status,
): string {
  const given = slug === undefined ? '' : slugOf(slug);
  const current = before === undefined ? slugOf(title) : before.record.slug;
  const wasTrashed = before?.status === 'trash';
  const plain = given || (wasTrashed ? restoredSlug(current) : current) || String(id);
  if (status === 'trash' && !wasTrashed) return write.freeSlug(kind, id, trashedSlug(plain));
  if (status === 'trash' && given === '') return current;
  if (before !== undefined && plain === current) return current;
  return write.freeSlug(kind, id, status === 'trash' ? trashedSlug(plain) : plain);
}
