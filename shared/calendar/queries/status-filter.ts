/** Which statuses a list shows, and to whom (behaviour sections 3 and 6.2). */

import { type Status, statuses } from '../model/records.ts';
import { has, type KnownCaller, mayList } from '../model/rights.ts';
import { list, refined } from '../parameters/kinds.ts';
import { Unfit } from '../parameters/parameter.ts';
import type { PostEntry } from '../replica/entries.ts';

export const statusFilter = refined(
  list('Post status: one, or several with commas. Others than publish need the right to edit.'),
  (wanted, { caller }): readonly Status[] | Unfit => {
    const known = wanted
      .map((item) => statuses.find((status) => status === item))
      .filter((item) => item !== undefined);
    if (known.length === 0 || known.length < wanted.length)
      return new Unfit(`must be of ${statuses.join(', ')}`);
    if (!has('contributor', caller) && known.some((status) => status !== 'publish'))
      return new Unfit('must be publish without the right to edit');
    return known;
  },
  { type: 'string', schema: {} },
);

/** Tells whether a list shows a record: of the statuses asked for, or of all but trash, those the caller may see. */
export function isShown(
  entry: PostEntry,
  wanted: readonly Status[] | undefined,
  caller: KnownCaller,
): boolean {
  if (wanted === undefined ? entry.status === 'trash' : !wanted.includes(entry.status)) return false;
  return entry.status === 'publish' || mayList(caller, entry);
}

/** The status in effect, as links write it: `any` for those who may edit and did not ask for one. */
export function statusInEffect(wanted: readonly Status[] | undefined, caller: KnownCaller): string {
  return wanted?.join(',') ?? (has('contributor', caller) ? 'any' : 'publish');
}
