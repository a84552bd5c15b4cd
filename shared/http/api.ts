/** An API: endpoints that share a root, a way to know callers, a way to read input and a shape of errors. */

import type { TSchema } from 'typebox';
import type { CodedError } from '../errors.ts';
import type { Access, Endpoint } from './endpoint.ts';
import type { Reply } from './reply.ts';

/** A request as the pipeline sees it, before anything in it has been believed. */
export interface IncomingRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  /** The path parameters, percent-decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The body as it arrives; null when there is none. */
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** What the caller of an endpoint sent, checked and typed by the endpoint's schemas. */
export interface Input {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** What a good token says about whom it was issued to: ids of the identity provider, for the log. */
export interface Identity {
  /** Of the user or application. */
  readonly objectId: string;
  readonly tenantId: string;
  /** The identity provider's id of the token. */
  readonly tokenId: string;
}

/** A caller as the endpoints of an API know them, and who that is when they have shown a good token. */
export interface Authenticated<Caller> {
  readonly caller: Caller;
  readonly identity?: Identity;
}

/** Facts about a request that its reply may need, in success and in error. */
export interface Circumstances {
  readonly request: IncomingRequest;
  readonly requestId: string;
  /** The endpoints of the path that was asked for; empty when there is no such path. */
  readonly endpoints: readonly { readonly method: string }[];
  /** Whether the caller has shown a good token. */
  readonly signedIn: boolean;
}

export interface Api<Caller> {
  /** Short and stable: part of function names. */
  readonly name: string;
  readonly description: string;
  /** Where the API stands below the base path, one per version: `['v7', 'v8.0']`; `['']` for the root. */
  readonly mounts: readonly string[];
  readonly endpoints: readonly Endpoint<Caller>[];
  /**
   * Learns who calls, or throws `unauthenticated`. Called for endpoints with access `bearer` and `optional`, and with `learnsCallerFirst` for every request, as `optional`.
   * `deadline`: milliseconds since epoch at which the reply must be out.
   */
  readonly authenticate: (
    request: IncomingRequest,
    access: Access,
    deadline: number,
  ) => Promise<Authenticated<Caller>>;
  /** Whether the caller is learnt before the path is looked up, so that bad credentials are refused on any request. Default false. */
  readonly learnsCallerFirst?: boolean;
  /** The caller when nobody has to be known. */
  readonly anonymous: Caller;
  /** Reads and checks path, query and body, after the caller is known. Throws `invalid` and its like. */
  readonly readInput: (endpoint: Endpoint<Caller>, request: IncomingRequest) => Promise<Input>;
  /** Turns an error into a reply. Unknown failures arrive as an error of code `internal-error`. */
  readonly errorReply: (error: CodedError, status: number, circumstances: Circumstances) => Reply;
  /** The schema and media type of error replies, for the document. */
  readonly errorSchema: { readonly schema: TSchema; readonly mediaType: string };
  /** Adds what every reply of this API carries. */
  readonly finish?: (reply: Reply, circumstances: Circumstances) => Reply;
  /** Answers OPTIONS; without it: 204 with `Allow`. */
  readonly describe?: (endpoints: readonly Endpoint<Caller>[], circumstances: Circumstances) => Reply;
  /** The method to use for a request, where the API allows to override it. */
  readonly methodOf?: (request: IncomingRequest) => string;
}
