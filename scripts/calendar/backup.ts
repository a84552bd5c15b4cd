/** A copy of a calendar as it was at one version. */

import { copyRows, removeRows } from './copy.ts';
import { firstKey, headKey, lastKey, type Place, type Row } from './place.ts';

export interface Copied {
  readonly rows: number;
  readonly version: number;
}

/**
 * Copies a calendar while others write to it. One scan by ascending version gives the state of the moment at which its last page is
 * read, however many write meanwhile (docs/decisions/calendar-log.md); its version is that of the newest row. Of a record that was
 * seen twice the later row counts. The backup's own head is removed first and written last: a copy that was cut short is no backup.
 */
export async function backup(from: Place, to: Place): Promise<Copied> {
  const first = await from.head();
  if (!first) throw new Error(`There is no calendar in ${from.name}.`);
  await empty(to);
  const scan = new Scan(from.rows(firstKey, lastKey));
  const count = await copyRows(scan.rows(), to);
  await removeRows(each(scan.superseded), to);
  const head = await from.head();
  if (!head || head['log'] !== first['log'])
    throw new Error(`The calendar in ${from.name} was replaced by another one: start again.`);
  const version = scan.newest ?? BigInt(0);
  // Ids that were given away after the scan stay unused in a restored calendar.
  await to.write([{ ...head, rowKey: headKey, version }]);
  return { rows: count - scan.superseded.length, version: Number(version) };
}

async function empty(to: Place): Promise<void> {
  await to.create();
  const old = await to.head();
  if (old) await to.remove([old]);
  await removeRows(to.rows(firstKey, lastKey), to);
}

/** Rows in the order of their versions, with what was seen of them. */
class Scan {
  readonly superseded: Row[] = [];
  newest: bigint | undefined;
  private readonly source: AsyncIterable<Row>;
  private readonly latest = new Map<string, Row>();

  constructor(source: AsyncIterable<Row>) {
    this.source = source;
  }

  async *rows(): AsyncIterable<Row> {
    for await (const row of this.source) {
      const key = String(row['key']);
      const before = this.latest.get(key);
      if (before) this.superseded.push(before);
      this.latest.set(key, { ...row, json0: undefined });
      this.newest = BigInt(String(row.rowKey).slice(firstKey.length));
      yield row;
    }
  }
}

async function* each(rows: readonly Row[]): AsyncIterable<Row> {
  yield* rows;
}
