/** A request that the server refuses before the host sees it: answered without a body, and the connection closes. */
export class Rejection extends Error {
  readonly status: number;
  /** The method that the target asks for, sent as `Allow` with a 405. */
  readonly allow: string | undefined;

  constructor(status: number, allow?: string) {
    super(`The server rejects the request with ${status}.`);
    this.status = status;
    this.allow = allow;
  }
}
