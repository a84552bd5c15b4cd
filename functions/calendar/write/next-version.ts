/** The draft of the next version of a published record, and what comes of it on the record as it is now (docs/calendar-contract.md, "Drafts of the next version"). */

import { CodedError } from '../../../shared/errors.ts';
import type { CalendarContext } from '../model/calendar-context.ts';
import { parseFields } from '../model/fields/parameter.ts';
import { postFields } from '../model/fields/posts.ts';
import { type Scope, scopeParameter } from '../model/fields/series.ts';
import { translatedOf } from '../model/fields/table.ts';
import type { AnyPost } from '../model/records.ts';
import { translatedFromAfter, withNotes } from '../model/translated-texts.ts';
import { type Language, languages, type PostKind, type TranslatedFrom } from '../model/values.ts';
import { entryOf, type PostEntry } from '../replica/entries.ts';
import { findPost, type RecordRef, type ReplicaContext } from '../replica/find.ts';
import { publicationAfter } from './dates.ts';
import { type PostValues, postParameters, publishLinked, putPost, writable } from './posts.ts';
import { Write } from './write.ts';

/** Fields that no draft has: they say whose a record is and who sees it, and a password is never stored as it was sent. */
const undraftable = ['author', 'status', 'date', 'date_utc', 'review_note', 'access_password'];

/** Dates mean something together alone. */
const dates = ['start_date', 'end_date', 'timezone', 'all_day'];

type Texts = Readonly<Record<string, unknown>>;

/** A draft, as it is stored. */
export interface NextVersion {
  /** Version of the record that it was begun on. */
  readonly base: number;
  /** When it was changed last, in seconds, and by whom. */
  readonly at: number;
  readonly by: number;
  /** What was sent, by the language of its texts; `default` without one. */
  readonly sent: Readonly<Record<string, Texts>>;
  /** What was stored of each field when it was drafted first, by language and name. */
  readonly before: Texts;
  /** The originals on which its texts in other languages were made, or confirmed: those may be others once it is published. */
  readonly from?: TranslatedFrom;
  /** The dates of the series that it is made to. Default: this one. */
  readonly scope?: Scope;
}

/** What a save adds to a draft. */
export interface DraftAddition {
  /** By the language of its texts; `default` without one. */
  readonly sent: NextVersion['sent'];
  readonly confirmed: unknown;
  readonly scope: Scope | undefined;
}

/** A field that a draft and others have changed, each otherwise. */
export interface DraftConflict {
  readonly field: string;
  readonly language?: Language;
}

/** The names under which a draft has its parts: the default texts, and those of languages. */
export const parts = ['default', ...languages] as const;

const languageOf = (part: string) => languages.find((language) => language === part);
const keyOf = (part: string, name: string) => `${part} ${name}`;

/** Returns what was sent that a draft may have; throws where it has what no draft may have. Texts that were sent with their languages are parts as those of the request are. */
export function draftable(
  kind: PostKind,
  parameters: Texts,
  language: Language | undefined,
  context: CalendarContext,
): DraftAddition {
  const { scope } = kind === 'event' ? parseFields({ scope: scopeParameter }, parameters, context) : {};
  const { translations, confirmed_translations: confirmed, ...fields } = draftableFields(kind, parameters);
  parseFields({ translations: postParameters[kind].translations }, parameters, context);
  const part = language ?? 'default';
  const ofLanguages = (translations ?? {}) as NextVersion['sent'];
  const names = [...new Set([part, ...Object.keys(ofLanguages)])];
  const sent = names.map(
    (name) => [name, { ...(name === part ? fields : {}), ...ofLanguages[name] }] as const,
  );
  return {
    sent: Object.fromEntries(sent.filter(([, texts]) => Object.keys(texts).length > 0)),
    confirmed,
    scope,
  };
}

function draftableFields(kind: PostKind, parameters: Texts): Texts {
  const sent = Object.entries(parameters).filter(([name]) => Object.hasOwn(postParameters[kind], name));
  const refused = sent.filter(([name]) => undraftable.includes(name)).map(([name]) => name);
  if (refused.length > 0)
    throw new CodedError(
      'rest_invalid_param',
      `Cannot save the draft: it cannot have ${refused.join(', ')}.`,
      {
        facts: {
          data: {
            params: Object.fromEntries(refused.map((name) => [name, 'is no part of a draft'])),
            details: [],
          },
        },
      },
    );
  return Object.fromEntries(sent);
}

/** Returns a draft with more fields. */
export function draftWith(
  draft: NextVersion | undefined,
  { sent, confirmed, scope = draft?.scope }: DraftAddition,
  entry: PostEntry,
  by: number,
  context: ReplicaContext,
): NextVersion {
  const { record, version } = entry;
  const added = Object.entries(sent);
  const first = added.flatMap(([part, texts]) =>
    names(texts).map(
      (name) => [keyOf(part, name), storedIn(record, name, languageOf(part)) ?? null] as const,
    ),
  );
  const all = added.map(([part, texts]) => [part, { ...draft?.sent[part], ...texts }] as const);
  const next = {
    base: draft?.base ?? version,
    at: context.now,
    by,
    sent: { ...draft?.sent, ...Object.fromEntries(all) },
    before: { ...Object.fromEntries(first), ...draft?.before },
    ...(scope === undefined ? {} : { scope }),
  };
  const from = originalsOf(draft, next, { sent, confirmed, scope }, entry, context);
  return from === undefined ? next : { ...next, from };
}

/** Returns the originals of the texts that a draft has in other languages: those of what is added are what they are now, with the draft. */
function originalsOf(
  draft: NextVersion | undefined,
  next: NextVersion,
  { sent, confirmed }: DraftAddition,
  entry: PostEntry,
  context: ReplicaContext,
): TranslatedFrom | undefined {
  const { kind } = entry.record;
  const { confirmed_translations: texts = [] } = parseFields(
    { confirmed_translations: postParameters[kind].confirmed_translations },
    { ...(confirmed === undefined ? {} : { confirmed_translations: confirmed }) },
    context,
  );
  const stored = new Map(translatedOf(postFields[kind]).map(([name, sentAs]) => [sentAs, name]));
  const added = languages.flatMap((language) =>
    Object.keys(sent[language] ?? {}).flatMap((name) => {
      const field = stored.get(name);
      return field === undefined ? [] : [[language, field] as const];
    }),
  );
  const named = [...added, ...texts];
  const { record } = tryDraft(entry, next, context);
  const noted = translatedFromAfter(undefined, { ...record, translated_from: undefined }, named);
  return withNotes(draft?.from, noted, named);
}

/** Of one date all are noted. */
function names(sent: Texts): readonly string[] {
  const own = Object.keys(sent);
  return own.some((name) => dates.includes(name)) ? [...new Set([...own, ...dates])] : own;
}

/** Returns what is stored of a field, in a language for a translated text. */
function storedIn(record: AnyPost, name: string, language: Language | undefined): unknown {
  const { storedAs = name, isTranslated = false } = postFields[record.kind][name] ?? {};
  const texts = isTranslated && language !== undefined ? record.translations?.[language] : record;
  return (texts as Texts | undefined)?.[storedAs];
}

export interface Applied {
  readonly record: AnyPost;
  readonly conflicts: readonly DraftConflict[];
}

/** Whose value a field gets that both have changed; undefined: that is left to people. */
export type Resolve = 'mine' | 'theirs' | undefined;

/** Tells what a draft makes of a record, and which of its fields others have changed otherwise. Nothing of it is kept. */
export function tryDraft(before: PostEntry, draft: NextVersion, context: ReplicaContext): Applied {
  let id = Number.MAX_SAFE_INTEGER;
  const record = applied(new Write(context, () => id--), before, draft);
  return { record, conflicts: parts.flatMap((part) => conflictsOf(part, before.record, record, draft)) };
}

/** Returns a draft without the fields that others have changed. */
function withoutConflicts(draft: NextVersion, conflicts: readonly DraftConflict[]): NextVersion {
  const isTheirs = (part: string, name: string) =>
    conflicts.some(({ field, language = 'default' }) => field === name && language === part);
  const sent = Object.entries(draft.sent).map(([part, texts]) => [
    part,
    Object.fromEntries(Object.entries(texts).filter(([name]) => !isTheirs(part, name))),
  ]);
  return { ...draft, sent: Object.fromEntries(sent) };
}

function applied(write: Write, before: PostEntry, { sent, from }: NextVersion): AnyPost {
  const { context } = write;
  const { kind } = before.record;
  let entry = before;
  for (const part of parts) {
    const parameters = sent[part];
    if (parameters === undefined || Object.keys(parameters).length === 0) continue;
    const language = languageOf(part);
    const values = parseFields(postParameters[kind], parameters, {
      ...context,
      language,
      before: entry.record,
    }) as PostValues;
    const record = putPost(write, { kind, before: entry, sent: values, language });
    entry = entryOf(record, before.version, context.now);
  }
  return from === undefined ? entry.record : onOriginals(write, entry.record, before, from);
}

/** Notes the originals on which the texts of a draft were made, where the record has these texts still. */
function onOriginals(write: Write, record: AnyPost, before: PostEntry, from: TranslatedFrom): AnyPost {
  const named = languages.flatMap((language) =>
    Object.keys(from[language] ?? {})
      .filter((field) => record.translations?.[language]?.[field] !== undefined)
      .map((field) => [language, field] as const),
  );
  const noted = withNotes(record.translated_from, from, named);
  const { modified, modified_utc } = publicationAfter(before, {}, write.context);
  const next = { ...record, modified, modified_utc, translated_from: noted } as AnyPost;
  write.put(next);
  return next;
}

/** Returns the fields of a part of a draft that others have changed since, and to other values. */
function conflictsOf(part: string, present: AnyPost, mine: AnyPost, draft: NextVersion): DraftConflict[] {
  const language = languageOf(part);
  const text = (record: AnyPost, name: string) => JSON.stringify(storedIn(record, name, language) ?? null);
  const drafted = names(draft.sent[part] ?? {});
  const isChanged = (name: string) =>
    JSON.stringify(draft.before[keyOf(part, name)] ?? null) !== text(present, name);
  const isOther = (name: string) => text(present, name) !== text(mine, name);
  const areDatesInConflict = drafted.some((name) => dates.includes(name) && isChanged(name));
  return drafted
    .filter((name) => isOther(name) && (dates.includes(name) ? areDatesInConflict : isChanged(name)))
    .map((field) => ({ field, ...(language === undefined ? {} : { language }) }));
}

/** Shows people both values of the fields that are in conflict. */
export type TellConflicts = (
  present: AnyPost,
  mine: AnyPost,
  conflicts: readonly DraftConflict[],
) => readonly object[];

/** A draft that is to be published, of the record that a path names. */
export interface Publication {
  readonly kind: PostKind;
  readonly ref: RecordRef;
  readonly draft: NextVersion;
  readonly resolve: Resolve;
  readonly tell: TellConflicts;
}

/** Decides what a draft makes of the record as it is now. Throws `draft-conflicts` where that is left to people. */
export function publishDraft(write: Write, { kind, ref, draft, resolve, tell }: Publication): AnyPost {
  const lookup = findPost(kind, ref, 'update', write.context);
  const { before } = writable(write, lookup, `update the ${kind}`, lookup.parameters);
  const { record: mine, conflicts } = tryDraft(before, draft, write.context);
  if (conflicts.length > 0 && resolve === undefined)
    throw new CodedError(
      'draft-conflicts',
      `Cannot publish the draft: others have changed the same fields of the ${kind} since.`,
      { facts: { data: { conflicts: tell(before.record, mine, conflicts) } } },
    );
  const record = applied(write, before, resolve === 'theirs' ? withoutConflicts(draft, conflicts) : draft);
  if (record.kind === 'event' && record.status === 'publish') publishLinked(write, record);
  return record;
}
