/** LOGINACK 0xAD (MS-TDS 2.2.7.14). */
import type { ByteWriter } from '../byte-writer.ts';

const TOKEN = 0xad;
const TSQL = 1;
/** Big-endian, alone among the numbers of this token. */
const TDS_7_4 = Uint8Array.from([0x74, 0x00, 0x00, 0x04]);
/** Clients look at this name to tell whose dialect they speak to. */
const PROGRAM = 'Microsoft SQL Server';

/** Major, minor, build (big-endian): the version whose dialect is spoken. */
export const SERVER_VERSION = Buffer.from([16, 0, 0x03, 0xe8]);

/** Writes that the login has succeeded. */
export function writeLoginAck(out: ByteWriter): void {
  out.uint8(TOKEN);
  out.sized16(() => {
    out.uint8(TSQL);
    out.raw(TDS_7_4);
    out.shortText(PROGRAM);
    out.raw(SERVER_VERSION);
  });
}
