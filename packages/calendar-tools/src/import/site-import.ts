/** Imports the calendar of a site: reads its pages, converts its views, and finds records that the site has no longer. */

import type { CalendarRecord } from '../../../../shared/calendar/model/records.ts';
import type { LinkedKind, PostKind } from '../../../../shared/calendar/model/values.ts';
import { keyOf } from '../../../../shared/calendar/replica/entries.ts';
import { compareViews } from './compare.ts';
import { type ImportOptions, type ImportReport, importRecords } from './import.ts';
import type { Limits } from './limits.ts';
import { PartlyDoneError } from './outcome.ts';
import type { StoredPages } from './pages.ts';
import { idIn, orderOf } from './record.ts';
import { recordsOfView, termOfView, type View } from './records-of-view.ts';
import { section } from './report.ts';
import type { SourceSite } from './site.ts';
import { isOfSource } from './source-name.ts';
import type { Target } from './target.ts';
import { readViews, type SourceViews } from './views.ts';

export interface SiteImportOptions extends ImportOptions {
  /** Address under which the records were imported earlier. Default: the address that is read. */
  readonly source?: string | undefined;
  /** Whether records that the site has no longer are moved to the trash. */
  readonly prunesMissing?: boolean;
  readonly limits: Limits;
}

const postKinds = ['event', 'venue', 'organizer'] as const satisfies readonly PostKind[];

/** Imports the records of a site. Throws before the first write when another record has an id or a slug of the source. */
export async function importSite(
  pages: StoredPages,
  target: Target,
  options: SiteImportOptions,
): Promise<ImportReport> {
  try {
    return await importPages(pages, target, options);
  } finally {
    pages.done();
  }
}

async function importPages(
  pages: StoredPages,
  target: Target,
  options: SiteImportOptions,
): Promise<ImportReport> {
  const { say, limits, prunesMissing = false, isDryRun } = options;
  const { site } = pages;
  const source = sourceOf(options.source ?? site.root);
  say(`Reading ${site.root}`);
  await target.records();
  const views = await readViews(pages, { say, limits }, (seen) =>
    unlistedIds(site, seen, source, target, options),
  );
  pages.complete();
  const { unlisted, missing } = views;
  for (const line of section('Hidden from lists, and read by their ids', unlisted)) say(line);
  const input = recordsOf(views, source, target, say);
  const compare = () => compareViews(views, target.view);
  const report = await importRecords({ ...input, source, compare }, target, options);
  for (const line of section('Deleted in the source', missing)) say(line);
  if (missing.length > 0 && prunesMissing && !isDryRun) await trash(missing, target);
  else if (missing.length > 0)
    say(`They are unchanged here; --prune-missing ${isDryRun ? 'would move' : 'moves'} them to the trash.`);
  return report;
}

/** Returns the address of a source: the origin of a URL. */
function sourceOf(text: string): string {
  const url = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(url)) throw new Error(`--source must be the address of a site, not "${text}".`);
  return new URL(url).origin;
}

/** Yields ids that the lists lack: those of the platform's list, and those of records of an earlier import. */
async function* unlistedIds(
  site: SourceSite,
  seen: ReadonlySet<string>,
  source: string,
  { replica }: Target,
  { limits }: SiteImportOptions,
): AsyncGenerator<readonly [kind: PostKind, id: number]> {
  const requested = new Set<string>();
  const isUnknown = (kind: PostKind, id: number) => {
    const key = `${kind}/${id}`;
    if (seen.has(key) || requested.has(key)) return false;
    requested.add(key);
    return true;
  };
  for await (const id of platformIds(site, limits)) if (isUnknown('event', id)) yield ['event', id];
  for (const kind of postKinds)
    for (const { record, status } of [...replica.posts[kind].values()]) {
      const isVisible = site.isSignedIn ? status !== 'trash' : status === 'publish';
      const subject = replica.author(record.author)?.subject ?? '';
      if (isVisible && isOfSource(subject, source) && isUnknown(kind, record.id)) yield [kind, record.id];
    }
}

/** Yields the ids of the platform's list of events, which has hidden events too. Not every site has the list. */
async function* platformIds(site: SourceSite, limits: Limits): AsyncGenerator<number> {
  const seen = new Set<number>();
  for (let page = 1; page <= limits.pages; page += 1) {
    const query = { _fields: 'id', per_page: '100', page: String(page) };
    const { status, body } = await site.getFromPlatform('/tribe_events', query);
    const before = seen.size;
    for (const item of status === 200 && Array.isArray(body) ? (body as View[]) : []) {
      const id = idIn(item?.['id']);
      if (id === undefined || seen.has(id)) continue;
      seen.add(id);
      yield id;
    }
    if (seen.size === before) return;
  }
}

/** Returns the records of views without duplicates, linked records before events. */
function recordsOf(views: SourceViews, source: string, { context }: Target, say: (line: string) => void) {
  const records = new Map<string, CalendarRecord>();
  const invalid: string[] = [];
  const rejected: string[] = [];
  const hidden = new Set<string>();
  const framed: string[] = [];
  const withoutSlug = new Set<string>();
  const onInvalid = (key: string, error: string) => invalid.push(`${key} ${error}`);
  for (const [kind, view] of views) {
    const key = `${kind}/${Number(view['id'])}`;
    const isTerm = kind === 'category' || kind === 'tag';
    const found = isTerm
      ? [termOfView(kind, view, context, onInvalid)]
      : recordsOfView(kind, view, source, context, onInvalid);
    if (found[0] === undefined || keyOf(found[0]) !== key) rejected.push(`${key}: it has no valid id`);
    for (const record of found) if (record !== undefined) records.set(keyOf(record), record);
    if (kind === 'event' && view['all_day'] === null) hidden.add(key);
    if (/<iframe\b/i.test(String(view['description'] ?? ''))) framed.push(key);
    if (!isTerm && (view['slug'] ?? '') === '') withoutSlug.add(key);
  }
  for (const line of section('Embedded frames (iframe) are removed from', framed)) say(line);
  for (const line of section('Invalid values are left out of', invalid)) say(line);
  const all = withFreeSlugs([...records.values()], withoutSlug, context.replica as Target['replica']);
  return { records: all.sort((a, b) => orderOf(a) - orderOf(b)), rejected, hidden };
}

/** A draft may have no slug: where that of its title is taken, its id is added. */
function withFreeSlugs(
  records: readonly CalendarRecord[],
  withoutSlug: ReadonlySet<string>,
  { posts }: Target['replica'],
): CalendarRecord[] {
  const taken = new Set<string>();
  for (const record of records)
    if ('slug' in record && !withoutSlug.has(keyOf(record))) taken.add(`${record.kind} ${record.slug}`);
  return records.map((record) => {
    if (!('slug' in record) || !withoutSlug.has(keyOf(record))) return record;
    const name = `${record.kind} ${record.slug}`;
    const holder = posts[record.kind as PostKind | LinkedKind].withSlug(record.slug)?.record.id ?? record.id;
    if (!taken.has(name) && holder === record.id) {
      taken.add(name);
      return record;
    }
    return { ...record, slug: `${record.slug}-${record.id}` };
  });
}

/** Moves records to the trash. */
async function trash(keys: readonly string[], target: Target): Promise<void> {
  let done = 0;
  try {
    for (const key of keys) {
      const [kind, id] = key.split('/') as [PostKind, string];
      await target.save(Number(id), { status: 'trash' }, false, kind);
      done += 1;
    }
  } catch (error) {
    throw new PartlyDoneError(`${done} of ${keys.length} deleted records were moved to the trash`, error);
  }
}
