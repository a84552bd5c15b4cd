/** What operations of records work on at most: the table of docs/records-contract.md, "Limits". */

import type { Bound } from '../../../shared/http/description.ts';

export const bounds = {
  customData: { product: 'bytes of all values of an object', beyond: '500 `reply-too-large`' },
  customDataChange: {
    product:
      'bytes x values of the body: 4 MiB x 100,000; objects of its `REF` values x rows of the source: 2,000 x what one statement may give',
    beyond: '413',
  },
  customDataOfMany: {
    product:
      'objects of a page x bytes of their values: 1,000, of procedures 100; as CSV 2,000,000 cells; by conditions on values or in their order 100,000 objects',
    beyond: '500 `reply-too-large`, 422 `too-many-cells`, `too-many-objects`',
  },
  customDataChangeOfMany: {
    product:
      'objects x values of the body: 1,000 x 100,000, of 4 MiB; objects x rows of the source: 1,000 x what one statement may give',
    beyond: '400, 413',
  },
  object: { product: 'one object x fields: 100; bytes x values of the body: 4 MiB x 100,000', beyond: '413' },
  objects: { product: 'objects of a page x fields: 1,000 x 100', beyond: '400' },
  changes: { product: 'changes of a page: 200', beyond: '400' },
  referenceData: {
    product: 'rows x columns of a list: bytes of one statement',
    beyond: '500 `reply-too-large`',
  },
  catalog: { product: 'names of what there is: rows of one statement', beyond: '500 `reply-too-large`' },
  caller: { product: 'the caller alone', beyond: '' },
} as const satisfies Readonly<Record<string, Bound>>;
