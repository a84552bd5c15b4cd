/** The kinds of objects: where each is stored, what it belongs to and which bk-fields it has. */

/** The types of bk-fields (docs/records-contract.md, "bk-fields"). */
export const bkTypes = ['Str', 'Int', 'Date', 'Float'] as const;

export type BkType = (typeof bkTypes)[number];

export interface ObjectKind {
  /** What messages call it. */
  readonly name: string;
  /** Its path segment in the API. */
  readonly collection: string;
  /** Its table; or its view, on the database of an existing product. */
  readonly table: string;
  /** Whether the metadata is read from a view of the customer. */
  readonly isView?: true;
  readonly parent?: KindName;
  /** Fields of the kind, besides title and description. */
  readonly ownFields: readonly string[];
  /** How many bk-fields of each type it has. This table decides which have 30 and which 10. */
  readonly bkCounts: Readonly<Record<BkType, 10 | 30>>;
}

export type KindName = 'diary' | 'journalizedCase' | 'deed' | 'document';

/** Every kind of object, from the top of the hierarchy down. */
export const objectKinds: Readonly<Record<KindName, ObjectKind>> = {
  diary: {
    name: 'diary',
    collection: 'diaries',
    table: 'tDiaries',
    ownFields: ['year'],
    bkCounts: { Str: 10, Int: 10, Date: 10, Float: 10 },
  },
  journalizedCase: {
    name: 'journalized case',
    collection: 'journalized-cases',
    table: 'tJournalizedCases',
    parent: 'diary',
    ownFields: ['number'],
    bkCounts: { Str: 30, Int: 30, Date: 30, Float: 30 },
  },
  deed: {
    name: 'deed',
    collection: 'deeds',
    table: 'tDeeds',
    parent: 'journalizedCase',
    ownFields: [],
    bkCounts: { Str: 10, Int: 10, Date: 10, Float: 10 },
  },
  document: {
    name: 'document',
    collection: 'documents',
    table: 'tDocuments',
    parent: 'deed',
    ownFields: [],
    bkCounts: { Str: 30, Int: 10, Date: 10, Float: 10 },
  },
};

/** Returns a kind whose metadata is read from a view of the customer, such as `vJournalizedCases` in place of `tJournalizedCases`. */
export function asView(kind: ObjectKind): ObjectKind {
  return { ...kind, table: kind.table.replace(/^t/, 'v'), isView: true };
}
