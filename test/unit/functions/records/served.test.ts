import { expect, test } from 'vitest';
import { servedKinds } from '../../../../functions/records/served.ts';
import { readConfig } from '../../../../shared/config.ts';

const OBJECT_TYPES = 'diaries=2,journalized-cases=3,deeds=4,documents=5';

test.each([
  ['all kinds', 'diaries,journalized-cases,deeds,documents', 4],
  ['a kind without its parent', 'journalized-cases', 0],
  ['kinds without their grandparent', 'journalized-cases,deeds,documents', 0],
  ['a kind with its parents', 'diaries,journalized-cases,deeds', 3],
  ['no kind', 'none', 0],
])(
  'OBJECT_METADATA with %s serves the metadata of kinds whose parents it has, too',
  (_, OBJECT_METADATA, count) => {
    const served = servedKinds(readConfig({ OBJECT_TYPES, OBJECT_METADATA }));
    expect([served.kinds.length, served.metadata.length]).toEqual([4, count]);
  },
);
