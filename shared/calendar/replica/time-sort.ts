/**
 * Sorting slots by a time, as numbers and without calling back for each comparison: time and slot stand in one 64-bit number. It can
 * be interrupted: the generator pauses between portions.
 */

/** Slots are below 2 ** slotBits. */
const slotBits = 24;
const highUnit = 2 ** (32 - slotBits);
/** Seconds from the year 0 to 1970, so that no time is negative. */
const epoch = 62_200_000_000;
/** Numbers that are written, sorted or merged between two pauses. */
const perStep = 16_384;

type Steps<T> = Generator<undefined, T>;
/** The lower half of each stands first, as on every processor that the app runs on. */
type Keys = BigUint64Array<ArrayBuffer>;

/** Returns slots in the order of their times; `timeOf` returns seconds since 1970, `inOrder` those of one time in their order. */
export function* sortByTime(
  slots: readonly number[],
  timeOf: (slot: number) => number,
  inOrder: (slots: number[]) => Steps<number[]>,
): Steps<Uint32Array<ArrayBuffer>> {
  const keys = new BigUint64Array(slots.length);
  const halves = new Uint32Array(keys.buffer);
  for (let start = 0; start < slots.length; start += perStep) {
    const end = Math.min(start + perStep, slots.length);
    for (let index = start; index < end; index += 1) {
      const slot = slots[index] ?? 0;
      const time = timeOf(slot) + epoch;
      halves[2 * index] = (time % highUnit) * 2 ** slotBits + slot;
      halves[2 * index + 1] = Math.floor(time / highUnit);
    }
    keys.subarray(start, end).sort();
    yield;
  }
  return yield* slotsOf(yield* mergeRuns(keys, perStep), inOrder);
}

/** Merges sorted runs of a length until there is one. */
function* mergeRuns(sorted: Keys, length: number): Steps<Keys> {
  let [from, to] = [sorted, new BigUint64Array(sorted.length)];
  for (let run = length; run < sorted.length; run *= 2) {
    for (let start = 0; start < sorted.length; start += 2 * run) yield* mergeTwo(from, to, start, run);
    [from, to] = [to, from];
  }
  return from;
}

/** Merges the run at `start` with the one behind it. */
function* mergeTwo(from: Keys, to: Keys, start: number, run: number): Steps<void> {
  const middle = Math.min(start + run, from.length);
  const end = Math.min(start + 2 * run, from.length);
  // Halves are compared as doubles: numbers of 64 bits would each be made anew.
  const [read, write] = [new Uint32Array(from.buffer), new Uint32Array(to.buffer)];
  let [first, second] = [start, middle];
  for (let place = start; place < end; place += 1) {
    const isFirst = second >= end || (first < middle && isLess(read, first, second));
    const taken = isFirst ? first++ : second++;
    write[2 * place] = read[2 * taken] ?? 0;
    write[2 * place + 1] = read[2 * taken + 1] ?? 0;
    if (place % perStep === 0) yield;
  }
}

function isLess(halves: Uint32Array, a: number, b: number): boolean {
  const [highA = 0, highB = 0] = [halves[2 * a + 1], halves[2 * b + 1]];
  return highA === highB ? (halves[2 * a] ?? 0) < (halves[2 * b] ?? 0) : highA < highB;
}

/** Reads the slots of sorted keys. */
function* slotsOf(
  keys: Keys,
  inOrder: (slots: number[]) => Steps<number[]>,
): Steps<Uint32Array<ArrayBuffer>> {
  const halves = new Uint32Array(keys.buffer);
  const slots = new Uint32Array(keys.length);
  const timeAt = (index: number) => Math.floor((halves[2 * index] ?? 0) / 2 ** slotBits);
  const isSame = (a: number, b: number) =>
    halves[2 * a + 1] === halves[2 * b + 1] && timeAt(a) === timeAt(b) && b < keys.length;
  for (let start = 0, end = 0; start < keys.length; start = end) {
    for (end = start + 1; isSame(start, end); end += 1);
    const equal: number[] = [];
    for (let index = start; index < end; index += 1) equal.push((halves[2 * index] ?? 0) % 2 ** slotBits);
    slots.set(equal.length > 1 ? yield* inOrder(equal) : equal, start);
    if (equal.length > 1 || start % perStep === 0) yield;
  }
  return slots;
}
