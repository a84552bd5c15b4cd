/** Records that are found by a field of their own too: images by their URL, authors by their subject. */

/** Puts a record into a map by id, and its id into one by a field that is its own. */
export function putUnique<R extends object, Field extends keyof R & string>(
  records: Map<number, R>,
  ids: Map<R[Field], number>,
  id: number,
  record: R | undefined,
  field: Field,
): void {
  const before = records.get(id);
  if (before !== undefined) ids.delete(before[field]);
  records.delete(id);
  if (record === undefined) return;
  records.set(id, record);
  ids.set(record[field], id);
}
