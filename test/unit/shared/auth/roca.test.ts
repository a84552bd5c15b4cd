import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { isRocaWeak } from '../../../../shared/auth/roca.ts';

/** The product of the first 71 odd primes: keys of 2,048 bits are made with it. */
const product = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97]
  .concat([
    101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197,
  ])
  .reduce((all, prime) => all * BigInt(prime), 1n);

test('isRocaWeak() knows the moduli of the weak library', () => {
  const weak = (power: bigint) => product * (2n ** 1700n + power) + 65_537n ** power;
  expect([1n, 7n, 20n].map((power) => isRocaWeak(weak(power)))).toEqual([true, true, true]);
});

const checked = [
  3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97,
].concat([101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167]);

test.each(checked)('isRocaWeak() lets a modulus pass that lacks the fingerprint modulo %i alone', (prime) => {
  const [weak, cofactor] = [product * 2n ** 1700n + 65_537n, product / BigInt(prime)];
  // No power is 0 modulo a prime.
  const modulus = Array.from({ length: prime }, (_, count) => weak + BigInt(count) * cofactor).find(
    (candidate) => candidate % BigInt(prime) === 0n,
  );
  expect(isRocaWeak(modulus ?? weak)).toBe(false);
});

test('isRocaWeak() lets good keys pass', () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const modulus = Buffer.from(publicKey.export({ format: 'jwk' }).n ?? '', 'base64url').toString('hex');
  expect(isRocaWeak(BigInt(`0x${modulus}`))).toBe(false);
});
