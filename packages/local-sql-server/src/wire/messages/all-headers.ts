/** ALL_HEADERS (MS-TDS 2.2.5.3): what stands before the body of each request. */
import { type Read, readBytes, readUInt16, readUInt32, readUInt64 } from '../bytes.ts';
import { ProtocolError } from '../protocol-error.ts';

const TRANSACTION_DESCRIPTOR = 2;

/** Reads the headers and returns the transaction descriptor, 0 outside of a transaction. */
export function readAllHeaders(bytes: Buffer, at: number): Read<bigint> {
  const total = readUInt32(bytes, at);
  const end = at + total.value;
  let descriptor = 0n;
  for (let offset = total.offset; offset < end; ) {
    const length = readUInt32(bytes, offset);
    if (length.value < 6) throw new ProtocolError(`Cannot read a request header of ${length.value} bytes`);
    const header = readBytes(bytes, offset, length.value).value;
    if (readUInt16(header, 4).value === TRANSACTION_DESCRIPTOR) descriptor = readUInt64(header, 6).value;
    offset += length.value;
  }
  return { value: descriptor, offset: Math.max(end, total.offset) };
}
