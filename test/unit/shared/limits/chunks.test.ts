import * as Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { checkStored, compose } from '../../../../shared/custom-data/read.ts';
import { joinTagged } from '../../../../shared/http/entity-tag.ts';
import { readInput } from '../../../../shared/http/input.ts';
import { isLong, nextChunkEnd } from '../../../../shared/limits/chunks.ts';

describe('a long text or body is worked on in chunks of 512 Ki', () => {
  const chunk = 512 * 1_024;

  test('and only what is longer than one chunk is long', () => {
    expect([isLong('x'.repeat(chunk)), isLong('x'.repeat(chunk + 1)), isLong(Buffer.alloc(chunk))]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('which split no surrogate pair', () => {
    const pairs = '😀'.repeat(chunk);
    expect([nextChunkEnd(pairs, 0), nextChunkEnd(pairs, 1), nextChunkEnd(pairs, 2 * chunk - 4)]).toEqual([
      chunk,
      chunk,
      2 * chunk,
    ]);
    expect([nextChunkEnd(Buffer.alloc(chunk + 1), 0), nextChunkEnd(Buffer.alloc(chunk + 1), chunk)]).toEqual([
      chunk,
      chunk + 1,
    ]);
  });

  /** Returns the turns of the event loop while something is done. */
  async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
    let turns = 0;
    const next = () => {
      turns += 1;
      running = setImmediate(next);
    };
    let running = setImmediate(next);
    await work();
    clearImmediate(running);
    return turns;
  }

  test('and between them the event loop turns', async () => {
    const short = 'x'.repeat(chunk);
    const long = 'x'.repeat(3 * chunk + 1);
    expect(await turnsDuring(() => joinTagged([short]))).toBe(0);
    expect(await turnsDuring(() => joinTagged(['{', long]))).toBeGreaterThanOrEqual(3);
    const read = (body: string) => {
      const headers = new Headers({ 'content-type': 'application/json' });
      const pieces = (async function* () {
        yield Buffer.from(JSON.stringify(body));
      })();
      const request = {
        method: 'PUT',
        url: new URL('http://localhost'),
        parameters: {},
        headers,
        body: pieces,
      };
      return readInput({ body: { schema: text } }, { request });
    };
    const text = Type.String();
    await read(short);
    expect(await turnsDuring(() => read(long))).toBeGreaterThanOrEqual(2);
    const stored = (customData: string) => [
      { identifier: 'a', kind: 'JSON' as const, customData: JSON.stringify(customData) },
    ];
    expect(await turnsDuring(() => compose(stored(long), new Map()))).toBeGreaterThanOrEqual(3);
    expect(await turnsDuring(() => checkStored([...stored(long), ...stored(long)]))).toBeGreaterThanOrEqual(
      2,
    );
  });
});
