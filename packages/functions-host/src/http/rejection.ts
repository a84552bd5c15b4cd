import type { Reply } from './reply.ts';

/** A request that the server refuses before the host sees it: answered without a body, and the connection closes. */
export class Rejection extends Error {
  readonly reply: Reply;

  /** `allow` is the method that the target asks for, sent as `Allow` with a 405. */
  constructor(status: number, allow?: string) {
    super(`The server rejects the request with ${status}.`);
    this.reply = { status, headers: allow === undefined ? [] : [['Allow', allow]], close: true };
  }
}
