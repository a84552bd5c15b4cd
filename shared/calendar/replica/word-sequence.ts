/**
 * The words of a text by their numbers, in order, as a string: so that V8 searches them, and each takes little memory. A number
 * is one code unit, or two, of which neither can be taken for another.
 */

/** Numbers below this take one unit. */
const firstOfTwo = 0xc000;
const lead = 0xc000;
const trail = 0xe000;
const bits = 13;
const mask = 2 ** bits - 1;

/** Writes numbers as a sequence. */
export function sequenceOf(numbers: readonly number[]): string {
  const units: number[] = [];
  for (const number of numbers) {
    if (number < firstOfTwo) units.push(number);
    else units.push(lead + ((number - firstOfTwo) >>> bits), trail + ((number - firstOfTwo) & mask));
  }
  return Buffer.from(Uint16Array.from(units).buffer).toString('utf16le');
}

/** Reads the numbers of a sequence. */
export function numbersOf(sequence: string): number[] {
  const numbers: number[] = [];
  for (let place = 0; place < sequence.length; place += 1) {
    numbers.push(numberAt(sequence, place));
    if (isLead(sequence.charCodeAt(place))) place += 1;
  }
  return numbers;
}

/** Returns the number that begins in a place; -1 where none does. */
export function numberAt(sequence: string, place: number): number {
  const unit = sequence.charCodeAt(place);
  if (unit < lead) return unit;
  return isLead(unit) ? ofTwo(unit, sequence.charCodeAt(place + 1)) : -1;
}

/** Returns the number that ends before a place; -1 where none does. */
export function numberBefore(sequence: string, place: number): number {
  const unit = sequence.charCodeAt(place - 1);
  if (unit < lead) return unit;
  return unit >= trail ? ofTwo(sequence.charCodeAt(place - 2), unit) : -1;
}

function isLead(unit: number): boolean {
  return unit >= lead && unit < trail;
}

function ofTwo(first: number, second: number): number {
  return firstOfTwo + (first - lead) * 2 ** bits + (second - trail);
}
