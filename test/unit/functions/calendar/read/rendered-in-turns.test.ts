import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RenderedInTurns, TurnIsOver } from '../../../../../functions/calendar/read/rendered-in-turns.ts';
import { rendered } from '../../../../../functions/calendar/read/text-cache.ts';
import type { PostEntry } from '../../../../../functions/calendar/replica/entries.ts';
import { chunkLength } from '../../../../../shared/limits/chunks.ts';

const entryOf = (serial: number) => ({ serial }) as PostEntry;

test('a query of any texts ends with each rendered once for its state, and no turn has a chunk more than its last text', () => {
  const long = 'x'.repeat(chunkLength);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: chunkLength }), { maxLength: 12 }), (lengths) => {
      const entries = lengths.map((_, serial) => entryOf(serial));
      const turns = new RenderedInTurns();
      const made: number[] = [];
      let ofTurn: number[] = [];
      const query = () =>
        entries.map((entry, index) =>
          turns.of(entry, 'state', () => {
            made.push(index);
            ofTurn.push(lengths[index] ?? 0);
            return rendered(long.slice(0, lengths[index]));
          }),
        );
      let texts: ReturnType<typeof query> | undefined;
      while (texts === undefined) {
        turns.begin();
        ofTurn = [];
        try {
          texts = query();
        } catch (error) {
          if (!(error instanceof TurnIsOver)) throw error;
        }
        const before = ofTurn.slice(0, -1).reduce((sum, length) => sum + length, 0);
        expect(before).toBeLessThanOrEqual(chunkLength);
      }
      expect(texts.map(({ size }) => size)).toEqual(lengths);
      expect(made).toEqual(lengths.map((_, index) => index));
    }),
    { numRuns: 50 },
  );
});

test('a text of a state that is no more is rendered again', () => {
  const turns = new RenderedInTurns();
  const entry = entryOf(1);
  const textIn = (state: string) => turns.of(entry, state, () => rendered(state)).text;
  expect([textIn('a'), textIn('b'), textIn('b')]).toEqual(['a', 'b', 'b']);
});
