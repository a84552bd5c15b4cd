/** The change feed: which records changed after a version of the calendar, and whether the caller can read them now. */

import { extension, InvalidValue, map, optional, type Parameter } from '../model/fields/parameter.ts';
import { positiveInteger, text } from '../model/fields/parsers.ts';
import { mayRead } from '../model/rights.ts';
import type { Kind } from '../model/values.ts';
import { readKey } from '../replica/entries.ts';
import { readPicture } from './picture-lists.ts';
import type { ReadContext } from './read-context.ts';

/** Changes of a page without `per_page`. */
const defaultChanges = 100;
/** Changes of a page, at most. */
const maxChanges = 1_000;

const version: Parameter<number> = {
  description: 'Version after which changes are listed: `version` of the reply before; 0 for all.',
  type: 'integer',
  schema: { minimum: 0 },
  parse: (value) =>
    /^\d{1,15}$/.test(String(value)) ? Number(value) : new InvalidValue('must be a whole number, 0 or above'),
};

export const changeParameters = {
  since: optional(0, extension(version)),
  history: extension(text('`history` of the reply before: tells whether its versions still count.')),
  per_page: optional(
    defaultChanges,
    extension(
      map(positiveInteger(`Changes of a page; above ${maxChanges} is lowered to ${maxChanges}.`), (value) =>
        Math.min(value, maxChanges),
      ),
    ),
  ),
};

/** Kinds of records that the feed names. */
export type ChangedKind = Exclude<Kind, 'author' | 'series'>;

export interface VisibleChange {
  readonly kind: ChangedKind;
  readonly id: number;
  readonly version: number;
  /** Whether the caller cannot read the record: it is deleted, in the trash, or not for them. */
  readonly removed: boolean;
}

export interface ChangePage {
  readonly changes: readonly VisibleChange[];
  /** Version up to which the page is complete. */
  readonly version: number;
  /** Version of the calendar. */
  readonly latest: number;
}

/** Lists the changes after a version, as the caller sees the records now. Each record comes once, with its last change. */
export function listChanges(since: number, maxItems: number, context: ReadContext): ChangePage {
  const { replica } = context;
  const latest = replica.changes.version;
  const changes: VisibleChange[] = [];
  for (const { key, version } of replica.changes.since(since)) {
    const { kind, id } = readKey(key);
    // A change of a series is one of its events.
    if (kind === 'author' || kind === 'series') continue;
    changes.push({ kind, id, version, removed: !isVisible(kind, id, context) });
    if (changes.length === maxItems) return { changes, version, latest };
  }
  return { changes, version: Math.max(since, latest), latest };
}

/** Checks whether a caller can read a record. Records in the trash are removed for all. */
function isVisible(kind: ChangedKind, id: number, context: ReadContext): boolean {
  const { replica, caller } = context;
  if (kind === 'image') return readPicture(id, context) !== undefined;
  if (kind === 'category' || kind === 'tag') return replica.terms.get(id, kind) !== undefined;
  const entry = replica.posts[kind].get(id);
  return entry !== undefined && entry.status !== 'trash' && mayRead(caller, entry);
}
