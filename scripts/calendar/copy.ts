/** Copies rows from one partition to another. */

import type { Place, Row } from './place.ts';

/** Rows and bytes of one transaction: Azure accepts 100 rows and 4 MiB. */
const maxRows = 100;
const maxBytes = 3 * 2 ** 20;

/** Writes rows in order, in transactions of the largest size. Returns the number of rows. */
export async function copyRows(rows: AsyncIterable<Row>, to: Place): Promise<number> {
  return inBatches(rows, (batch) => to.write(batch));
}

/** Removes rows in transactions. */
export async function removeRows(rows: AsyncIterable<Row>, from: Place): Promise<number> {
  return inBatches(rows, (batch) => from.remove(batch));
}

async function inBatches(
  rows: AsyncIterable<Row>,
  send: (batch: readonly Row[]) => Promise<void>,
): Promise<number> {
  let batch: Row[] = [];
  let bytes = 0;
  let count = 0;
  const flush = async () => {
    if (batch.length > 0) await send(batch);
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
