/** FEATUREEXTACK 0xAE (MS-TDS 2.2.7.11). */
import type { ByteWriter } from '../byte-writer.ts';

const TOKEN = 0xae;
const Feature = { federatedAuth: 0x02, utf8: 0x0a, end: 0xff } as const;

/** Writes which of the features that the client asked for are given; nothing when it asked for none. */
export function writeFeatureExtAck(out: ByteWriter, given: { federatedAuth: boolean; utf8: boolean }): void {
  if (!given.federatedAuth && !given.utf8) return;
  out.uint8(TOKEN);
  if (given.federatedAuth) {
    out.uint8(Feature.federatedAuth);
    out.uint32(0);
  }
  if (given.utf8) {
    out.uint8(Feature.utf8);
    out.uint32(1);
    out.uint8(1);
  }
  out.uint8(Feature.end);
}
