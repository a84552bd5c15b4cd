import { describe, expect, test } from 'vitest';
import { sample } from '../../../../scripts/mutate/sample.ts';

const hundred = Array.from({ length: 100 }, (_, index) => index);

describe('sample()', () => {
  test('chooses the same items for the same seed, in their order', () => {
    const chosen = sample(hundred, 10, 7);
    expect(chosen).toHaveLength(10);
    expect(chosen).toEqual([...chosen].sort((one, other) => one - other));
    expect(sample(hundred, 10, 7)).toEqual(chosen);
    expect(sample(hundred, 10, 8)).not.toEqual(chosen);
  });

  test('gives all when there are no more', () => {
    expect(sample(hundred, 100, 1)).toEqual(hundred);
    expect(sample(hundred, 200, 1)).toEqual(hundred);
  });
});
