import { expect, test } from 'vitest';
import { hintOfAbsentKind, servedKinds } from '../../../../../functions/records/operations/served-kinds.ts';
import { readConfig } from '../../../../../shared/config.ts';

const OBJECT_TYPES = 'diaries=2,journalized-cases=3,deeds=4,documents=5';

test.each([
  ['all kinds', 'diaries,journalized-cases,deeds,documents', 4],
  ['a kind without its parent', 'journalized-cases', 0],
  ['kinds without their grandparent', 'journalized-cases,deeds,documents', 0],
  ['a kind with its parents', 'diaries,journalized-cases,deeds', 3],
  ['no kind', 'none', 0],
  ['a view without its parent', 'deeds=view', 1],
  ['a table below a view', 'diaries=view,journalized-cases', 1],
  ['views of all', 'diaries=view,journalized-cases=view,deeds=view,documents=view', 4],
])(
  'OBJECT_METADATA with %s serves the metadata of kinds whose parents it has, too',
  (_, OBJECT_METADATA, count) => {
    const served = servedKinds(readConfig({ OBJECT_TYPES, OBJECT_METADATA }));
    expect([served.kinds.length, served.metadata.length]).toEqual([4, count]);
  },
);

test('a kind is read from its table, or from its view where OBJECT_METADATA says so', () => {
  const { kindOf } = servedKinds(
    readConfig({ OBJECT_TYPES, OBJECT_METADATA: 'diaries,journalized-cases=view' }),
  );
  expect([kindOf('diary'), kindOf('journalizedCase')]).toMatchObject([
    { table: 'tDiaries' },
    { table: 'vJournalizedCases', isView: true },
  ]);
  expect(kindOf('journalizedCase')).toBe(kindOf('journalizedCase'));
});

test.each([
  ['/deeds', 'OBJECT_METADATA'],
  ['/deeds/D-1', 'OBJECT_METADATA'],
  ['/diaries/D-1/journalized-cases', 'OBJECT_METADATA'],
  ['/documents/P-1/custom-data', 'OBJECT_TYPES'],
  ['/documents', 'OBJECT_TYPES'],
  ['/diaries/D-1/colours', undefined],
  ['/deeds/D-1/custom-data/a/b', undefined],
  ['/colours', undefined],
])('a path such as %s has a hint with %s', (path, setting) => {
  const served = servedKinds(
    readConfig({ OBJECT_TYPES: 'diaries=2,journalized-cases=3,deeds=4', OBJECT_METADATA: 'diaries=view' }),
  );
  const hint = hintOfAbsentKind(served, path);
  expect(hint === undefined ? undefined : /OBJECT_[A-Z]+/.exec(hint)?.[0]).toBe(setting);
});
