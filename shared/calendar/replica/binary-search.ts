/** Binary search. */

/** Returns the first number from 0 on of which a test is true, at most `end`; the test is true of all behind it. */
export function firstNumber(end: number, test: (number: number) => boolean): number {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
