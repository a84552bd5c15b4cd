/** What the host and its worker tell each other. */

import type { FunctionMetadata } from './functions-core.ts';

/** A value of RPC that may be empty. */
type Nullable = Readonly<Record<string, { readonly value: string }>>;

/** An HTTP request as the host hands it to the worker (RpcHttp); the body comes behind it. */
export interface RpcRequest {
  readonly method: string;
  readonly url: string;
  readonly nullableHeaders: Nullable;
  readonly nullableQuery: Nullable;
  readonly nullableParams: Nullable;
}

/** A cookie as the library hands it over (RpcHttpCookie). */
export interface RpcCookie {
  readonly name: string;
  readonly value: string;
  readonly domain?: { readonly value: string };
  readonly path?: { readonly value: string };
  readonly expires?: { readonly value: { readonly seconds: number } };
  readonly secure?: { readonly value: boolean };
  readonly httpOnly?: { readonly value: boolean };
  readonly sameSite?: 'none' | 'lax' | 'strict' | 'explicitNone';
  readonly maxAge?: { readonly value: number };
}

export interface RpcReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly RpcCookie[];
}

export interface Invocation {
  readonly id: string;
  readonly function: string;
  /** The name of its HTTP trigger. */
  readonly trigger: string;
  /** The request; none where the app takes it as an HTTP stream. */
  readonly http: RpcRequest | undefined;
  readonly triggerMetadata: Readonly<Record<string, { readonly json?: string; readonly string?: string }>>;
  readonly traceParent: string | undefined;
  readonly traceState: string | undefined;
}

export type ToWorker =
  | { readonly type: 'invoke'; readonly invocation: Invocation }
  | { readonly type: 'terminate' };

export type FromWorker =
  | { readonly type: 'loaded'; readonly functions: readonly FunctionMetadata[]; readonly httpUri?: string }
  | { readonly type: 'not loaded'; readonly reason: string }
  | { readonly type: 'done'; readonly id: string; readonly reply?: RpcReply }
  | { readonly type: 'failed'; readonly id: string; readonly reason: string };
