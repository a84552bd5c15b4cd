/** Copies a calendar at one version. */

import { copyRows, removeRows } from './copy.ts';
import { firstKey, headKey, lastKey, type Place, type Row } from './place.ts';

export interface Copied {
  readonly rows: number;
  readonly version: number;
}

/**
 * Copies a calendar while clients write to it. One scan by ascending version gives the state at the moment of its last page, whatever
 * is written meanwhile (docs/decisions/calendar-log.md). The version of the copy is that of its newest row. Where the scan finds a
 * record twice, the later row counts. The head of the backup is removed first and written last, so an interrupted copy has no head.
 */
export async function backup(from: Place, to: Place): Promise<Copied> {
  const first = await from.head();
  if (!first) throw new Error(`There is no calendar in ${from.name}.`);
  await empty(to);
  const scan = new Scan(from.rows(firstKey, lastKey));
  const count = await copyRows(scan.rows(), to);
  await removeRows(iterate(scan.supersededRows), to);
  const head = await from.head();
  if (!head || head['log'] !== first['log'])
    throw new Error(`The calendar in ${from.name} was replaced meanwhile: start again.`);
  const version = scan.newestVersion ?? BigInt(0);
  // Ids that were taken after the scan stay unused in a restored calendar. A snapshot may be newer than the copy.
  const { snapshot: _, ...copied } = head;
  await to.write([{ ...copied, rowKey: headKey, version }]);
  return { rows: count - scan.supersededRows.length, version: Number(version) };
}

async function empty(to: Place): Promise<void> {
  await to.create();
  const head = await to.head();
  if (head) await to.remove([head]);
  await removeRows(to.rows(firstKey, lastKey), to);
}

/** A scan of rows in the order of their versions, which remembers replaced rows and the newest version. */
class Scan {
  readonly supersededRows: Row[] = [];
  newestVersion: bigint | undefined;
  private readonly source: AsyncIterable<Row>;
  private readonly latestRows = new Map<string, Row>();

  constructor(source: AsyncIterable<Row>) {
    this.source = source;
  }

  async *rows(): AsyncIterable<Row> {
    for await (const row of this.source) {
      const key = String(row['key']);
      const earlierRow = this.latestRows.get(key);
      if (earlierRow) this.supersededRows.push(earlierRow);
      this.latestRows.set(key, { ...row, json0: undefined });
      this.newestVersion = BigInt(String(row.rowKey).slice(firstKey.length));
      yield row;
    }
  }
}

async function* iterate(rows: readonly Row[]): AsyncIterable<Row> {
  yield* rows;
}
