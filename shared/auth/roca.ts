/** RSA keys of the library with the weak prime generator (ROCA, CVE-2017-15361), whose private key follows from the public one. */

/** The weak primes are powers of this number, modulo a product of small primes. */
const generator = 65_537;
const primes = [
  ...[3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97],
  ...[101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167],
];

/** Checks whether a modulus has the fingerprint of the weak library. That of a good key has it once in some 10^30. */
export function isRocaWeak(modulus: bigint): boolean {
  return primes.every((prime) => powersModulo(prime).has(Number(modulus % BigInt(prime))));
}

function powersModulo(prime: number): ReadonlySet<number> {
  const powers = new Set<number>();
  for (let power = 1; !powers.has(power); power = (power * generator) % prime) powers.add(power);
  return powers;
}
