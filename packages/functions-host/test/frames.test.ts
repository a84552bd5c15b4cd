/** Messages between the host and its worker, over streams in place of the pipe. */

import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { bodyInOne, FrameSender, frameReceiver } from '../src/worker/frames.ts';

const pattern = Buffer.from(Array.from({ length: 251 }, (_, index) => index));
const bytes = (size: number) => Buffer.alloc(size, pattern);

/** Sends through a pipe that takes one piece a turn, and notes what arrives, in pieces of a size: names, and the bodies of those. */
function messenger(pieceSize: number) {
  const arrived: [string, Buffer | undefined][] = [];
  const receive = frameReceiver<{ name: string }, Buffer>(bodyInOne, ({ name }, body) =>
    arrived.push([name, body]),
  );
  const pipe = new Writable({
    write(chunk: Buffer, _, done) {
      for (let at = 0; at < chunk.length; at += pieceSize) {
        const piece = Buffer.from(chunk.subarray(at, at + pieceSize));
        receive(piece);
        // As a reader does that has one buffer for all.
        piece.fill(0);
      }
      setImmediate(done);
    },
  });
  return { sender: new FrameSender<{ name: string }>(pipe), arrived };
}

test.each([7, 1_000, 1_000_000])(
  'messages arrive whole and in order, in pieces of %i bytes',
  async (pieceSize) => {
    const { sender, arrived } = messenger(pieceSize);
    const long = bytes(600_001);
    sender.send({ name: 'long' }, [long.subarray(0, 9), long.subarray(9)]);
    sender.send({ name: 'longer' }, [bytes(700_000)]);
    sender.send({ name: 'plain' });
    sender.send({ name: 'é' }, [bytes(100), bytes(50)]);
    await expect.poll(() => arrived.length).toBe(4);
    expect(arrived.map(([name]) => name)).toEqual(['long', 'longer', 'plain', 'é']);
    expect(arrived[0]?.[1]?.equals(long)).toBe(true);
    expect(arrived[1]?.[1]?.equals(bytes(700_000))).toBe(true);
    expect(arrived[2]?.[1]).toBeUndefined();
    expect(arrived[3]?.[1]?.equals(Buffer.concat([bytes(100), bytes(50)]))).toBe(true);
  },
);
