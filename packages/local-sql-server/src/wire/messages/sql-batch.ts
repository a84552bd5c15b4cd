/** SQLBatch (MS-TDS 2.2.6.7): the headers, then the text. */
import { unicode } from '../bytes.ts';
import { readAllHeaders } from './all-headers.ts';

export interface SqlBatch {
  readonly descriptor: bigint;
  readonly sql: string;
}

/** Reads a batch. */
export function readSqlBatch(bytes: Buffer): SqlBatch {
  const headers = readAllHeaders(bytes, 0);
  return { descriptor: headers.value, sql: unicode(bytes.subarray(headers.offset)) };
}
