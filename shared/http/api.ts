/** An API: endpoints that share a root, a way to authenticate, a way to read input and a shape of errors. */

import type { Identity } from '../errors/codes.ts';
import type { CodedError } from '../errors.ts';
import type { Access, ApiDescription } from './description.ts';
import type { Endpoint } from './endpoint.ts';
import type { Reply } from './reply.ts';
import type { IncomingRequest } from './request.ts';
import type { RequestContext } from './request-context.ts';

/** What the caller of an endpoint sent, checked and typed by the endpoint's schemas. An API may add what its handlers use, such as its store. */
export interface Input {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** A caller as the endpoints of an API know them, and who that is when they have shown a good token. */
export interface Authenticated<Caller> {
  readonly caller: Caller;
  readonly identity?: Identity;
}

export interface Api<Caller> extends ApiDescription<Caller> {
  readonly endpoints: readonly Endpoint<Caller>[];
  /**
   * Finds out the caller, or throws `unauthenticated`. Called for endpoints whose access is not `public`, and with `authenticatesFirst`
   * for every request, as `optional`.
   */
  readonly authenticate: (context: RequestContext<Caller>, access: Access) => Promise<Authenticated<Caller>>;
  /** Whether callers are authenticated before the path is looked up, so that bad credentials are refused on any request. Default false. */
  readonly authenticatesFirst?: boolean;
  /** The caller of endpoints without authentication; an API whose endpoints all need a token has none. */
  readonly anonymous?: Caller;
  /** Reads and checks path, query and body, after the caller is known. Throws `invalid` and its like. */
  readonly readInput: (endpoint: Endpoint<Caller>, context: RequestContext<Caller>) => Promise<Input>;
  /** Turns an error into a reply. Unknown failures arrive as an error of code `internal-error`. */
  readonly errorReply: (
    error: CodedError,
    status: number,
    context: RequestContext<Caller>,
  ) => Reply | Promise<Reply>;
  /** Adds what every reply of this API carries. */
  readonly decorateReply?: (reply: Reply, context: RequestContext<Caller>) => Reply;
  /** Whether the caller sees the names of sources in Server-Timing. Default: nobody. */
  readonly seesSources?: (caller: Caller) => boolean;
  /** Answers OPTIONS; without it: 204 with `Allow`. */
  readonly options?: (context: RequestContext<Caller>) => Reply;
  /** The method to use for a request, where the API allows to override it. */
  readonly methodOf?: (request: IncomingRequest) => string;
}
