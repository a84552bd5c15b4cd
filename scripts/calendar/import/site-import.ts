/** Imports the calendar of a site: reads its pages, converts its views, and finds records that the site has no longer. */

import type { CalendarRecord } from '../../../functions/calendar/model/records.ts';
import type { ListedKind, PostKind, TermKind } from '../../../functions/calendar/model/values.ts';
import { keyOf } from '../../../functions/calendar/replica/entries.ts';
import { compareViews } from './compare.ts';
import type { Wait } from './fetch-picture.ts';
import { removeGonePictures } from './gone-pictures.ts';
import { type ImportOptions, type ImportReport, importRecords, type RecordSource } from './import.ts';
import { dryRunLines, leftLines } from './left-behind.ts';
import type { Limits } from './limits.ts';
import { readMedia } from './media.ts';
import { asShownHere, endingLinkLines, pagesOf, type SourcePages, withReferences } from './page-links.ts';
import type { StoredPages } from './pages.ts';
import { copiedAddresses, withCopiedPictures } from './picture-addresses.ts';
import { importPictures, importTexts } from './pictures.ts';
import { isCopied } from './plan.ts';
import { idIn } from './record.ts';
import type { RecordStore } from './record-store.ts';
import { imageIn, recordsOfView, termOfView, type View, withSource } from './records-of-view.ts';
import { section } from './report.ts';
import type { SourceSite } from './site.ts';
import { isOfSource } from './source-name.ts';
import type { Target } from './target.ts';
import { isHidden, nameOf, type ReadViews, readViews } from './views.ts';
import { withdraw, withdrawnLines } from './withdrawn.ts';

export interface SiteImportOptions extends ImportOptions {
  /** Address under which the records were imported earlier. Default: the address that is read. */
  readonly source?: string | undefined;
  /** Whether records that the site has no longer are moved to the trash. */
  readonly prunesMissing?: boolean;
  /** Whether the pictures of the site are copied. */
  readonly copiesPictures?: boolean;
  /** Waits for a number of milliseconds. */
  readonly wait?: Wait | undefined;
  readonly limits: Limits;
}

const postKinds = ['event', 'venue', 'organizer'] as const satisfies readonly PostKind[];
const termKinds = ['category', 'tag'] as const satisfies readonly TermKind[];

/** Imports the records of a site. Throws before the first write when another record has an id or a slug of the source. */
export async function importSite(
  pages: StoredPages,
  records: RecordStore,
  target: Target,
  options: SiteImportOptions,
): Promise<ImportReport> {
  try {
    return await importPages(pages, records, target, options);
  } finally {
    pages.done();
  }
}

async function importPages(
  pages: StoredPages,
  records: RecordStore,
  target: Target,
  options: SiteImportOptions,
): Promise<ImportReport> {
  const { say, limits, prunesMissing = false, isDryRun } = options;
  const { site } = pages;
  const source = sourceOf(options.source ?? site.root);
  // Throws now, and not after the writes, where pictures cannot be stored.
  if (options.copiesPictures === true) await target.pictures.read('none');
  say(`Reading ${site.root}`);
  await target.records();
  const views = await readViews(pages, { say, limits }, (seen) =>
    unlistedIds(site, seen, source, target, options),
  );
  pages.complete();
  for (const line of section('Hidden from lists, and read by their ids', views.unlisted)) say(line);
  const changing = changingImages(views, target);
  const sourcePages = pagesOf(views);
  const facts = storeRecords(
    records,
    { views, source, addresses: copiedAddresses(target, changing), pages: sourcePages },
    target,
    say,
  );
  const compare = () =>
    compareViews(views, target.view, copiedAddresses(target), (view) =>
      asShownHere(view, source, sourcePages, target),
    );
  for (const line of withdrawnLines(views, { isDryRun, prunesMissing })) say(line);
  const input = {
    ...facts,
    records,
    source,
    compare,
    isWhole: true,
    ...(prunesMissing && { leave: () => withdraw(views, target) }),
  };
  const report = await importRecords(input, target, options);
  const copiesPictures = options.copiesPictures === true;
  if (isDryRun) {
    if (copiesPictures) for (const line of dryRunLines(records, source, target)) say(line);
    return report;
  }
  for (const line of endingLinkLines(source, target)) say(line);
  const hasCopies = [...target.replica.images()].some(({ stored }) => stored?.source !== undefined);
  if (!copiesPictures && !hasCopies) return report;
  const media = await readMedia(pages.site, target, limits);
  const { copied, failed } = copiesPictures
    ? await importPictures(source, media, target, options)
    : { copied: 0, failed: [] };
  const described = await importTexts(source, media, target, say);
  if (copiesPictures) say(`pictures: ${copied} copied, ${failed.length} not`);
  if (described > 0) say(`pictures: the texts of ${described} are those of the source`);
  for (const line of await removeGonePictures(source, target, { prunesMissing, wait: options.wait }))
    say(line);
  if (copiesPictures) for (const line of leftLines(media, source, target)) say(line);
  return { ...report, rejected: [...report.rejected, ...failed] };
}

/** Returns the address of a source: the origin of a URL. */
function sourceOf(text: string): string {
  const url = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(url)) throw new Error(`--source must be the address of a site, not "${text}".`);
  return new URL(url).origin;
}

/** Yields ids that the lists lack: those of WordPress's list of events, and those of records of an earlier import. */
async function* unlistedIds(
  site: SourceSite,
  seen: ReadonlySet<string>,
  source: string,
  { replica }: Target,
  { limits }: SiteImportOptions,
): AsyncGenerator<readonly [kind: ListedKind, id: number]> {
  const requested = new Set<string>();
  const isUnknown = (kind: ListedKind, id: number) => {
    const key = `${kind}/${id}`;
    if (seen.has(key) || requested.has(key)) return false;
    requested.add(key);
    return true;
  };
  for await (const id of platformIds(site, limits)) if (isUnknown('event', id)) yield ['event', id];
  for (const kind of postKinds)
    for (const { record, status } of [...replica.posts[kind].values()]) {
      // What is not public here may well be there for others than this reader.
      const isVisible = site.isSignedIn ? status !== 'trash' : ['publish', 'future'].includes(status);
      const subject = replica.author(record.author)?.subject ?? '';
      if (isVisible && isOfSource(subject, source) && isUnknown(kind, record.id)) yield [kind, record.id];
    }
  for (const kind of termKinds)
    for (const { id, imported_from = '' } of replica.terms.ofKind(kind))
      if (isOfSource(imported_from, source) && isUnknown(kind, id)) yield [kind, id];
}

/** Yields the ids of WordPress's list of events (`wp/v2/tribe_events`), which has hidden events too. Not every site has the list. */
async function* platformIds(site: SourceSite, limits: Limits): AsyncGenerator<number> {
  const seen = new Set<number>();
  for (let page = 1; page <= limits.pages; page += 1) {
    const query = { _fields: 'id', per_page: '100', page: String(page) };
    const { status, body } = await site.getFromPlatform('/tribe_events', query);
    const before = seen.size;
    for (const view of status === 200 && Array.isArray(body) ? (body as View[]) : []) {
      const id = idIn(view?.['id']);
      if (id === undefined || seen.has(id)) continue;
      seen.add(id);
      yield id;
    }
    if (seen.size === before) return;
  }
}

/** Returns the ids of copied images of which the source has another file by now. */
function changingImages(views: ReadViews, { context, replica }: Target): ReadonlySet<number> {
  const ids = new Set<number>();
  for (const [, view] of views) {
    const image = imageIn(view['image'], context);
    const current = image && replica.image(image.id);
    if (current?.stored?.source !== undefined && image !== undefined && !isCopied(image, current))
      ids.add(image.id);
  }
  return ids;
}

interface Reading {
  readonly views: ReadViews;
  readonly source: string;
  /** The addresses of copied pictures, with which texts that an earlier import has changed are equal. */
  readonly addresses: ReadonlyMap<string, string>;
  readonly pages: SourcePages;
}

/** Converts views to records, each once, and stores them. */
function storeRecords(
  records: RecordStore,
  { views, source, addresses, pages }: Reading,
  target: Target,
  say: (line: string) => void,
): Pick<RecordSource, 'rejected' | 'hidden' | 'withPassword' | 'passwords'> {
  const stored = new Set<string>();
  const invalid: string[] = [];
  const rejected: string[] = [];
  const framed: string[] = [];
  const hidden = new Set<string>();
  const withPassword = new Set<string>();
  const slugs = new FreeSlugs(target);
  const onInvalid = (key: string, error: string) => invalid.push(`${key} ${error}`);
  const prepared = <R extends CalendarRecord>(record: R): R =>
    withReferences(withCopiedPictures(record, addresses), source, pages);
  const importedTerm = (kind: TermKind, view: View) => {
    const term = termOfView(kind, view, target.context, onInvalid);
    return term && withSource(term, source, target.replica);
  };
  for (const [kind, view] of views) {
    const key = `${kind}/${nameOf(view['id'])}`;
    const [record, ...others] =
      kind === 'category' || kind === 'tag'
        ? [importedTerm(kind, view)]
        : recordsOfView(kind, view, source, target.context, onInvalid);
    if (record === undefined || keyOf(record) !== key) {
      rejected.push(`${key}: its id or a required value is not valid`);
      continue;
    }
    if ((view['slug'] ?? '') === '') slugs.defer(record);
    else records.add(prepared(slugs.taken(record)));
    for (const linked of others) {
      if (linked === undefined || stored.has(keyOf(linked))) continue;
      stored.add(keyOf(linked));
      records.add(linked);
    }
    if (kind === 'event' && isHidden(view)) hidden.add(key);
    if (kind === 'event' && views.opened.has(record.id)) withPassword.add(key);
    if (/<iframe\b/i.test(String(view['description'] ?? ''))) framed.push(key);
  }
  for (const record of slugs.deferred()) records.add(prepared(record));
  for (const line of section('Embedded frames (iframe) are removed from', framed)) say(line);
  for (const line of section('Invalid values are left out of', invalid)) say(line);
  return { rejected, hidden, withPassword, passwords: views.passwords };
}

/** Slugs of records without one in the source, such as drafts: that of the title, with the id where it is taken. */
class FreeSlugs {
  readonly #taken = new Set<string>();
  readonly #deferred: CalendarRecord[] = [];
  readonly #replica: Target['replica'];

  constructor({ replica }: Target) {
    this.#replica = replica;
  }

  taken(record: CalendarRecord): CalendarRecord {
    if ('slug' in record) this.#taken.add(`${record.kind} ${record.slug}`);
    return record;
  }

  defer(record: CalendarRecord): void {
    this.#deferred.push(record);
  }

  *deferred(): Generator<CalendarRecord> {
    for (const record of this.#deferred) {
      const isFree =
        'slug' in record && !this.#taken.has(`${record.kind} ${record.slug}`) && this.#isFreeHere(record);
      yield this.taken(
        isFree || !('slug' in record) ? record : { ...record, slug: `${record.slug}-${record.id}` },
      );
    }
  }

  #isFreeHere(record: CalendarRecord): boolean {
    if (!('title' in record)) return true;
    const holder = this.#replica.posts[record.kind].withSlug(record.slug)?.record.id;
    return holder === undefined || holder === record.id;
  }
}
