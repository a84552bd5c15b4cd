/**
 * The paths of pages of records: the present one, and those under which a page was known before: on the site that a record was imported
 * from, or under a slug that it has no longer.
 */

import type { AnyPost, TermRecord } from './records.ts';

/** Paths that a record keeps, at most: the oldest are forgotten. */
export const maxPaths = 20;
/** Characters of such a path, at most. */
export const maxPathLength = 500;

/** First words of the addresses of pages of records and of their lists. */
export const wordsOfPages: ReadonlySet<string> = new Set(['event', 'venue', 'organizer', 'tag', 'events']);

/** First words of the addresses of the APIs and of the other pages: what is below them is of this service alone. */
const wordsOfService: ReadonlySet<string> = new Set([
  'api',
  'calendar',
  'edit',
  'health',
  'records',
  'swagger',
  'wp-content',
  'wp-json',
]);

/** Checks whether a comparable path is one of this service, and so can be no earlier page of a site. */
export function isOfService(path: string): boolean {
  return wordsOfService.has(path.split('/', 1)[0] ?? '');
}

type WithPage = AnyPost | TermRecord;

/** Returns the path of the page of a record, with slashes at both ends. Its slug is encoded already. */
export function pagePathOf({ kind, slug }: Pick<WithPage, 'kind' | 'slug'>): string {
  return kind === 'category' ? `/events/category/${slug}/` : `/${kind}/${slug}/`;
}

/** Returns a path in the form in which paths are compared and kept: decoded, in lower case, without slashes at its ends. */
export function comparablePath(path: string): string {
  return decoded(path)
    .normalize()
    .toLowerCase()
    .replace(/\/{2,}/g, '/')
    .replace(/^\/|\/$/g, '');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}

/** Returns a record that keeps paths as well, the newest last; its present one is none of them. The same record where nothing changes. */
export function withEarlierPaths<R extends WithPage>(record: R, paths: readonly string[]): R {
  const { earlier_paths: before = [], ...others } = record;
  const present = comparablePath(pagePathOf(record));
  const isKept = (path: string) => path !== '' && path !== present && path.length <= maxPathLength;
  const added = paths.map(comparablePath).filter((path) => !before.includes(path));
  const after = [...new Set([...before, ...added])].filter(isKept).slice(-maxPaths);
  if (after.length === before.length && after.every((path, index) => path === before[index])) return record;
  return (after.length === 0 ? others : { ...others, earlier_paths: after }) as R;
}
