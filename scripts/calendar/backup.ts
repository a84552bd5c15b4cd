/** Copies a calendar at one version into a backup. */

import type { BackupFile } from './backup-file.ts';
import { type Copied, firstKey, headKey, lastKey, type Row, type Source } from './place.ts';

/**
 * Copies a calendar while clients write to it. One scan by ascending version gives the state at the moment of its last page, whatever
 * is written meanwhile (docs/decisions/calendar-log.md). The version of the copy is that of its newest row. Where the scan finds a
 * record twice, the later row counts. Nothing of the backup is ever changed or removed, so whoever writes it needs no right to do so.
 */
export async function backup(from: Source, to: BackupFile): Promise<Copied> {
  const first = await from.head();
  if (!first)
    throw new Error(
      `There is no calendar in ${from.name}: the service begins one with the first record, and before that there is nothing to copy.`,
    );
  if (await to.head()) throw new Error(`There is a backup ${to.name} already: name another file.`);
  const scan = new Scan(from.rows(firstKey, lastKey));
  const { rows, head } = await to.write(scan.rows(), async () => {
    const current = await from.head();
    if (!current || current['log'] !== first['log'])
      throw new Error(`The calendar in ${from.name} was replaced meanwhile: start again.`);
    // Ids that were taken after the scan stay unused in a restored calendar. A snapshot may be newer than the copy.
    const { snapshot: _, ...copied } = current;
    return {
      head: { ...copied, rowKey: headKey, version: scan.newestVersion ?? BigInt(0) },
      superseded: scan.superseded,
      rows: scan.count - scan.superseded.length,
    };
  });
  return { rows, version: Number(head['version']) };
}

/** A scan of rows in the order of their versions, which remembers replaced rows and the newest version. */
class Scan {
  readonly superseded: string[] = [];
  newestVersion: bigint | undefined;
  count = 0;
  private readonly source: AsyncIterable<Row>;
  private readonly latest = new Map<string, string>();

  constructor(source: AsyncIterable<Row>) {
    this.source = source;
  }

  async *rows(): AsyncIterable<Row> {
    for await (const row of this.source) {
      const key = String(row['key']);
      const earlier = this.latest.get(key);
      if (earlier !== undefined) this.superseded.push(earlier);
      this.latest.set(key, String(row.rowKey));
      this.newestVersion = BigInt(String(row.rowKey).slice(firstKey.length));
      this.count += 1;
      yield row;
    }
  }
}
