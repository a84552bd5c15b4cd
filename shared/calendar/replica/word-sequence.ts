/** The words of many texts by their numbers, in order, in blocks of texts: so that looking for some words in a row reads memory from one end to the other. */

import type { Bits } from './bits.ts';

/** Texts of a block. */
const perBlock = 256;
/** Room for more words, as a part of those that a block has. */
const room = 0.25;

/** Words in a row, with one of a set before them and one of another behind; without a set whatever stands there. */
export interface WordPattern {
  readonly words: readonly number[];
  readonly before: Bits | undefined;
  readonly after: Bits | undefined;
}

interface Block {
  words: Uint32Array;
  /** End of what is taken. */
  end: number;
  /** For each text where its words begin, and how many there are. */
  readonly starts: Uint32Array;
  readonly counts: Uint32Array;
}

export class WordSequences {
  readonly #blocks: (Block | undefined)[] = [];

  /** Returns the words of a text. */
  of(text: number): Uint32Array {
    const block = this.#blocks[Math.floor(text / perBlock)];
    if (block === undefined) return new Uint32Array(0);
    const at = text % perBlock;
    const start = block.starts[at] ?? 0;
    return block.words.subarray(start, start + (block.counts[at] ?? 0));
  }

  /** Puts the words of a text in the place of those before. */
  set(text: number, words: readonly number[]): void {
    const index = Math.floor(text / perBlock);
    const block = this.#blocks[index] ?? newBlock();
    this.#blocks[index] = block;
    const at = text % perBlock;
    block.counts[at] = 0;
    if (words.length === 0) return;
    if (block.end + words.length > block.words.length) makeRoom(block, words.length);
    block.words.set(words, block.end);
    block.starts[at] = block.end;
    block.counts[at] = words.length;
    block.end += words.length;
  }

  /** Checks whether a pattern is in a text. */
  has(text: number, { words, before, after }: WordPattern): boolean {
    const block = this.#blocks[Math.floor(text / perBlock)];
    if (block === undefined) return false;
    const all = block.words;
    const first = block.starts[text % perBlock] ?? 0;
    const end = first + (block.counts[text % perBlock] ?? 0);
    const last = end - words.length - (after === undefined ? 0 : 1);
    const head = words[0];
    for (let place = before === undefined ? first : first + 1; place <= last; place += 1)
      if (
        (head === undefined || all[place] === head) &&
        areAt(all, place, words) &&
        (before === undefined || before.has(all[place - 1] ?? 0)) &&
        (after === undefined || after.has(all[place + words.length] ?? 0))
      )
        return true;
    return false;
  }
}

function newBlock(): Block {
  const [starts, counts] = [new Uint32Array(perBlock), new Uint32Array(perBlock)];
  return { words: new Uint32Array(0), end: 0, starts, counts };
}

/** Drops the words that no text has any more, and makes room for so many. */
function makeRoom(block: Block, needed: number): void {
  const { words, starts, counts } = block;
  const used = counts.reduce((sum, count) => sum + count, 0);
  block.words = new Uint32Array(Math.ceil((used + needed) * (1 + room)));
  block.end = 0;
  for (const [at, count] of counts.entries()) {
    const start = starts[at] ?? 0;
    block.words.set(words.subarray(start, start + count), block.end);
    starts[at] = block.end;
    block.end += count;
  }
}

function areAt(all: Uint32Array, place: number, words: readonly number[]): boolean {
  for (let index = 0; index < words.length; index += 1) if (all[place + index] !== words[index]) return false;
  return true;
}
