/** Stores the pages of a site in a file: an interrupted run resumes its longest list, and no page has to stay in memory. */

import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { defaultLimits, type Limits, mebibytes } from './limits.ts';
import type { SiteResponse, SourceSite } from './site.ts';

/** Milliseconds after which the pages of an interrupted run are discarded. */
const maxAge = 6 * 60 * 60_000;
const chunkBytes = 1 << 20;
const lineFeed = 0x0a;

interface Place {
  readonly offset: number;
  readonly length: number;
}

/** A site whose pages are stored. */
export interface StoredPages {
  readonly site: SourceSite;
  /** Pages of the list of events that an earlier run has read, which was interrupted. What they have may have changed since. */
  readonly resumed: number;
  /** Checks whether a page is one of an earlier run. */
  isResumed(path: string, query: Readonly<Record<string, string>>): boolean;
  /** Forgets the pages of an earlier run, so that they are read again. */
  forget(): void;
  /** Returns a page that was read. */
  page(path: string, query: Readonly<Record<string, string>>): SiteResponse;
  /** Keeps the pages from the next run, since all of them were read. */
  complete(): void;
  /** Removes the pages of a completed run. */
  done(): void;
}

/** The list of which pages are resumed: the longest. All others are read again. */
const resumedPath = '/events';

/**
 * Stores the replies of a site in a file, and answers repeated requests from it. Pages of an earlier run are those of the list of events, as
 * everybody sees it: only of that another list says what has changed since.
 */
export function storePages(
  site: SourceSite,
  file: string,
  { siteBytes }: Pick<Limits, 'siteBytes'> = defaultLimits,
): StoredPages {
  mkdirSync(dirname(file), { recursive: true });
  removeOldPages(dirname(file));
  const places = existsSync(file) ? readPlaces(file) : new Map<string, Place>();
  let size = existsSync(file) ? statSync(file).size : 0;
  for (const key of places.keys())
    if (site.isSignedIn || (JSON.parse(key) as readonly string[])[1] !== resumedPath) places.delete(key);
  const resumed = new Set(places.keys());
  let complete: number | undefined;
  let buffer = Buffer.alloc(chunkBytes);
  const keyOf = (path: string, query: Readonly<Record<string, string>>) =>
    JSON.stringify([site.root, path, query]);

  function read({ offset, length }: Place): SiteResponse {
    const descriptor = complete ?? openSync(file, 'r');
    try {
      // One buffer for all pages: memory of buffers is returned late.
      if (buffer.length < length) buffer = Buffer.alloc(2 * length);
      readSync(descriptor, buffer, 0, length, offset);
      return JSON.parse(buffer.toString('utf8', 0, length)) as SiteResponse;
    } finally {
      if (descriptor !== complete) closeSync(descriptor);
    }
  }

  function add(key: string, response: SiteResponse): void {
    // An interrupted run may have ended in the middle of a line.
    const start = Buffer.from(`\n${key}\n`);
    const text = Buffer.from(JSON.stringify(response));
    if (size + text.length > siteBytes)
      throw new Error(
        `Cannot read ${site.root}: its pages have more than ${mebibytes(siteBytes)}. Nothing was written.`,
      );
    // Replies may have private records.
    appendFileSync(file, Buffer.concat([start, text, Buffer.from('\n')]), { mode: 0o600 });
    places.set(key, { offset: size + start.length, length: text.length });
    size += start.length + text.length + 1;
  }

  return {
    resumed: resumed.size,
    isResumed: (path, query) => resumed.has(keyOf(path, query)),
    forget() {
      for (const key of resumed) places.delete(key);
      resumed.clear();
    },
    site: {
      ...site,
      async get(path, query = {}) {
        const key = keyOf(path, query);
        const place = places.get(key);
        if (place !== undefined) return read(place);
        const response = await site.get(path, query);
        // A page of the web server is no reply: the next run asks again.
        if (response.met === undefined) add(key, response);
        return response;
      },
    },
    page(path, query) {
      const place = places.get(keyOf(path, query));
      if (place === undefined) throw new TypeError(`The page ${path} must have been read.`);
      return read(place);
    },
    complete() {
      if (size === 0) return;
      // Without a name it is gone with the process, however that ends: the next run reads anew.
      complete = openSync(file, 'r');
      rmSync(file);
    },
    done() {
      if (complete !== undefined) closeSync(complete);
      complete = undefined;
    },
  };
}

/** Removes pages that are too old to resume, of all sites, and those that an earlier version has kept after it had read them. */
function removeOldPages(folder: string): void {
  for (const name of readdirSync(folder).filter((name) => /^[0-9a-f]{16}\.jsonl(?:\.read)?$/.test(name))) {
    const file = join(folder, name);
    if (name.endsWith('.read') || Date.now() - statSync(file).mtimeMs > maxAge) rmSync(file, { force: true });
  }
}

/** Returns the places of the stored pages by their keys: the line of a key precedes that of its page. */
function readPlaces(file: string): Map<string, Place> {
  const places = new Map<string, Place>();
  const descriptor = openSync(file, 'r');
  try {
    const chunk = Buffer.alloc(chunkBytes);
    let lineStart = 0;
    let position = 0;
    let key = '';
    for (let bytes = readSync(descriptor, chunk); bytes > 0; bytes = readSync(descriptor, chunk)) {
      for (
        let index = chunk.indexOf(lineFeed);
        index !== -1 && index < bytes;
        index = chunk.indexOf(lineFeed, index + 1)
      ) {
        const end = position + index;
        const place = { offset: lineStart, length: end - lineStart };
        if (key !== '') places.set(key, place);
        key = key === '' ? keyAt(descriptor, place) : '';
        lineStart = end + 1;
      }
      position += bytes;
      chunk.fill(0);
    }
  } finally {
    closeSync(descriptor);
  }
  return places;
}

/** Characters of a key, at most. */
const maxKeyLength = 4_000;

function keyAt(descriptor: number, { offset, length }: Place): string {
  if (length > maxKeyLength) return '';
  const bytes = Buffer.alloc(length);
  readSync(descriptor, bytes, 0, length, offset);
  const text = bytes.toString();
  return text.startsWith('["') ? text : '';
}
