/** Property-based tests. */
import fc from 'fast-check';

/**
 * Properties are tried with the same values each time, so that a run says something about the change under test. `PROPERTY_RUNS=100 npm
 * test` is a longer search: a hundred times as many values, from a random seed. A failure prints its seed, and becomes a separate case
 * beside the property.
 */
const factor = Number(process.env['PROPERTY_RUNS'] ?? 1);
fc.configureGlobal({ numRuns: 100 * factor, ...(factor === 1 && { seed: 1 }) });

/** The number of tries of a property, larger in a longer search. */
export function runs(count: number): { numRuns: number } {
  return { numRuns: count * factor };
}

/** The halves of surrogate pairs, which are no characters. */
const surrogates = { first: 0xd800, count: 0x800 };
const character = fc.nat(0x10_ff_ff - surrogates.count).map(
  (index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count),
  (text) => {
    const [only = '', ...more] = String(text);
    const code = only.codePointAt(0);
    if (code === undefined || more.length > 0) throw new RangeError('This is not one character.');
    return code < surrogates.first ? code : code - surrogates.count;
  },
);

/** Returns texts of any characters: those of `fc.string({ unit: 'binary' })`, which fills a map with all that there are first, and takes a second for it. */
export function anyText(constraints: { readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: character });
}

export { fc };
