/** FEDAUTHINFO 0xEE (MS-TDS 2.2.7.12): where to get a token, and for which audience. */
import type { ByteWriter } from '../byte-writer.ts';

const TOKEN = 0xee;
const Info = { issuer: 0x01, audience: 0x02 } as const;
const COUNT_LENGTH = 4;
const ENTRY_LENGTH = 9;

/** Writes the two addresses; offsets count from behind the token's length. */
export function writeFedAuthInfo(out: ByteWriter, issuer: string, audience: string): void {
  const entries = [
    { id: Info.issuer, text: issuer },
    { id: Info.audience, text: audience },
  ];
  out.uint8(TOKEN);
  out.sized32(() => {
    out.uint32(entries.length);
    let offset = COUNT_LENGTH + entries.length * ENTRY_LENGTH;
    for (const { id, text } of entries) {
      out.uint8(id);
      out.uint32(text.length * 2);
      out.uint32(offset);
      offset += text.length * 2;
    }
    for (const { text } of entries) out.unicode(text);
  });
}
