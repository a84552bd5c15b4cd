/** Where a request stands among others: the W3C trace context that its caller sent (https://www.w3.org/TR/trace-context/). */

import { randomBytes } from 'node:crypto';

/** The trace of a request, and the span of the caller that it continues, where the caller sent one. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  readonly caller?: {
    /** 16 hexadecimal digits. */
    readonly spanId: string;
    readonly sampled: boolean;
    readonly traceState: string;
  };
}

const wellFormed =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads the trace context of an invocation; a request without a well-formed one begins a trace of its own. */
export function readTraceContext(traceParent: string | undefined, traceState = ''): TraceContext {
  const [, version, traceId, spanId = '', flags = '', more] = wellFormed.exec(traceParent ?? '') ?? [];
  // Later versions may have more parts; this one has none.
  if (traceId === undefined || (version === '00' && more !== undefined))
    return { traceId: randomBytes(16).toString('hex') };
  return { traceId, caller: { spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1, traceState } };
}
