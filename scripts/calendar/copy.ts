/** Copies rows from one partition to another. */

import type { Place, Row } from './place.ts';

/** Rows and bytes of one transaction: Azure accepts 100 rows and 4 MiB. */
const maxRows = 100;
const maxBytes = 3 * 2 ** 20;

/** Writes rows in order, in transactions of the largest size. Returns the number of rows. */
export async function copyRows(rows: AsyncIterable<Row>, to: Place): Promise<number> {
  let batch: Row[] = [];
  let bytes = 0;
  let count = 0;
  const flush = async () => {
    if (batch.length > 0) await to.write(batch);
    batch = [];
    bytes = 0;
  };
  for await (const row of rows) {
    const size = sizeOf(row);
    if (batch.length === maxRows || bytes + size > maxBytes) await flush();
    batch.push(row);
    bytes += size;
    count += 1;
  }
  await flush();
  return count;
}

/** Returns an upper estimate of the bytes of a row in a request. */
function sizeOf(row: Row): number {
  return Object.entries(row).reduce(
    (sum, [name, value]) => sum + name.length + 3 * String(value).length + 64,
    512,
  );
}
