/**
 * The page of the list of events of a source, whose words are a setting there. It is known from the addresses of categories; of a site without
 * any, from the link to all events on the page of one.
 */

import { comparablePath, maxPathLength } from '../../../functions/calendar/model/page-paths.ts';
import type { SourceSite } from './site.ts';
import { isOfSource, ownAddresses } from './source-name.ts';
import type { Target } from './target.ts';
import type { SourceViews } from './views.ts';

/** The link to all events, in each of the templates that the plugin has. */
const backLink = /\bclass="[^"]*\btribe-events-back\b[^"]*"[^>]*>\s*<a\b[^>]*?\shref="([^"]+)"/i;

/** Paths that are kept of a source, at most. */
const maxKept = 5;

/** Returns the path of the list of a source without categories; undefined where it is not told, or categories tell it. */
export async function listPathOf(
  views: SourceViews,
  source: string,
  site: SourceSite,
): Promise<string | undefined> {
  let page: string | undefined;
  for (const [kind, { url, status = 'publish' }] of views) {
    if (kind === 'category') return undefined;
    if (kind === 'event' && status === 'publish' && typeof url === 'string' && URL.canParse(url))
      page ??= url;
  }
  const isOwn = ownAddresses(source);
  if (page === undefined || !isOwn(page)) return undefined;
  const [, link] = backLink.exec((await site.page(page)) ?? '') ?? [];
  const list = link === undefined ? null : URL.parse(link, page);
  const path = list === null || !isOwn(list.href) ? '' : comparablePath(list.pathname);
  return path === '' || path === 'events' || path.length > maxPathLength ? undefined : path;
}

/** Notes the path of the list of a source with the first of its authors, so that it leads to the list here. */
export async function keepListPath(path: string, source: string, target: Target): Promise<void> {
  await target.decide((draft) => {
    const [author] = draft.replica
      .authors()
      .filter(({ subject }) => isOfSource(subject, source))
      .sort((one, other) => one.id - other.id);
    if (author === undefined || author.list_paths?.at(-1) === path) return;
    const others = (author.list_paths ?? []).filter((other) => other !== path);
    draft.put({ ...author, list_paths: [...others, path].slice(-maxKept) });
  });
}
