/** The draft of the next version of a published record, and what comes of it on the record as it is now (docs/calendar-contract.md, "Drafts of the next version"). */

import { CodedError } from '../../../shared/errors.ts';
import { parseFields } from '../model/fields/parameter.ts';
import { postFields } from '../model/fields/posts.ts';
import type { AnyPost } from '../model/records.ts';
import { type Language, languages, type PostKind } from '../model/values.ts';
import { entryOf, type PostEntry } from '../replica/entries.ts';
import { findPost, type RecordRef, type ReplicaContext } from '../replica/find.ts';
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

/** Returns what was sent that a draft may have; throws where it has what no draft may have. */
export function draftable(kind: PostKind, parameters: Texts): Texts {
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
  sent: Texts,
  language: Language | undefined,
  { record, version }: PostEntry,
  { at, by }: Pick<NextVersion, 'at' | 'by'>,
): NextVersion {
  const part = language ?? 'default';
  const first = Object.fromEntries(
    names(sent).map((name) => [keyOf(part, name), storedIn(record, name, language) ?? null]),
  );
  return {
    base: draft?.base ?? version,
    at,
    by,
    sent: { ...draft?.sent, [part]: { ...draft?.sent[part], ...sent } },
    before: { ...first, ...draft?.before },
  };
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
  const record = applied(new Write(context, () => id--), before, draft.sent);
  return { record, conflicts: parts.flatMap((part) => conflictsOf(part, before.record, record, draft)) };
}

/** Returns what was sent without the fields that others have changed. */
function withoutConflicts({ sent }: NextVersion, conflicts: readonly DraftConflict[]): NextVersion['sent'] {
  const isTheirs = (part: string, name: string) =>
    conflicts.some(({ field, language = 'default' }) => field === name && language === part);
  return Object.fromEntries(
    Object.entries(sent).map(([part, texts]) => [
      part,
      Object.fromEntries(Object.entries(texts).filter(([name]) => !isTheirs(part, name))),
    ]),
  );
}

function applied(write: Write, before: PostEntry, sent: NextVersion['sent']): AnyPost {
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
  return entry.record;
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

/** Decides what a draft makes of the record as it is now. Throws `draft-conflicts` where that is left to people; `tell` tells them both values. */
export function publishDraft(
  write: Write,
  kind: PostKind,
  ref: RecordRef,
  draft: NextVersion,
  resolve: Resolve,
  tell: (present: AnyPost, mine: AnyPost, conflicts: readonly DraftConflict[]) => readonly object[],
): AnyPost {
  const lookup = findPost(kind, ref, 'update', write.context);
  const { before } = writable(write, lookup, `update the ${kind}`, lookup.parameters);
  const { record: mine, conflicts } = tryDraft(before, draft, write.context);
  if (conflicts.length > 0 && resolve === undefined)
    throw new CodedError(
      'draft-conflicts',
      `Cannot publish the draft: others have changed the same fields of the ${kind} since.`,
      { facts: { data: { conflicts: tell(before.record, mine, conflicts) } } },
    );
  const sent = resolve === 'theirs' ? withoutConflicts(draft, conflicts) : draft.sent;
  const record = applied(write, before, sent);
  if (record.kind === 'event' && record.status === 'publish') publishLinked(write, record);
  return record;
}
