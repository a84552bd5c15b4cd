/** Private keys for issuers of tests. */

import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { onTestFinished } from 'vitest';

/** The keys of this process: to make one takes 40 milliseconds of the processor, and there are dozens of issuers. Those of files and of tests are others. */
const keys = { file: [] as KeyObject[], test: [] as KeyObject[] };
let taken = 0;

/** Returns what gives keys to one test, no two of them the same. The next test has the same ones again. */
export function keysOfTest(): () => KeyObject {
  onTestFinished(() => {
    taken = 0;
  });
  return () => keyAt(keys.test, taken++);
}

/** Returns what gives keys to an issuer that serves a file, no two of them the same. The issuer of the next file has the same ones again. */
export function keysOfFile(): () => KeyObject {
  let next = 0;
  return () => keyAt(keys.file, next++);
}

function keyAt(all: KeyObject[], index: number): KeyObject {
  const key = all[index] ?? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  all[index] = key;
  return key;
}
