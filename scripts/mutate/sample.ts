/** Choosing some of many, the same ones for the same seed. */

/** Returns `size` of the items in their order, chosen by the seed; all of them when there are fewer. */
export function sample<T>(items: readonly T[], size: number, seed: number): T[] {
  const random = generator(seed);
  const order = items.map((_, index) => ({ index, key: random() }));
  const chosen = order.sort((one, other) => one.key - other.key).slice(0, size);
  return chosen
    .map(({ index }) => index)
    .sort((one, other) => one - other)
    .map((index) => items[index] as T);
}

/** The generator mulberry32: numbers from 0 to 1, evenly spread, from 32 bits of state. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
