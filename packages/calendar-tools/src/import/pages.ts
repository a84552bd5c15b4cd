/** Caches the pages of a site in a file, so that an interrupted run resumes after the last page. */

import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SiteResponse, SourceSite } from './site.ts';

/** Milliseconds after which cached pages are discarded. */
const maxAge = 6 * 60 * 60_000;

interface CachedPage {
  readonly key: string;
  readonly response: SiteResponse;
}

/** A site whose pages are cached. */
export interface CachedPages {
  readonly site: SourceSite;
  /** Pages of an earlier run. */
  readonly resumed: number;
  /** Removes the cached pages after a complete run. */
  done(): void;
}

/** Caches the replies of a site in a file, and answers repeated requests from it. */
export function cachePages(site: SourceSite, file: string): CachedPages {
  if (existsSync(file) && Date.now() - statSync(file).mtimeMs > maxAge) rmSync(file);
  const pages = new Map(readPages(file).map(({ key, response }) => [key, response]));
  mkdirSync(dirname(file), { recursive: true });
  return {
    resumed: pages.size,
    site: {
      root: site.root,
      async get(path, query = {}) {
        const key = JSON.stringify([site.root, path, query]);
        const cachedResponse = pages.get(key);
        if (cachedResponse !== undefined) return cachedResponse;
        const response = await site.get(path, query);
        // Replies may have private records.
        appendFileSync(file, `${JSON.stringify({ key, response })}\n`, { mode: 0o600 });
        return response;
      },
    },
    done: () => rmSync(file, { force: true }),
  };
}

/** Reads the cached pages. An interrupted run may have written half of the last line. */
function readPages(file: string): CachedPage[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as CachedPage];
      } catch (error) {
        if (error instanceof SyntaxError) return [];
        throw error;
      }
    });
}
