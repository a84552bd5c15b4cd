/** Partially length-prefixed bytes, in which max types travel (MS-TDS 2.2.5.2.3): total length, chunks, an empty chunk. */
import type { ByteWriter } from '../byte-writer.ts';
import { type Read, readBytes, readUInt32, readUInt64 } from '../bytes.ts';
import { ProtocolError } from '../protocol-error.ts';

const NULL = 0xffff_ffff_ffff_ffffn;
const UNKNOWN_LENGTH = 0xffff_ffff_ffff_fffen;

export function writePlpNull(out: ByteWriter): void {
  out.uint64(NULL);
}

/** Writes a value as one chunk. */
export function writePlp(out: ByteWriter, value: Uint8Array): void {
  out.uint64(BigInt(value.length));
  if (value.length > 0) {
    out.uint32(value.length);
    out.raw(value);
  }
  out.uint32(0);
}

/** Reads the chunks of a value and returns them as one; `null` for NULL. */
export function readPlp(bytes: Buffer, at: number): Read<Buffer | null> {
  const total = readUInt64(bytes, at);
  if (total.value === NULL) return { value: null, offset: total.offset };
  const chunks: Buffer[] = [];
  let { offset } = total;
  for (;;) {
    const length = readUInt32(bytes, offset);
    offset = length.offset;
    if (length.value === 0) break;
    const chunk = readBytes(bytes, offset, length.value);
    chunks.push(chunk.value);
    offset = chunk.offset;
  }
  const value = Buffer.concat(chunks);
  if (total.value !== UNKNOWN_LENGTH && total.value !== BigInt(value.length)) {
    throw new ProtocolError(
      `Cannot read a large value: ${total.value} bytes announced, ${value.length} sent`,
    );
  }
  return { value, offset };
}
