/** The pages of a site that were read, in a file: a run that was interrupted goes on after the last one. */

import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SiteResponse, SourceSite } from './site.ts';

/** Milliseconds after which pages are read anew. */
const maxAge = 6 * 60 * 60_000;

interface CachedPage {
  readonly key: string;
  readonly response: SiteResponse;
}

/** A site whose pages are cached. */
export interface CachedPages {
  readonly site: SourceSite;
  /** Pages that were there from an earlier run. */
  readonly resumed: number;
  /** Forgets the pages: all of them were read and written. */
  done(): void;
}

/** Caches what a site answers in a file, and answers from it what an earlier run has asked. */
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
        const recorded = pages.get(key);
        if (recorded !== undefined) return recorded;
        const response = await site.get(path, query);
        // What is not public may be among it.
        appendFileSync(file, `${JSON.stringify({ key, response })}\n`, { mode: 0o600 });
        return response;
      },
    },
    done: () => rmSync(file, { force: true }),
  };
}

/** The last line may have been cut short. */
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
