import { expect, test } from 'vitest';
import { entityTag, entityTagInSlices } from '../../../../shared/records/entity-tag.ts';

test.each([0, 1])(
  'the entity tag of a long text is that of all its characters, whose pairs begin at %i',
  async (start) => {
    const text = 'a'.repeat(start) + '😀å'.repeat(700_000);
    expect(await entityTagInSlices(text)).toBe(entityTag(text));
  },
);
