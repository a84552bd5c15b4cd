/** The maps and sets that some work fills: what is left in them is memory that grows. */

/** Returns how many entries the maps and sets have after some work, of all those that it added to. */
export async function entriesLeftBy(work: () => Promise<unknown>): Promise<number> {
  const used = new Set<Map<unknown, unknown> | Set<unknown>>();
  const [setInMap, addToSet] = [Map.prototype.set, Set.prototype.add];
  const note = (collection: Map<unknown, unknown> | Set<unknown>) => addToSet.call(used, collection);
  Map.prototype.set = function (key, value) {
    note(this);
    return setInMap.call(this, key, value);
  };
  Set.prototype.add = function (value) {
    note(this);
    return addToSet.call(this, value);
  };
  try {
    await work();
  } finally {
    Map.prototype.set = setInMap;
    Set.prototype.add = addToSet;
  }
  return [...used].reduce((sum, { size }) => sum + size, 0);
}
