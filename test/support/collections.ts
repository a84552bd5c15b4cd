/** The maps and sets of an object: what is left in them after its work is memory that grows. */

/** Creates an object, and returns it with a count of the entries in the maps and sets that its constructor made. */
export function withEntries<T>(create: () => T): { readonly made: T; readonly entries: () => number } {
  const collections: { readonly size: number }[] = [];
  const { Map: PlainMap, Set: PlainSet } = globalThis;
  globalThis.Map = class<Key, Value> extends PlainMap<Key, Value> {
    constructor(entries?: Iterable<readonly [Key, Value]> | null) {
      super(entries);
      collections.push(this);
    }
  } as MapConstructor;
  globalThis.Set = class<Value> extends PlainSet<Value> {
    constructor(values?: Iterable<Value> | null) {
      super(values);
      collections.push(this);
    }
  } as SetConstructor;
  try {
    const made = create();
    return { made, entries: () => collections.reduce((sum, { size }) => sum + size, 0) };
  } finally {
    globalThis.Map = PlainMap;
    globalThis.Set = PlainSet;
  }
}
