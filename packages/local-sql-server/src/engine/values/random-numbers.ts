/** RAND: the combined generator of L'Ecuyer (1988), which gives SQL Server's numbers for a seed. */
export class RandomNumbers {
  #first = 1 + Math.floor(Math.random() * 2_147_483_562);
  #second = 67_890;

  /** A number from 0 to 1; the same ones follow the same seed. */
  next(seed?: number): number {
    if (seed !== undefined) {
      this.#first = Math.abs(seed) || 12_345;
      this.#second = 67_890;
    }
    this.#first = (this.#first * 40_014) % 2_147_483_563;
    this.#second = (this.#second * 40_692) % 2_147_483_399;
    const difference = this.#first - this.#second;
    return (difference < 1 ? difference + 2_147_483_562 : difference) * 4.656613e-10;
  }
}
