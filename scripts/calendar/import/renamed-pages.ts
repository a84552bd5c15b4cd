/**
 * Pages of records that were renamed in the source before it was imported. WordPress leads from the earlier address to the present one, and
 * lists the earlier ones nowhere: so those that texts link to are asked.
 */

import { comparablePath } from '../../../functions/calendar/model/page-paths.ts';
import { pageReference } from '../../../functions/calendar/model/text/own-pages.ts';
import { isTermKind } from '../../../functions/calendar/model/values.ts';
import { postsOf } from './in-the-way.ts';
import { isFile, linksIn, pageKey, type SourcePages } from './page-links.ts';
import type { SourceSite } from './site.ts';
import { isSameSource, ownAddresses } from './source-name.ts';
import type { Target } from './target.ts';
import type { SourceViews } from './views.ts';

/** Addresses that are asked in one run, at most. */
const maxAsked = 500;

export interface RenamedPages {
  /** The pages of the source, by their earlier addresses too. */
  readonly pages: SourcePages;
  /** Earlier paths by the references of their pages. */
  readonly paths: ReadonlyMap<string, readonly string[]>;
  /** Addresses beyond the bound, which were not asked. */
  readonly unasked: readonly string[];
}

/** Finds the pages that links in texts mean by earlier addresses. What an earlier import has found is not asked again. */
export async function findRenamedPages(
  views: SourceViews,
  source: string,
  pages: SourcePages,
  site: SourceSite,
  { replica }: Target,
): Promise<RenamedPages> {
  const known = new Map<string, string>();
  for (const { kind, id, follows, earlier_paths = [] } of postsOf(replica))
    if (follows !== undefined && isSameSource(follows.source, source))
      for (const path of earlier_paths) known.set(path, pageReference(kind, id));
  const found = new Map(pages);
  const paths = new Map<string, string[]>();
  const unasked: string[] = [];
  let asked = 0;
  for (const url of linksToPages(views, source, pages)) {
    const path = comparablePath(url.pathname);
    let reference = known.get(path);
    if (reference === undefined && asked === maxAsked) unasked.push(url.href);
    else if (reference === undefined) {
      asked += 1;
      const place = await site.movedTo(url.href);
      reference = place === undefined ? undefined : pages.get(pageKey(new URL(place)));
    }
    if (reference === undefined) continue;
    found.set(pageKey(url), reference);
    paths.set(reference, [...(paths.get(reference) ?? []), path]);
  }
  return { pages: found, paths, unasked };
}

/** Returns the addresses in texts that stand where the pages of records do, and are none of theirs: each once. */
function linksToPages(views: SourceViews, source: string, pages: SourcePages): URL[] {
  const isOwn = ownAddresses(source);
  const folders = new Set<string>();
  const links = new Map<string, URL>();
  for (const [kind, view] of views) {
    const page = typeof view['url'] === 'string' ? URL.parse(view['url']) : null;
    if (isTermKind(kind) || page === null) continue;
    folders.add(folderOf(page));
    for (const link of linksIn(view)) {
      const url = URL.parse(link, page);
      if (url === null || !isOwn(url.href) || url.search !== '' || isFile(url)) continue;
      url.hash = '';
      if (!pages.has(pageKey(url))) links.set(pageKey(url), url);
    }
  }
  folders.delete('');
  return [...links.values()].filter((url) => folders.has(folderOf(url)));
}

/** Returns the path above the page of a record; for that of an occurrence, above that of them all. */
function folderOf({ pathname }: URL): string {
  return comparablePath(pathname)
    .replace(/\/\d{4}-\d\d-\d\d(?:\/\d{1,4})?$/, '')
    .replace(/\/?[^/]+$/, '');
}
