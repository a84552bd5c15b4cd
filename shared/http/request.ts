import type { Invocation } from '../telemetry/measurement.ts';

/** Header fields of a request, by names in any case. */
export type RequestHeaders = Pick<Headers, 'get' | 'has'>;

/** A request as the pipeline sees it, before anything in it has been believed. */
export interface IncomingRequest {
  readonly method: string;
  readonly url: URL;
  /** What a proxy took away from the start of the path, such as `/blog`; empty, or left out, for nothing. */
  readonly prefix?: string;
  readonly headers: RequestHeaders;
  /** The path parameters, percent-decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The body as it arrives; null without a body. */
  readonly body: AsyncIterable<Uint8Array> | null;
  /** The invocation that its log lines and spans belong to. Default: none. */
  readonly invocation?: Invocation;
}
