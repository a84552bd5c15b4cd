import { expect, test } from 'vitest';
import { HeldBodies, type ReadableBody } from '../../../../local/functions-host/host/held-bodies.ts';

/** A body of so many parts of one byte, and how many of them have been read. */
function bodyOf(parts: number) {
  const read = { count: 0 };
  const body: ReadableBody = {
    async readAll(onPart) {
      for (let part = 0; part < parts; part++) {
        read.count += 1;
        await onPart(1);
      }
      return Buffer.alloc(parts);
    },
  };
  return { body, read };
}

test('a body that fails is held no longer', async () => {
  const bodies = new HeldBodies(1);
  const broken: ReadableBody = {
    async readAll(onPart) {
      await onPart(100);
      throw new Error('incomplete');
    },
  };
  await expect(bodies.run(broken, async () => 1)).rejects.toThrow('incomplete');
  const small = Array.from({ length: 6 }, () => bodyOf(3));
  const sizes = await Promise.all(small.map(({ body }) => bodies.run(body, async ({ length }) => length)));
  expect(sizes).toEqual([3, 3, 3, 3, 3, 3]);
});

test('beyond what may be held only the first bodies are read on, and the others once these are answered', async () => {
  const bodies = new HeldBodies(25);
  const slow = Promise.withResolvers<void>();
  const all = Array.from({ length: 20 }, () => bodyOf(5));
  const results = all.map(({ body }) => bodies.run(body, () => slow.promise));
  await new Promise((resolve) => setImmediate(resolve));
  const counts = () => all.map(({ read }) => read.count);
  expect(counts().slice(0, 4)).toEqual([5, 5, 5, 5]);
  expect(Math.max(...counts().slice(4))).toBeLessThan(5);
  slow.resolve();
  await Promise.all(results);
  expect(counts()).toEqual(all.map(() => 5));
});
