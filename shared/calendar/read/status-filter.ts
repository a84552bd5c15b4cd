/** Which statuses a list shows, and to whom (behaviour sections 3 and 6.2). */

import { InvalidValue, map } from '../model/fields/parameter.ts';
import { list } from '../model/fields/parsers.ts';
import { has, type KnownCaller, mayList, type Owned } from '../model/rights.ts';
import { type Status, statuses } from '../model/values.ts';

export const statusFilter = map(
  list('Post status: one, or several with commas. Others than publish need the right to edit.'),
  (wanted, { caller }): readonly Status[] | InvalidValue => {
    const found = wanted
      .map((item) => statuses.find((status) => status === item))
      .filter((item) => item !== undefined);
    if (found.length < wanted.length || (found.length === 0 && !has('contributor', caller)))
      return new InvalidValue(`must be of ${statuses.join(', ')}`);
    if (!has('contributor', caller) && found.some((status) => status !== 'publish'))
      return new InvalidValue('must be publish without the right to edit');
    return found;
  },
  { type: 'string', schema: {} },
);

/** Checks whether a list shows a record: of the statuses asked for, or of all but trash, those the caller may see. */
export function isShown(entry: Owned, wanted: readonly Status[] | undefined, caller: KnownCaller): boolean {
  if (!mayShow(entry.status, wanted)) return false;
  return entry.status === 'publish' || mayList(caller, entry);
}

/** Checks whether a list shows records of a status at all: it is among those asked for, or all but trash are. */
function mayShow(status: Status, wanted: readonly Status[] | undefined): boolean {
  return isAny(wanted) ? status !== 'trash' : wanted.includes(status);
}

/** Returns the status in effect, as links write it: `any` for those who may edit and did not ask for one. */
export function statusInEffect(wanted: readonly Status[] | undefined, caller: KnownCaller): string {
  if (!isAny(wanted)) return wanted.join(',');
  return has('contributor', caller) ? 'any' : 'publish';
}

/** Those who may edit may leave the status empty, which asks for none. */
function isAny(wanted: readonly Status[] | undefined): wanted is readonly [] | undefined {
  return wanted === undefined || wanted.length === 0;
}
