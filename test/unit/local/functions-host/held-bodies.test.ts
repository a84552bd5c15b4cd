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
      return Array.from({ length: parts }, () => Buffer.alloc(1));
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
  await expect(bodies.run('one', broken, async () => 1)).rejects.toThrow('incomplete');
  const small = Array.from({ length: 6 }, () => bodyOf(3));
  const sizes = await Promise.all(
    small.map(({ body }) => bodies.run('one', body, async ({ length }) => length)),
  );
  expect(sizes).toEqual([3, 3, 3, 3, 3, 3]);
});

/** Lets what can be read by now be read. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('beyond what may be held only the first body of each of the first callers is read on, and the others once these are answered', async () => {
  const bodies = new HeldBodies(25);
  const slow = Promise.withResolvers<void>();
  const all = Array.from({ length: 20 }, () => bodyOf(5));
  const results = all.map(({ body }, index) => bodies.run(`caller ${index % 5}`, body, () => slow.promise));
  await settled();
  const counts = () => all.map(({ read }) => read.count);
  expect(counts().slice(0, 4)).toEqual([5, 5, 5, 5]);
  expect(Math.max(...counts().slice(4))).toBeLessThan(5);
  slow.resolve();
  await Promise.all(results);
  expect(counts()).toEqual(all.map(() => 5));
});

test('bodies of one caller take half of it, and leave the rest to others', async () => {
  const bodies = new HeldBodies(40);
  const slow = Promise.withResolvers<void>();
  const many = Array.from({ length: 10 }, () => bodyOf(5));
  const other = [bodyOf(5), bodyOf(4)];
  const results = [
    ...many.map(({ body }) => bodies.run('many', body, () => slow.promise)),
    ...other.map(({ body }) => bodies.run('other', body, () => slow.promise)),
  ];
  await settled();
  expect(other.map(({ read }) => read.count)).toEqual([5, 4]);
  expect(many.reduce((sum, { read }) => sum + read.count, 0)).toBeLessThan(40);
  slow.resolve();
  await Promise.all(results);
});
