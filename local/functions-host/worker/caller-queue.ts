/** A queue in which callers have turns: who waits with many keeps no other waiting behind all of them. */
export class CallerQueue<Item> {
  /** By caller, those whose turn it is first. */
  readonly #waiting = new Map<string, Item[]>();

  add(caller: string, item: Item): void {
    const own = this.#waiting.get(caller);
    if (own === undefined) this.#waiting.set(caller, [item]);
    else own.push(item);
  }

  /** Takes the next one out; undefined when nobody waits. */
  next(): Item | undefined {
    for (const [caller, items] of this.#waiting) {
      this.#waiting.delete(caller);
      const item = items.shift();
      if (items.length > 0) this.#waiting.set(caller, items);
      return item;
    }
    return undefined;
  }
}
