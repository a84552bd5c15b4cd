/** RETURNSTATUS 0x79 (MS-TDS 2.2.7.18). */
import type { ByteWriter } from '../byte-writer.ts';

const TOKEN = 0x79;

/** Writes the number that a procedure returned. */
export function writeReturnStatus(out: ByteWriter, value: number): void {
  out.uint8(TOKEN);
  out.int32(value);
}
