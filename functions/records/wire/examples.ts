/** Examples for the document and the explorer: identifiers of the sample data, and bodies that can be sent as they stand. */

import type { KindName } from '../objects/kinds.ts';

interface ObjectExample {
  readonly id: string;
  /** What a create takes; a change takes it too. */
  readonly body: Readonly<Record<string, unknown>>;
}

const bkFields = { bkStr01: 'north', bkInt01: 42, bkDate01: '2026-12-31', bkFloat01: 1.5 };

export const objectExamples: Readonly<Record<KindName, ObjectExample>> = {
  diary: { id: 'diary-2026', body: { title: 'Municipal office 2027', year: 2027, ...bkFields } },
  journalizedCase: {
    id: 'case-road',
    body: { title: 'Repair of Mill Street', description: 'Two lanes are closed.', ...bkFields },
  },
  deed: { id: 'deed-tender', body: { title: 'Tender', description: 'Call for bids.', ...bkFields } },
  document: { id: 'document-letter', body: { title: 'Answer to the neighbour', ...bkFields } },
};

/** An identifier that every object of the examples has, and that the example of its custom data has too. */
export const customDataIdentifier = 'amounts';

export const customDataExample = {
  remarks: 'Signed by both parties.',
  amounts: { net: 1200.1 },
  tags: ['road'],
};
