/** DONE 0xFD, DONEPROC 0xFE, DONEINPROC 0xFF (MS-TDS 2.2.7.6 to 2.2.7.8). */
import type { ByteWriter } from '../byte-writer.ts';

const TOKENS = { done: 0xfd, doneProc: 0xfe, doneInProc: 0xff } as const;
const Status = {
  more: 0x0001,
  error: 0x0002,
  inTransaction: 0x0004,
  count: 0x0010,
  attention: 0x0020,
} as const;
const SELECT = 0x00c1;

export interface Done {
  readonly token: keyof typeof TOKENS;
  /** More tokens of this request follow. */
  readonly more?: boolean;
  readonly failed?: boolean;
  readonly inTransaction?: boolean;
  /** Acknowledges an attention. */
  readonly attention?: boolean;
  /** Rows, where the statement counts them. */
  readonly count?: number | undefined;
  /** The statement returned a result set. */
  readonly select?: boolean;
}

/** Writes the end of a statement, a procedure or a request. */
export function writeDone(out: ByteWriter, done: Done): void {
  out.uint8(TOKENS[done.token]);
  out.uint16(
    (done.more ? Status.more : 0) |
      (done.failed ? Status.error : 0) |
      (done.inTransaction ? Status.inTransaction : 0) |
      (done.attention ? Status.attention : 0) |
      (done.count === undefined ? 0 : Status.count),
  );
  out.uint16(done.select ? SELECT : 0);
  out.uint64(BigInt(done.count ?? 0));
}
