import { expect, test } from 'vitest';
import { tellStalls } from '../src/stalls.ts';

test('the log tells how long a statement has kept the server, once', async () => {
  const lines: string[] = [];
  const told = new Promise<void>((resolve) => {
    const stop = tellStalls((line) => {
      lines.push(line);
      stop();
      resolve();
    }, 100);
  });
  const began = performance.now();
  while (performance.now() - began < 400);
  await told;
  expect(lines).toEqual([
    expect.stringMatching(/^The local server is slow: one statement took 0\.[4-9] s, and nobody else/),
  ]);
});
