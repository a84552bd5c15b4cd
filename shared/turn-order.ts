/** The order of turns: of each key one, then of each the second, and so on. */

/** Who wants a turn: on the account of which keys, and whether it goes on with what has had turns. */
export interface Turn {
  readonly keys: readonly string[];
  readonly continues: boolean;
}

/** How many turns there are of each key. */
export class KeyCounts {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add({ keys }: Turn): void {
    for (const key of keys) this.#counts.set(key, this.of(key) + 1);
  }
}

/** Returns turns in the order in which they come; what `continues` comes before what does not of the same key. */
export function inOrder<T extends Turn>(turns: Iterable<T>): T[] {
  const counts = new KeyCounts();
  return [...turns]
    .toSorted((one, other) => Number(other.continues) - Number(one.continues))
    .map((turn) => {
      const ranks = turn.keys.map((key) => counts.of(key));
      counts.add(turn);
      return { turn, ranks };
    })
    .toSorted((one, other) => compareRanks(one.ranks, other.ranks))
    .map(({ turn }) => turn);
}

/** Compares by the first ranks that differ; one that is missing is the first. */
function compareRanks(ranks: readonly number[], others: readonly number[]): number {
  const length = Math.max(ranks.length, others.length);
  for (let at = 0; at < length; at++) {
    const difference = (ranks[at] ?? 0) - (others[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
