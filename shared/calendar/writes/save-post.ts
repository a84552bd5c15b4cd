/** What saving an event, a venue and an organizer have in common. */

import type { ParsedDate } from '../model/dates/parse-date.ts';
import type {
  Language,
  PostKind,
  PostRecord,
  PostText,
  Status,
  TermText,
  Translations,
} from '../model/records.ts';
import { has } from '../model/rights.ts';
import { restoredSlug, slugOf, trashedSlug } from '../model/text/slug.ts';
import type { ImageRequest } from '../parameters/post-fields.ts';
import { notAllowed } from '../problems.ts';
import type { PostEntry } from '../replica/entries.ts';
import { publicationAfter } from './publication.ts';
import type { Write } from './write.ts';

/** The values that a save takes, whatever the kind; `title` is also the name of a venue or organizer. */
export interface PostValues {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly excerpt?: string | undefined;
  readonly slug?: string | undefined;
  readonly author?: number;
  readonly status?: Status;
  readonly date?: ParsedDate;
  readonly date_utc?: ParsedDate;
  readonly image?: ImageRequest;
}

type SavedPost = { readonly [K in keyof PostRecord]: PostRecord[K] | undefined } & Pick<
  PostRecord,
  'id' | 'status'
>;

/** Gives the common part of a record after a write: what is not sent stays as it was. */
export function savePost(
  write: Write,
  kind: PostKind,
  before: PostEntry | undefined,
  values: PostValues,
): SavedPost {
  const id = before?.record.id ?? write.takeId('post');
  const publication = publicationAfter(before, values, write.surroundings);
  return {
    id,
    author: authorAfter(write, before, values),
    ...publication,
    ...textsAfter(before?.record, values, write.language, ['title', 'description', 'excerpt'] as const),
    slug: slugAfter(write, kind, id, before, values, publication.status),
    image: imageAfter(write, before, values),
  };
}

type Texts<Field extends string> = { readonly [F in Field]?: string | undefined };
type TranslatedTexts<Field extends string> = Texts<Field> & {
  readonly translations?: Translations<Field> | undefined;
};

/** Texts in a language stand beside the default ones; those of a new record are its default ones too. */
export function textsAfter<Field extends PostText | TermText>(
  before: TranslatedTexts<Field> | undefined,
  sent: Texts<Field>,
  language: Language | undefined,
  fields: readonly Field[],
): { readonly [F in Field]: string } & { readonly translations: Translations<Field> | undefined } {
  const old = picked(before, fields);
  const given = picked(sent, fields);
  const texts = language === undefined || before === undefined ? { ...old, ...given } : old;
  const translations = translationsAfter(before?.translations, given, language);
  return { ...texts, translations } as never;
}

/** An empty translation is none: the default text shows through again. */
function translationsAfter<Field extends string>(
  before: Translations<Field> | undefined,
  given: Texts<Field>,
  language: Language | undefined,
): Translations<Field> | undefined {
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

function authorAfter(write: Write, before: PostEntry | undefined, { author }: PostValues): number {
  const { caller } = write.surroundings;
  const own = before?.record.author ?? write.author();
  if (author === undefined || author === own) return own;
  if (!has('editor', caller)) throw notAllowed(caller, 'set the author');
  return author;
}

/** The slug does not follow the title. It goes into the trash with a suffix, so that it is free, and comes back without. */
function slugAfter(
  write: Write,
  kind: PostKind,
  id: number,
  before: PostEntry | undefined,
  { title = '', slug }: PostValues,
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

function imageAfter(write: Write, before: PostEntry | undefined, { image }: PostValues): number | undefined {
  if (image === undefined) return before?.record.image;
  if (image === null) return undefined;
  return 'id' in image ? image.id : write.imageOf(image.url);
}
