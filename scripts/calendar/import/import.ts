/** Imports records into a calendar under their ids: checks for conflicts, decides each record, and compares both calendars. */

import type { CalendarRecord, ImageRecord } from '../../../functions/calendar/model/records.ts';
import type { PasswordHash } from '../../../functions/calendar/model/values.ts';
import { type RefusedPath, refusedPaths } from '../../../functions/calendar/read/page-places.ts';
import { keyOf, readKey } from '../../../functions/calendar/replica/entries.ts';
import type { DifferenceClass } from './compare.ts';
import { surveyOf } from './consistency.ts';
import type { Draft } from './draft.ts';
import { moveAway, whyInTheWay } from './move-away.ts';
import { PartlyDoneError } from './outcome.ts';
import {
  decideRecord,
  decideWithdrawn,
  type SourceFacts,
  type SourceRecord,
  type Verdict,
  type WithdrawnRecord,
} from './record-decision.ts';
import { section } from './report-file.ts';
import { type IsOwn, isOfSource, isSameSource } from './source-name.ts';
import { decideEach, maxRecords } from './steps.ts';
import type { Target } from './target.ts';

export interface ImportOptions {
  /** Whether the target is a rehearsal, in which nothing is written. */
  readonly isDryRun: boolean;
  readonly say: (line: string) => void;
  /** Whether records of here give up their slugs to those of the source: for a site that moves here. Default: they keep them. */
  readonly takesSlugs?: boolean;
}

/** The records of a site or a file. */
export interface RecordSource {
  /** Address that names the source in the authors of its records. */
  readonly source: string;
  /** Linked records first; they are read several times. */
  readonly records: Iterable<SourceRecord>;
  /** Records that are not imported, with the reason. */
  readonly rejected: readonly string[];
  /** Keys of events with a password in the source, whose other values are complete. */
  readonly withPassword?: ReadonlySet<string>;
  /** Their passwords by the ids of the events, as far as they are known. */
  readonly passwords?: ReadonlyMap<number, string>;
  /** Keys of events with a password in the source, whose other values are hidden. */
  readonly hidden?: ReadonlySet<string>;
  /** Whether these are all records that the source shows. */
  readonly isWhole?: boolean;
  /** Records that the source has withdrawn: they are decided before the first record. */
  readonly withdrawn?: readonly WithdrawnRecord[];
  /** Whether the picture of an address is copied after the records. Default: none is. */
  readonly isToBeCopied?: IsOwn;
  /** Returns the addresses of copied pictures. Default: texts stay as they are. */
  readonly addresses?: (draft: Draft) => ReadonlyMap<string, string>;
  /** Compares the calendar with the source after the writes. */
  readonly compare?: () => readonly DifferenceClass[];
}

/** What an import has done, by what its decisions have stored. */
export interface ImportReport {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly rejected: readonly string[];
  /** Keys of records that differ from the source by what people have changed here, with the fields. */
  readonly changedHere: readonly string[];
  /** Fields that both sides have changed, with both values. They stay as they are here. */
  readonly changedOnBothSides: readonly string[];
  /** Keys of records that people have deleted here. */
  readonly deletedHere: readonly string[];
  /** Keys of records that readers cannot see any more, since the source has withdrawn them. */
  readonly withdrawn: readonly string[];
  /** Keys of records that people have published here after their source had withdrawn them. */
  readonly publishedHere: readonly string[];
  /** Keys of records whose slug in the source is that of a record of here, with the slug. They have another here. */
  readonly yielded: readonly string[];
  /** Keys of records with addresses that they have in the source, and that lead nowhere here. */
  readonly refusedPaths: readonly string[];
  /** Keys of events whose password in the source is not imported. */
  readonly withPassword: readonly string[];
  /** Undefined where no comparison was made. */
  readonly differences: readonly DifferenceClass[] | undefined;
  /** Pictures of which the source has other files by now, by the numbers of their copies. */
  readonly pending: ReadonlyMap<number, ImageRecord>;
}

/** Ids in the message of a conflict. */
const maxListed = 10;
/** Records between two lines of progress. */
const recordsPerLine = 1000;

/** Writes records to a calendar. Throws before the first write when another record has an id or a slug of the source. */
export async function importRecords(
  input: RecordSource,
  target: Target,
  { isDryRun, say, takesSlugs = false }: ImportOptions,
): Promise<ImportReport> {
  await target.records();
  const rejected = [...input.rejected];
  const reject = (key: string, reason: string) => rejected.push(`${key}: ${reason}`);
  const survey = surveyOf(input.records, target.replica, reject);
  const hashes = await hashesOf(input, target);
  const { withPassword = new Set<string>(), hidden = new Set<string>() } = input;
  const facts: SourceFacts = {
    ...survey,
    source: input.source,
    isWhole: input.isWhole ?? false,
    isOwnExport: input.isWhole !== true && isSameSource(input.source, target.context.site.url),
    isFollowing: input.isWhole === true && hasRecordsOf(input.source, target.replica),
    isNoted: hasNotesOf(input.source, target.replica),
    takesSlugs,
    isToBeCopied: input.isToBeCopied ?? (() => false),
    addresses: input.addresses ?? (() => new Map()),
    locked: new Set([...withPassword, ...hidden]),
    hashes,
  };
  const batches = () => batchesOf(input.records, facts);
  const { inTheWay, displaced } = previewOf(batches(), facts, target);
  if (takesSlugs)
    for (const line of section(
      `Slugs that the source takes from records of here (--take-slugs); their pages ${isDryRun ? 'would get' : 'get'} other addresses`,
      displaced,
    ))
      say(line);
  const run = new ImportRun(facts, target, say, isDryRun);
  for (const key of inTheWay) {
    const { kind, id } = readKey(key);
    const holder = target.preview((draft) => draft.get(kind, id));
    const to = await moveAway(key, target);
    const moved = isDryRun ? 'would be moved' : 'moved';
    if (holder !== undefined) say(`${key} ${whyInTheWay(holder)}: ${moved} to ${to}.`);
  }
  await run.withdraw(input.withdrawn ?? []);
  await run.write(batches());
  const { created, changed, unchanged, changedHere } = run;
  say(`${created} new, ${changed} changed, ${unchanged} unchanged, ${changedHere.length} changed here`);
  return {
    ...run.report(),
    refusedPaths: refusedPaths(target.replica)
      .filter(({ record }) => isSameSource(sourceOf(record), input.source))
      .map(({ record, path }) => `${keyOf(record)} (/${path}/)`),
    rejected: [...rejected, ...run.rejected],
    withPassword: [...[...withPassword].filter((key) => !hashes.has(key)), ...hidden],
    differences: isDryRun ? undefined : input.compare?.(),
  };
}

/** Returns the address of the source of a record or series; empty for one that follows none. */
function sourceOf(record: RefusedPath['record']): string {
  return (record.kind === 'series' ? record.imported_from : record.follows?.source) ?? '';
}

/** Returns the hashes of the passwords of events, by the keys of the events. */
async function hashesOf(
  { passwords = new Map() }: RecordSource,
  target: Target,
): Promise<ReadonlyMap<string, PasswordHash>> {
  const hashes = new Map<string, PasswordHash>();
  for (const [id, password] of passwords) hashes.set(`event/${id}`, await target.passwordHash(id, password));
  return hashes;
}

/** Yields the records that can be written, each once, as many as one transaction takes. */
function* batchesOf(
  records: Iterable<SourceRecord>,
  { rejected }: SourceFacts,
): Generator<readonly SourceRecord[]> {
  const seen = new Set<string>();
  let batch: SourceRecord[] = [];
  for (const item of records) {
    const key = `${item.record.kind}/${item.record.id}`;
    if (rejected.has(key) || seen.has(key)) continue;
    seen.add(key);
    batch.push(item);
    if (batch.length < maxRecords) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

interface Preview {
  /** Keys of records that can be moved out of the way of the source. */
  readonly inTheWay: ReadonlySet<string>;
  /** Keys of records that get other slugs. */
  readonly displaced: readonly string[];
}

/** Decides all records without a write. Throws where other records have ids or slugs of the source. */
function previewOf(batches: Iterable<readonly SourceRecord[]>, facts: SourceFacts, target: Target): Preview {
  const found = new Set<string>();
  const conflicts: string[] = [];
  const inTheWay = new Set<string>();
  for (const batch of batches)
    for (const verdict of target.preview((draft) => decideBatch(batch, draft, facts))) {
      const { key, outcome, reason = '', displaced } = verdict;
      if (displaced !== undefined) found.add(displaced);
      if (outcome === 'conflict') conflicts.push(reason === '' ? key : `${key} (${reason})`);
      if (outcome === 'inTheWay') inTheWay.add(reason);
    }
  if (conflicts.length === 0) return { inTheWay, displaced: [...found] };
  throw new Error(
    `Cannot import: other records have the ids or slugs of ${conflicts.length} records: ${conflicts.slice(0, maxListed).join(', ')}${conflicts.length > maxListed ? ', ...' : ''}. ` +
      'Nothing was written. Import into a separate calendar: another CALENDAR_NAME, or --to. Records of this source that were imported under another address of it are known by --source; where the site moves here, --take-slugs gives it the slugs of other records.',
  );
}

function decideBatch(batch: readonly SourceRecord[], draft: Draft, facts: SourceFacts): Verdict[] {
  return batch.map((record) => decideRecord(record, draft, facts));
}

/** Checks whether a calendar has records of a source, and follows it. */
function hasRecordsOf(source: string, replica: Target['replica']): boolean {
  return replica
    .records()
    .some((record: CalendarRecord) => record.kind === 'author' && isOfSource(record.subject, source));
}

/** Checks whether an import has noted what a source has said of a record that is here. */
function hasNotesOf(source: string, replica: Target['replica']): boolean {
  return replica
    .records()
    .some((record) => 'follows' in record && isSameSource(record.follows?.source ?? '', source));
}

/** The decisions of one run, and what they have stored. */
class ImportRun {
  created = 0;
  changed = 0;
  unchanged = 0;
  readonly rejected: string[] = [];
  readonly changedHere: string[] = [];
  readonly #changedOnBothSides: string[] = [];
  readonly #deletedHere: string[] = [];
  readonly #withdrawn: string[] = [];
  readonly #publishedHere: string[] = [];
  readonly #yielded: string[] = [];
  readonly #pending = new Map<number, ImageRecord>();
  readonly #facts: SourceFacts;
  readonly #target: Target;
  readonly #say: (line: string) => void;
  readonly #isDryRun: boolean;
  #decided = 0;
  #withdrawals = 0;

  constructor(facts: SourceFacts, target: Target, say: (line: string) => void, isDryRun: boolean) {
    this.#facts = facts;
    this.#target = target;
    this.#say = say;
    this.#isDryRun = isDryRun;
  }

  report() {
    const { created, changed, unchanged, changedHere } = this;
    return {
      created,
      changed,
      unchanged,
      changedHere,
      changedOnBothSides: this.#changedOnBothSides,
      deletedHere: this.#deletedHere,
      withdrawn: this.#withdrawn,
      publishedHere: this.#publishedHere,
      yielded: this.#yielded,
      pending: this.#pending,
    };
  }

  /** Withdraws what the source has withdrawn. */
  async withdraw(records: readonly WithdrawnRecord[]): Promise<void> {
    await this.#orPartlyDone(async () => {
      await decideEach(records, this.#target, (chunk, draft) =>
        chunk.map((record) => decideWithdrawn(record, draft, this.#facts)),
      ).then((verdicts) => this.#note(verdicts.flat(), true));
    });
  }

  /** Decides and writes the records of the source. */
  async write(batches: Iterable<readonly SourceRecord[]>): Promise<void> {
    let next = recordsPerLine;
    const total = this.#facts.keys.size;
    await this.#orPartlyDone(async () => {
      for (const batch of batches) {
        const verdicts = await decideEach(batch, this.#target, (chunk, draft) =>
          decideBatch(chunk, draft, this.#facts),
        );
        await this.#finish(batch, verdicts.flat());
        this.#decided += batch.length;
        if (this.#decided < next && this.#decided < total) continue;
        next = this.#decided + recordsPerLine;
        if (!this.#isDryRun) this.#say(`written: ${this.#decided} of ${total}`);
      }
    });
  }

  async #finish(batch: readonly SourceRecord[], verdicts: readonly Verdict[]): Promise<void> {
    this.#note(verdicts);
    for (const { key, isToBeCopied, unusedBlobs = [], displaced } of verdicts) {
      if (displaced !== undefined)
        this.#say(
          `${displaced} ${this.#isDryRun ? 'would get' : 'gets'} another slug: the source has given its own to another record.`,
        );
      if (isToBeCopied === true)
        for (const { record } of batch)
          if (record.kind === 'image' && `image/${record.id}` === key) this.#pending.set(record.id, record);
      if (!this.#isDryRun) for (const blob of unusedBlobs) await this.#target.pictures.delete(blob);
    }
  }

  #note(verdicts: readonly Verdict[], isWithdrawal = false): void {
    for (const verdict of verdicts) {
      const { key, outcome, kept, differences, reason } = verdict;
      if (isWithdrawal) this.#withdrawals += outcome === 'changed' ? 1 : 0;
      else if (outcome === 'created' || outcome === 'changed' || outcome === 'unchanged') this[outcome] += 1;
      if (outcome === 'refused') this.rejected.push(`${key}: ${reason}`);
      if (outcome === 'conflict' || outcome === 'inTheWay')
        this.rejected.push(`${key}: another record has its id or slug since the import began; run it again`);
      if (outcome === 'leftOut') this.#deletedHere.push(key);
      if (kept.length > 0) this.changedHere.push(`${key} (${kept.join(', ')})`);
      for (const { field, there, here } of differences)
        this.#changedOnBothSides.push(`${key} ${field}: ${shortened(there)} there, ${shortened(here)} here`);
      if (verdict.yieldedSlug !== undefined) this.#yielded.push(`${key} (${verdict.yieldedSlug})`);
      if (verdict.isWithdrawn === true) this.#withdrawn.push(key);
      if (verdict.isPublishedHere === true) this.#publishedHere.push(key);
    }
  }

  async #orPartlyDone(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const written = this.created + this.changed;
      if (written + this.#withdrawals === 0 || this.#isDryRun) throw error;
      throw new PartlyDoneError(`${written} of ${this.#facts.keys.size} records were written`, error);
    }
  }
}

/** Characters of a value in a report. */
const maxLength = 80;

function shortened(value: unknown): string {
  const text = JSON.stringify(value ?? '');
  return text.length > maxLength ? `${text.slice(0, maxLength)}...` : text;
}
