/** Which statuses a list shows, and to whom (behaviour sections 3 and 6.2). */

import { InvalidValue, map } from '../model/fields/parameter.ts';
import { list } from '../model/fields/parsers.ts';
import { has } from '../model/rights.ts';
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
