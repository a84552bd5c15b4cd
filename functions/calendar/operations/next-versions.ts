/** Drafts of the next versions of published records, for those who may edit a record now: nobody else learns that there is one. */

import { hash } from 'node:crypto';
import { CodedError } from '../../../shared/errors.ts';
import type { DraftRow } from '../log/log.ts';
import type { CalendarRequest } from '../model/calendar-context.ts';
import { formatWall } from '../model/dates/wall.ts';
import { parseFields } from '../model/fields/parameter.ts';
import type { Scope } from '../model/fields/series.ts';
import type { AnyPost, EventRecord } from '../model/records.ts';
import { invalidParameter } from '../model/refusals.ts';
import { type Editable, mayWrite } from '../model/rights.ts';
import { loadSanitizer } from '../model/text/html.ts';
import type { Language, PostKind } from '../model/values.ts';
import {
  authorName,
  changesBetween,
  editablePost,
  type FieldChange,
  type HistoryAuthor,
} from '../read/history.ts';
import type { ReadContext, ReadResult } from '../read/read-context.ts';
import { keyOf, type PostEntry } from '../replica/entries.ts';
import type { RecordRef, ReplicaContext } from '../replica/find.ts';
import { mustMatchTag } from '../write/if-match.ts';
import {
  type DraftConflict,
  draftable,
  draftWith,
  type NextVersion,
  publishDraft,
  type Resolve,
  tryDraft,
} from '../write/next-version.ts';
import { postParameters } from '../write/posts.ts';
import type { Write } from '../write/write.ts';
import type { Committed, ReplicaSession } from './replica-session.ts';
import type { SeriesCollection } from './series-collection.ts';

/** A field that the draft and others have changed, with the values of both. */
export interface ToldConflict {
  readonly field: string;
  readonly language?: Language;
  readonly mine: FieldChange['after'];
  readonly theirs: FieldChange['before'];
}

/** A draft, as its editors see it. */
export interface ToldDraft {
  /** Version of the record that it was begun on; absent, as who has written it and when, where there is none. */
  readonly base?: number;
  readonly written?: string;
  readonly by?: HistoryAuthor;
  /** What was sent, by the language of its texts; `default` without one. */
  readonly sent: NextVersion['sent'];
  /** What it would change of the record as it is now. */
  readonly changes: readonly FieldChange[];
  readonly conflicts: readonly ToldConflict[];
  /** The dates of the series that it is made to; absent for this one. */
  readonly scope?: Scope;
  /** Entity tag of the draft. */
  readonly etag: string;
}

interface StoredDraft {
  readonly row: DraftRow;
  readonly draft: NextVersion;
}

/** How often a draft is saved anew where another person has just saved it. */
const maxAttempts = 5;

export class NextVersions {
  readonly #session: ReplicaSession;

  readonly #series: SeriesCollection;

  constructor(session: ReplicaSession, series: SeriesCollection) {
    this.#session = session;
    this.#series = series;
  }

  /** Reads the draft of a record; an empty one where there is none. */
  async read(kind: PostKind, ref: RecordRef, request: CalendarRequest): Promise<ReadResult<ToldDraft>> {
    const { entry } = await this.#editable(kind, ref, request);
    const stored = await this.#stored(entry);
    // The right may have gone while it was read.
    return this.#session.read(request, (context) => {
      const proof = editablePost(kind, ref, context);
      return stored === undefined ? noDraft : told(proof, stored, context);
    });
  }

  /** Adds fields to the draft of a published record, which is begun where there is none. */
  async save(kind: PostKind, ref: RecordRef, request: CalendarRequest): Promise<ReadResult<ToldDraft>> {
    await loadSanitizer();
    const added = draftable(kind, request.parameters, request.language, this.#session.context(request));
    const by = await this.#author(request);
    for (let attempt = 1; ; attempt += 1) {
      const { entry } = await this.#editable(kind, ref, request, (context, present) => {
        mustBePublished(kind, present);
        for (const sent of Object.values(added.sent))
          parseFields(postParameters[kind], sent, { ...context, before: present.record });
        if (added.scope !== undefined && !isOfSeries(present))
          throw invalidParameter('scope', 'must be `this` for an event that is no date of a series');
      });
      const stored = await this.#stored(entry);
      const context = this.#session.context(request);
      mustMatchTag(tagOf(stored?.row), context);
      const draft = draftWith(stored?.draft, added, entry, by, context);
      const isSaved = await this.#rows().put(keyOf(entry.record), JSON.stringify(draft), stored?.row.etag);
      if (isSaved) return this.read(kind, ref, request);
      if (attempt === maxAttempts) throw changedMeanwhile();
    }
  }

  /** Drops the draft of a record, if any. */
  async drop(kind: PostKind, ref: RecordRef, request: CalendarRequest): Promise<ReadResult<ToldDraft>> {
    const { entry } = await this.#editable(kind, ref, request);
    const stored = await this.#stored(entry);
    mustMatchTag(tagOf(stored?.row), this.#session.context(request));
    if (stored !== undefined && !(await this.#rows().remove(keyOf(entry.record), stored.row.etag)))
      throw changedMeanwhile();
    return this.read(kind, ref, request);
  }

  /**
   * Publishes the draft of a record: an ordinary change, decided on the newest version field by field. The draft goes once the change is
   * stored; one that somebody has saved meanwhile stays.
   */
  async publish(
    kind: PostKind,
    ref: RecordRef,
    resolve: Resolve,
    request: CalendarRequest,
  ): Promise<Committed<AnyPost>> {
    const { entry } = await this.#editable(kind, ref, request);
    const { draft, row } = await this.#mustExist(kind, entry);
    mustMatchTag(tagOf(row), this.#session.context(request));
    // The tag is that of the draft; the record may have changed, which is what conflicts are about.
    const { ifMatch: _tags, ifNoneMatch: _others, ...unconditional } = request;
    const decide = (write: Write) =>
      publishDraft(write, {
        kind,
        ref,
        draft,
        resolve,
        tell: (present, mine, conflicts) => toldConflicts(present, mine, conflicts, write.context),
      });
    const { scope = 'this' } = draft;
    const committed =
      scope === 'this'
        ? await this.#session.commit(unconditional, mayWrite(request.caller, kind), decide)
        : await this.#series.spread(ref, scope, unconditional, (write) => decide(write) as EventRecord);
    await this.#rows().remove(keyOf(entry.record), row.etag);
    return committed;
  }

  async #editable(
    kind: PostKind,
    ref: RecordRef,
    request: CalendarRequest,
    check: (context: ReadContext, entry: PostEntry) => void = () => {},
  ): Promise<Editable<PostEntry>> {
    // A draft is parsed as a write is.
    await loadSanitizer();
    const { value } = await this.#session.read(request, (context) => {
      const proof = editablePost(kind, ref, context);
      check(context, proof.entry);
      return proof;
    });
    return value;
  }

  async #author(request: CalendarRequest): Promise<number> {
    const { author } = this.#session.context(request).caller;
    if (author !== undefined) return author;
    const isAllowed = mayWrite(request.caller, 'event');
    return isAllowed ? (await this.#session.commit(request, true, (write) => write.author())).result : 0;
  }

  async #mustExist(kind: PostKind, entry: PostEntry): Promise<StoredDraft> {
    const stored = await this.#stored(entry);
    if (stored === undefined)
      throw new CodedError('no-draft', `Cannot show the draft: the ${kind} has none.`);
    return stored;
  }

  async #stored({ record }: PostEntry): Promise<StoredDraft | undefined> {
    const row = await this.#rows().read(keyOf(record));
    return row && { row, draft: JSON.parse(row.json) as NextVersion };
  }

  #rows() {
    const { drafts } = this.#session;
    if (drafts === undefined) throw new TypeError('The log must keep drafts.');
    return drafts;
  }
}

function mustBePublished(kind: PostKind, { status }: PostEntry): void {
  if (status === 'publish' || status === 'future' || status === 'private') return;
  throw new CodedError(
    'draft-of-unpublished',
    `Cannot save a draft of the next version: the ${kind} is not published. Change it itself.`,
  );
}

const isOfSeries = ({ record }: PostEntry) => record.kind === 'event' && record.series !== undefined;

function changedMeanwhile(): CodedError {
  return new CodedError('precondition-failed', 'Cannot write: somebody has changed the draft meanwhile.');
}

/** Returns the tag of a draft; one also where there is none. */
function tagOf(row: DraftRow | undefined): string {
  return row === undefined ? '"none"' : `"${hash('sha256', row.json, 'base64url').slice(0, 27)}"`;
}

const noDraft: ToldDraft = { sent: {}, changes: [], conflicts: [], etag: tagOf(undefined) };

function told(
  { entry }: Editable<PostEntry>,
  { draft, row }: StoredDraft,
  context: ReplicaContext,
): ToldDraft {
  const { record, conflicts } = tryDraft(entry, draft, context);
  const name = authorName(draft.by, context);
  return {
    base: draft.base,
    written: formatWall(draft.at),
    by: { id: draft.by, ...(name === undefined ? {} : { name }) },
    sent: draft.sent,
    changes: changesBetween(entry.record, record, context),
    conflicts: toldConflicts(entry.record, record, conflicts, context),
    ...(draft.scope === undefined ? {} : { scope: draft.scope }),
    etag: tagOf(row),
  };
}

function toldConflicts(
  present: AnyPost,
  mine: AnyPost,
  conflicts: readonly DraftConflict[],
  context: ReplicaContext,
): ToldConflict[] {
  const changes = changesBetween(present, mine, context);
  return conflicts.map(({ field, language }) => {
    const change = changes.find((one) => one.field === field && one.language === language);
    const { after = null, before = null } = change ?? {};
    return { field, ...(language === undefined ? {} : { language }), mine: after, theirs: before };
  });
}
