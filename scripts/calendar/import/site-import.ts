/** Imports the calendar of a site: reads its pages, converts its views, and finds records that the site has no longer. */

import { formatWall } from '../../../functions/calendar/model/dates/wall.ts';
import type { CalendarRecord } from '../../../functions/calendar/model/records.ts';
import { pageReference } from '../../../functions/calendar/model/text/own-pages.ts';
import { slugWithNumber } from '../../../functions/calendar/model/text/slug.ts';
import type { Digests, ListedKind, PostKind, TermKind } from '../../../functions/calendar/model/values.ts';
import { keyOf } from '../../../functions/calendar/replica/entries.ts';
import { compareViews } from './compare.ts';
import type { Draft } from './draft.ts';
import { fillSeriesOfSite } from './fill-series.ts';
import { withLinkedFrames } from './frames.ts';
import { removeGonePictures } from './gone-pictures.ts';
import { type ImportOptions, type ImportReport, importRecords, type RecordSource } from './import.ts';
import { dryRunLines, listLeft } from './left-behind.ts';
import { type Limits, maxSiteId, mustBeFew } from './limits.ts';
import { keepListPath, listPathOf } from './list-page.ts';
import { readMedia } from './media.ts';
import { Occurrences } from './occurrences.ts';
import { asShownHere, endingLinks, pagesOf, type SourcePages, withReferences } from './page-links.ts';
import type { StoredPages } from './pages.ts';
import { copiedAddresses } from './picture-addresses.ts';
import { importPictures, importTexts } from './pictures.ts';
import { prunedWithoutAsking } from './pruning.ts';
import { idIn } from './record.ts';
import type { WithdrawnRecord } from './record-decision.ts';
import type { RecordStore } from './record-store.ts';
import {
  digestsOfView,
  imageIn,
  recordsOfView,
  termOfView,
  type View,
  withSource,
} from './records-of-view.ts';
import { findRenamedPages } from './renamed-pages.ts';
import type { ListItems } from './report-file.ts';
import type { Wait } from './request.ts';
import type { SiteResponse, SourceSite } from './site.ts';
import { isOfSource, ownAddresses } from './source-name.ts';
import { isCopied } from './source-picture.ts';
import type { Withdrawn } from './standing.ts';
import type { Target } from './target.ts';
import { isHidden, type MaybeUnlisted, nameOf, type ReadViews, readViews } from './views.ts';

export interface SiteImportOptions extends ImportOptions {
  /** Address under which the records were imported earlier. Default: the address that is read. */
  readonly source?: string | undefined;
  /** Whether records that the site has no longer are moved to the trash. */
  readonly prunesMissing?: boolean;
  /** Number of records that may be pruned. Default: 20, or a tenth of those of the source where that is more. */
  readonly pruneAtMost?: number | undefined;
  /** Whether the pictures of the site are copied. */
  readonly copiesPictures?: boolean;
  /** Hosts beside that of the site from which its pictures are copied. */
  readonly picturesFrom?: readonly string[];
  /** Waits for a number of milliseconds. */
  readonly wait?: Wait | undefined;
  readonly limits: Limits;
  readonly list: ListItems;
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
  const { say, list, limits, prunesMissing = false, isDryRun } = options;
  const { site } = pages;
  const source = sourceOf(options.source ?? site.root);
  // Throws now, and not after the writes, where pictures cannot be stored.
  if (options.copiesPictures === true) await target.pictures.read('none');
  say(`Reading ${site.root}`);
  await target.records();
  const modified = pages.resumed > 0 ? await modifiedEvents(site, limits) : undefined;
  if (modified !== undefined) say(`Resuming after ${pages.resumed} pages of the interrupted run`);
  else pages.forget();
  const occurrences = new Occurrences(source, target.replica);
  const guids = new Map<number, string>();
  const views = await readViews(pages, { say, limits, modified, occurrences }, (seen) =>
    unlistedIds(site, seen, source, target, { limits, occurrences, guids }),
  );
  pages.complete();
  list('unlisted', 'Hidden from lists, and read by their ids', views.unlisted);
  list('wholes', 'Recurring events as a whole, of which each date is imported', occurrences.wholes);
  const changing = changingImages(views, target);
  const present = pagesOf(views, formatWall(target.context.now));
  const { pages: sourcePages, ...renamed } = await findRenamedPages(views, source, present, site, target);
  list('unasked', 'Links that may be earlier addresses of records, and were not asked', renamed.unasked);
  const reading = { views, source, pages: sourcePages, guids, earlierPaths: renamed.paths };
  const facts = storeRecords(records, reading, target, options);
  const compare = () =>
    compareViews(views, target.view, copiedAddresses(target), (view) =>
      asShownHere(view, source, sourcePages, target),
    );
  const prunes = prunesMissing && mayPrune(views, source, target, options);
  listWithdrawn(views, { isDryRun, prunesMissing: prunes, say, list });
  const copiesPictures = options.copiesPictures === true;
  const pictureSite = { source, isOwn: ownAddresses(source, options.picturesFrom) };
  const input = {
    ...facts,
    rejected: [...views.unreadPages, ...facts.rejected],
    records,
    source,
    compare,
    isWhole: true,
    ...(copiesPictures ? { isToBeCopied: pictureSite.isOwn } : {}),
    addresses: addressesOf(changing),
    withdrawn: withdrawnRecords(views, prunes),
  };
  const listPath = await listPathOf(views, source, site);
  const report = await importRecords(input, target, options);
  if (listPath !== undefined) await keepListPath(listPath, source, target);
  const series = await fillSeriesOfSite(views.occurrences, source, target);
  if (series.count > 0)
    say(`series: ${series.count}, of ${views.occurrences.size} occurrences of recurring events`);
  list(
    'besideSeries',
    'Occurrences beside their series, which has one on a day and 500 in all',
    series.besides,
  );
  if (isDryRun) {
    if (copiesPictures) for (const line of dryRunLines(records, pictureSite, target)) say(line);
    return report;
  }
  list('linksThatEnd', 'Links to pages that end with the old site', endingLinks(source, target));
  const hasCopies = [...target.replica.images()].some(({ stored }) => stored?.source !== undefined);
  if (!copiesPictures && !hasCopies) return report;
  const media = await readMedia(site, target, limits);
  const { copied, failed } = copiesPictures
    ? await importPictures(pictureSite, media, target, { ...options, pending: report.pending })
    : { copied: 0, failed: [] };
  const { described, differences } = await importTexts(pictureSite, media, target, say);
  if (copiesPictures) say(`pictures: ${copied} copied, ${failed.length} not`);
  if (described > 0) say(`pictures: the texts of ${described} are those of the source`);
  const wait = options.wait;
  await removeGonePictures(pictureSite, target, { prunesMissing, wait, list });
  if (copiesPictures) listLeft(media, pictureSite, target, { say, list });
  return {
    ...report,
    rejected: [...report.rejected, ...failed],
    changedOnBothSides: [...report.changedOnBothSides, ...differences],
  };
}

/** Checks whether records that the source has no longer are moved to the trash. Throws where more would be than may be without asking. */
function mayPrune(
  { gone, unreadPages }: ReadViews,
  source: string,
  { replica }: Target,
  { pruneAtMost, say }: SiteImportOptions,
): boolean {
  if (unreadPages.length > 0) {
    if (gone.length > 0) say('Nothing is pruned in this run, since pages of the site could not be read.');
    return false;
  }
  const posts = postKinds.flatMap((kind) =>
    [...replica.posts[kind].values()].filter(
      ({ record, status }) =>
        status !== 'trash' && isOfSource(replica.author(record.author)?.subject ?? '', source),
    ),
  );
  const terms = replica.terms.all().filter(({ imported_from = '' }) => isOfSource(imported_from, source));
  const total = posts.length + terms.length;
  const allowed = pruneAtMost ?? prunedWithoutAsking(total);
  if (gone.length <= allowed) return true;
  throw new Error(
    `Cannot prune: the source has ${gone.length} of ${total} records no longer, and ${allowed} may go without asking. Nothing was written. ` +
      `Look whether the site is well, and is the same site; then run the import with --prune-at-most ${gone.length}.`,
  );
}

/** Returns what is decided of records that the lists do not have. Those that are gone are pruned where that was asked for. */
function withdrawnRecords({ gone, hidden, locked }: Withdrawn, prunes: boolean): WithdrawnRecord[] {
  const recordsOf = (keys: readonly string[], standing: WithdrawnRecord['standing']) =>
    keys.map((key) => {
      const [kind, id] = key.split('/') as [ListedKind, string];
      return { kind, id: Number(id), standing };
    });
  return [
    ...recordsOf(prunes ? gone : [], 'gone'),
    ...recordsOf(hidden, 'hidden'),
    ...recordsOf(locked, 'locked'),
  ];
}

interface WithdrawnOptions extends Pick<SiteImportOptions, 'isDryRun' | 'say' | 'list'> {
  readonly prunesMissing: boolean;
}

/** Lists the records that are withdrawn. */
function listWithdrawn(
  { gone, hidden, locked, unread }: Withdrawn,
  { isDryRun, prunesMissing, say, list }: WithdrawnOptions,
): void {
  list('deletedThere', 'Deleted in the source', gone);
  if (gone.length > 0 && (isDryRun || !prunesMissing)) {
    const verbs = isDryRun ? ['would move', 'delete'] : ['moves', 'deletes'];
    say(
      `They are unchanged here; --prune-missing ${verbs[0]} them to the trash, and ${verbs[1]} categories and tags.`,
    );
  }
  list('hiddenThere', 'No longer public in the source', [...hidden, ...locked]);
  list('unread', 'Not readable in the source, and unchanged here', unread);
}

/**
 * Returns the address of a source: that before the paths of its API, without the path of WordPress's API. Two sites in folders of one host are
 * two sources.
 */
export function sourceOf(text: string): string {
  const url = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(url)) throw new Error(`--source must be the address of a site, not "${text}".`);
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/(?:\/wp-json)?\/tribe\/events\/v1(?:\/.*)?$/, '').replace(/\/+$/, '');
}

/** Yields ids that the lists lack: those of WordPress's list of events, and those of records of an earlier import. */
async function* unlistedIds(
  site: SourceSite,
  seen: ReadonlySet<string>,
  source: string,
  { replica }: Target,
  { limits, occurrences, guids }: Pick<SiteImportOptions, 'limits'> & Found,
): AsyncGenerator<MaybeUnlisted> {
  const requested = new Set<string>();
  const isUnknown = (kind: ListedKind, id: number) => {
    const key = `${kind}/${id}`;
    if (seen.has(key) || requested.has(key)) return false;
    requested.add(key);
    return true;
  };
  const lists = [
    (query: Query) => site.getFromPlatform('/tribe_events', { ...query, _fields: 'id,guid' }),
    (query: Query) => site.getFromNewerApi('/events', query),
  ];
  for (const list of lists)
    for await (const id of idsIn(list, limits, guids))
      if (isUnknown('event', id)) yield { kind: 'event', id, ...known(occurrences.idBefore(id)) };
  for (const kind of postKinds)
    for (const { record, status } of [...replica.posts[kind].values()]) {
      // What is not public here may well be there for others than this reader.
      const isVisible = site.isSignedIn ? status !== 'trash' : ['publish', 'future'].includes(status);
      const subject = replica.author(record.author)?.subject ?? '';
      if (!isVisible || !isOfSource(subject, source)) continue;
      const id = record.kind === 'event' ? occurrences.idThere(record) : record.id;
      if (id === undefined || isUnknown(kind, id)) yield { kind, id, idHere: record.id };
    }
  for (const kind of termKinds)
    for (const { id, imported_from = '' } of replica.terms.ofKind(kind))
      if (isOfSource(imported_from, source) && isUnknown(kind, id)) yield { kind, id, idHere: id };
}

type Query = Readonly<Record<string, string>>;

/** What a run finds out about events before it decides them. */
interface Found {
  readonly occurrences: Occurrences;
  /** The names of events in feeds of the source, by their ids there. */
  readonly guids: Map<number, string>;
}

/** Returns the name of an event in feeds of WordPress, as its list tells it. */
function guidIn({ guid }: View): string | undefined {
  const { rendered } = (typeof guid === 'object' && guid !== null ? guid : {}) as View;
  return typeof rendered === 'string' && rendered !== ''
    ? rendered.replace(/&(?:amp|#0?38);/g, '&')
    : undefined;
}

const known = (idHere: number | undefined) => (idHere === undefined ? {} : { idHere });

/** Yields the ids of a list of events that has hidden ones too: that of WordPress, and that of the newer API, which has past ones. Not every site has them. */
async function* idsIn(
  list: (query: Query) => Promise<SiteResponse>,
  limits: Limits,
  guids: Map<number, string>,
): AsyncGenerator<number> {
  const seen = new Set<number>();
  for (let page = 1; page <= limits.pages; page += 1) {
    const { status, body } = await list({ per_page: '100', page: String(page) });
    const before = seen.size;
    for (const view of status === 200 && Array.isArray(body) ? (body as View[]) : []) {
      const id = idIn(view?.['id']);
      if (id === undefined || seen.has(id)) continue;
      seen.add(id);
      mustBeFew(seen.size, limits);
      const guid = guidIn(view);
      if (guid !== undefined) guids.set(id, guid);
      yield id;
    }
    if (seen.size === before) return;
  }
}

/** Returns when the events that WordPress lists were changed, by their ids; undefined where the site does not say so of all. */
async function modifiedEvents(
  site: SourceSite,
  limits: Limits,
): Promise<ReadonlyMap<number, string> | undefined> {
  const modified = new Map<number, string>();
  for (let page = 1; page <= limits.pages; page += 1) {
    const query = { per_page: '100', page: String(page), _fields: 'id,modified_gmt' };
    const { status, body } = await site.getFromPlatform('/tribe_events', query);
    if (status === 400 && body['code'] === 'rest_post_invalid_page_number') return modified;
    if (status !== 200 || !Array.isArray(body)) return undefined;
    if (body.length === 0) return modified;
    for (const view of body as View[]) {
      const [id, time] = [idIn(view['id']), view['modified_gmt']];
      if (id === undefined || typeof time !== 'string') return undefined;
      modified.set(id, time.replace('T', ' '));
    }
  }
  return undefined;
}

/** Returns how a decision finds the addresses of copied pictures, without those that change: once for all its records. */
function addressesOf(changing: ReadonlySet<number>): (draft: Draft) => ReadonlyMap<string, string> {
  const known = new WeakMap<Draft, ReadonlyMap<string, string>>();
  return (draft) => {
    const addresses = known.get(draft) ?? copiedAddresses(draft, changing);
    known.set(draft, addresses);
    return addresses;
  };
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
  readonly pages: SourcePages;
  readonly guids: ReadonlyMap<number, string>;
  /** Earlier paths by the references of their pages. */
  readonly earlierPaths: ReadonlyMap<string, readonly string[]>;
}

/** Converts views to records, each once, and stores them. */
function storeRecords(
  records: RecordStore,
  { views, source, pages, guids, earlierPaths }: Reading,
  target: Target,
  { list, limits }: SiteImportOptions,
): Pick<RecordSource, 'rejected' | 'hidden' | 'withPassword' | 'passwords'> {
  const stored = new Set<string>();
  const invalid: string[] = [];
  const rejected: string[] = [];
  const framed: string[] = [];
  const linked: string[] = [];
  const hidden = new Set<string>();
  const withPassword = new Set<string>();
  const slugs = new FreeSlugs(target);
  const onInvalid = (key: string, error: string) => invalid.push(`${key} ${error}`);
  const prepared = (record: CalendarRecord): CalendarRecord =>
    withReferences(withEarlierPaths(record, earlierPaths), source, pages);
  const importedTerm = (kind: TermKind, view: View) => {
    const term = termOfView(kind, view, target.context, onInvalid);
    return term && withSource(term, source, target.replica);
  };
  let count = 0;
  for (const [kind, view] of views) {
    count += 1;
    mustBeFew(count, limits);
    const key = `${kind}/${nameOf(view['id'])}`;
    const occurrence = kind === 'event' ? views.occurrences.get(Number(view['id'])) : undefined;
    const guid = kind === 'event' && occurrence === undefined ? guids.get(Number(view['id'])) : undefined;
    const [record, ...others] =
      kind === 'category' || kind === 'tag'
        ? [importedTerm(kind, view)]
        : recordsOfView(kind, { ...view, guid }, source, target.context, onInvalid).map((item) =>
            withoutPath(item, occurrence?.path),
          );
    if (record === undefined || keyOf(record) !== key) {
      rejected.push(`${key}: its id or a required value is not valid`);
      continue;
    }
    if ([record, ...others].some((item) => item !== undefined && item.id > maxSiteId)) {
      rejected.push(`${key}: an id of it is above ${maxSiteId}`);
      continue;
    }
    const there = digestsOfView(kind, view, record);
    if ((view['slug'] ?? '') === '') slugs.defer({ record, there });
    else records.add({ record: prepared(slugs.taken(record)), there, occurrence });
    for (const other of others) {
      if (other === undefined || stored.has(keyOf(other))) continue;
      stored.add(keyOf(other));
      records.add({ record: other, there: {} });
    }
    if (kind === 'event' && isHidden(view)) hidden.add(key);
    if (kind === 'event' && views.opened.has(record.id)) withPassword.add(key);
    const description = String(view['description'] ?? '');
    if (/<iframe\b/i.test(description))
      (withLinkedFrames(description) === description ? framed : linked).push(key);
  }
  for (const { record, there } of slugs.deferred()) records.add({ record: prepared(record), there });
  list('framesLost', 'Embedded frames (iframe) are removed from', framed);
  list('framesLinked', 'Embedded frames (iframe) are links now in', linked);
  list('invalidValues', 'Invalid values are left out of', invalid);
  return { rejected, hidden, withPassword, passwords: views.passwords };
}

/** Returns a record with the paths that its page had before the present one. */
function withEarlierPaths(
  record: CalendarRecord,
  paths: ReadonlyMap<string, readonly string[]>,
): CalendarRecord {
  if (!('title' in record)) return record;
  const earlier = paths.get(pageReference(record.kind, record.id)) ?? [];
  return earlier.length === 0
    ? record
    : { ...record, earlier_paths: [...earlier, ...(record.earlier_paths ?? [])] };
}

/** Returns an occurrence without the path of all: that is one of its series. */
function withoutPath(record: CalendarRecord, path: string | undefined): CalendarRecord {
  if (path === undefined || record.kind !== 'event') return record;
  const { earlier_paths = [], ...others } = record;
  const own = earlier_paths.filter((other) => other !== path);
  return own.length === 0 ? others : { ...others, earlier_paths: own };
}

interface UnnamedRecord {
  readonly record: CalendarRecord;
  readonly there: Digests;
}

/** Slugs of records without one in the source, such as drafts: that of the title, with the id where it is taken. */
class FreeSlugs {
  readonly #taken = new Set<string>();
  readonly #deferred: UnnamedRecord[] = [];
  readonly #replica: Target['replica'];

  constructor({ replica }: Target) {
    this.#replica = replica;
  }

  taken(record: CalendarRecord): CalendarRecord {
    if ('slug' in record) this.#taken.add(`${record.kind} ${record.slug}`);
    return record;
  }

  defer(item: UnnamedRecord): void {
    this.#deferred.push(item);
  }

  *deferred(): Generator<UnnamedRecord> {
    for (const { record, there } of this.#deferred) {
      const isFree =
        'slug' in record && !this.#taken.has(`${record.kind} ${record.slug}`) && this.#isFreeHere(record);
      const named =
        isFree || !('slug' in record) ? record : { ...record, slug: slugWithNumber(record.slug, record.id) };
      yield { record: this.taken(named), there };
    }
  }

  #isFreeHere(record: CalendarRecord): boolean {
    if (!('title' in record)) return true;
    const holder = this.#replica.posts[record.kind].withSlug(record.slug)?.record.id;
    return holder === undefined || holder === record.id;
  }
}
