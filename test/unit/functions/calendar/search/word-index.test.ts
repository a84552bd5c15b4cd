import { expect, test } from 'vitest';
import { WordIndex } from '../../../../../functions/calendar/search/word-index.ts';
import { fc } from '../../../../support/properties.ts';

const words = fc.constantFrom(
  'jazz',
  'azzurro',
  'night',
  'tonight',
  'Å',
  '\u{1f3b7}',
  'a-very-long-word',
  '1',
);
const joined = (separator: fc.Arbitrary<string>, maxLength: number) =>
  fc
    .array(fc.tuple(words, separator), { maxLength })
    .map((pairs) => pairs.map(([word, end]) => word + end).join(''));
const texts = joined(fc.constantFrom(' ', '\n'), 5);
/** A new text of a slot, or none; and how many texts are indexed after that. */
const changes = fc.array(fc.tuple(fc.nat(40), fc.option(texts, { nil: undefined }), fc.nat(3)), {
  maxLength: 80,
});
const parts = fc.oneof(
  texts,
  texts.chain((text) =>
    fc.tuple(fc.nat(text.length), fc.nat(8)).map(([at, length]) => text.slice(at, at + length)),
  ),
  fc.constantFrom('zz', 'ight', '', ' ', '\n', 'none', '  '),
);

test('WordIndex finds the texts that contain a part, indexed or not, while texts are put, replaced and deleted', () => {
  fc.assert(
    fc.property(changes, fc.array(parts), (changes, parts) => {
      const index = new WordIndex();
      const texts = new Map<number, string>();
      for (const [slot, text, indexed] of changes) {
        index.set(slot, text);
        const { pending } = index;
        index.index(indexed);
        expect(index.pending).toBe(Math.max(0, pending - indexed));
        if (text === undefined) texts.delete(slot);
        else texts.set(slot, text);
        const slots = [...texts.keys()].toSorted((a, b) => a - b);
        expect(index.slots.numbers()).toEqual(slots);
        for (const part of parts)
          expect(index.find(part).numbers()).toEqual(slots.filter((slot) => texts.get(slot)?.includes(part)));
      }
    }),
  );
});
