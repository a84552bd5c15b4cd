/** Partially length-prefixed bytes, in which max types travel (MS-TDS 2.2.5.2.3): total length, chunks, an empty chunk. */
import type { ByteWriter } from '../byte-writer.ts';
import { type Read, readBytes, readUInt32, readUInt64 } from '../bytes.ts';
import { ProtocolError } from '../protocol-error.ts';

const NULL = 0xffff_ffff_ffff_ffffn;
const UNKNOWN_LENGTH = 0xffff_ffff_ffff_fffen;

export function writePlpNull(out: ByteWriter): void {
  out.uint64(NULL);
}

/** Bytes of the length of a chunk. */
const CHUNK_HEADER = 4;

/** Writes a value in chunks that end with their packets, as SQL Server does; Microsoft's client waits for ever for one that does not. */
export function writePlp(out: ByteWriter, value: Uint8Array): void {
  out.uint64(BigInt(value.length));
  for (let at = 0; at < value.length; ) {
    const length = Math.min(chunkRoom(out), value.length - at);
    out.uint32(length);
    out.raw(value.subarray(at, at + length));
    at += length;
  }
  out.uint32(0);
}

/** Returns the bytes of a chunk that fit into the packet; those of the next one where the length of the chunk fills the rest. */
function chunkRoom(out: ByteWriter): number {
  const room = out.packetRoom - CHUNK_HEADER;
  return room > 0 ? room : room + out.packetBody;
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
