/** Private keys for issuers of tests. */

import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { onTestFinished } from 'vitest';

/** The keys of this process: to make one takes 40 milliseconds of the processor, and there are dozens of issuers. */
const keys: KeyObject[] = [];
let taken = 0;

/** Returns what gives keys to one test, no two of them the same. The next test has the same ones again. */
export function keysOfTest(): () => KeyObject {
  onTestFinished(() => {
    taken = 0;
  });
  return () => keyAt(taken++);
}

function keyAt(index: number): KeyObject {
  const key = keys[index] ?? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  keys[index] = key;
  return key;
}
