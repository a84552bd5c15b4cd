/** What operations of the calendar work on at most: the table of docs/calendar-contract.md, "Limits". */

import type { Bound } from '../../../shared/http/description.ts';

export const bounds = {
  write: {
    product:
      'elements x levels of the HTML of a text: 4,000 x 200; 9 texts of an event in 3 languages; names x characters of a form: 10,000 x 4 MiB',
    beyond: 'its markup is removed, 413',
  },
  list: {
    product:
      'events of a page x bytes of their texts and of what they link to: 50, 16 MiB in all; terms of a filter x events: 16 KiB, each looked up in an index',
    beyond: '`per_page` is lowered to 50, 422 `page-too-large`, 413',
  },
  record: { product: 'one record and what it links to: 99 records', beyond: '400' },
  feed: {
    product: 'events of a page x characters of their descriptions: 1,000, 16 MiB in all',
    beyond: 'the next page; a description ends with "…"',
  },
  series: {
    product: 'dates x characters of an event: 5,000,000, in steps of 84 rows',
    beyond: '400 `series-too-long`',
  },
  changes: { product: 'changes of a page: 1,000', beyond: '400' },
  history: {
    product: 'versions of a page x bytes of a record: 20 x 1 MiB',
    beyond: '`per_page` is lowered to 20',
  },
  users: { product: 'people who have written to the calendar, each once', beyond: '' },
  picture: { product: 'bytes of a picture: 4 MiB', beyond: '413' },
  index: { product: 'routes of the API, described once', beyond: '' },
  page: {
    product: 'entries of the lists of filters: each record once, for all readers together',
    beyond: '',
  },
} as const satisfies Readonly<Record<string, Bound>>;
