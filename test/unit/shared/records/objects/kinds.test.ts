import { expect, test } from 'vitest';
import { bkFieldNames } from '../../../../../shared/records/objects/bk-fields.ts';
import { objectKinds } from '../../../../../shared/records/objects/kinds.ts';

test('the kinds of objects are where the databases have them, with the bk-fields that are documented', () => {
  const ten = { Str: 10, Int: 10, Date: 10, Float: 10 };
  expect(objectKinds).toEqual({
    diary: { name: 'diary', collection: 'diaries', table: 'tDiaries', ownFields: ['year'], bkCounts: ten },
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
      bkCounts: ten,
    },
    document: {
      name: 'document',
      collection: 'documents',
      table: 'tDocuments',
      parent: 'deed',
      ownFields: [],
      bkCounts: { Str: 30, Int: 10, Date: 10, Float: 10 },
    },
  });
});

test.each(Object.values(objectKinds))(
  'bkFieldNames() of a $name begin with 01 and leave none out',
  (kind) => {
    const names = bkFieldNames(kind);
    expect(names.slice(0, 2)).toEqual(['bkStr01', 'bkStr02']);
    expect(names).toHaveLength(Object.values(kind.bkCounts).reduce<number>((sum, count) => sum + count, 0));
    expect(names.at(-1)).toBe(`bkFloat${kind.bkCounts.Float}`);
  },
);
