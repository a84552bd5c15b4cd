/** Runs functions in the worker for requests, within the time that a function has. */

import { randomBytes, randomUUID } from 'node:crypto';
import { isHostUsable } from '../http/host-header.ts';
import type { Reply } from '../http/reply.ts';
import type { ServerRequest } from '../http/server.ts';
import type { FoundFunction } from '../routing/function-table.ts';
import type { Invocation } from '../worker/rpc.ts';
import type { WorkerPool } from '../worker/worker-pool.ts';
import { InvocationError, type InvocationOutcome, type WorkerProcess } from '../worker/worker-process.ts';
import { forward, isForwardable, triggerMetadata } from './http-stream.ts';
import { type Origin, toReply, toRpcRequest } from './http-values.ts';

export interface InvokerOptions {
  readonly workers: WorkerPool;
  /** Milliseconds that a function may run, or infinity. */
  readonly functionTimeout: number;
  /** Takes why an invocation failed. */
  readonly log: (line: string) => void;
}

export interface FunctionCall {
  readonly request: ServerRequest;
  readonly origin: Origin;
  readonly found: FoundFunction;
}

/** Runs a function and resolves with its reply; 500 when it fails or takes too long. Rejects when the body cannot be read. */
export type Invoker = (call: FunctionCall) => Promise<Reply>;

const failed: Reply = { status: 500, headers: [] };

/** Creates an invoker over the workers. */
export function createInvoker({ workers, functionTimeout, log }: InvokerOptions): Invoker {
  return async (call) => {
    const worker = await workers.acquire();
    return worker.httpUri === undefined
      ? invokeByMessage(worker, call)
      : invokeByStream(worker, worker.httpUri, call);
  };

  async function invokeByMessage(
    worker: WorkerProcess,
    { request, origin, found }: FunctionCall,
  ): Promise<Reply> {
    const { length } = request.body;
    const body = length === 'chunked' || length === 0 ? [] : await request.body.readAll();
    if (!isHostUsable(origin.host)) return failed;
    const http = toRpcRequest(request.head, origin, found.params);
    const invocation = { ...invocationOf(found), http, triggerMetadata: {} };
    const outcome = await run(worker, invocation, body);
    return outcome === undefined ? failed : toReply(outcome);
  }

  async function invokeByStream(
    worker: WorkerProcess,
    uri: string,
    { request, origin, found }: FunctionCall,
  ): Promise<Reply> {
    const invocation: Invocation = {
      ...invocationOf(found),
      http: undefined,
      triggerMetadata: triggerMetadata(request, found.params),
    };
    const abort = new AbortController();
    let hasBegun = false;
    const outcome = run(worker, invocation, []).then((result) => {
      if (result === undefined && !hasBegun) abort.abort();
      return result;
    });
    // The host's client refuses such a request without a word, and the worker waits for it until the function's time is over.
    if (!isForwardable(request, origin)) {
      await outcome;
      return failed;
    }
    try {
      const reply = await forward(request, origin, { uri, invocation: invocation.id }, abort.signal);
      hasBegun = true;
      // The host waits for a reply that has begun, also where the function fails: it ends with the time of the function at the latest.
      if (Number.isFinite(functionTimeout)) {
        const timer = setTimeout(() => abort.abort(), functionTimeout);
        reply.body.once('close', () => clearTimeout(timer));
      }
      return reply;
    } catch (error) {
      if (request.body.broken) throw error;
      await outcome;
      return failed;
    }
  }

  /** Runs a function. Resolves with undefined when it fails or takes too long. */
  async function run(
    worker: WorkerProcess,
    invocation: Invocation,
    body: readonly Uint8Array[],
  ): Promise<InvocationOutcome | undefined> {
    try {
      return await withinTime(worker, invocation, worker.invoke(invocation, body));
    } catch (error) {
      if (!(error instanceof InvocationError)) throw error;
      log(`Function.${invocation.function} ${invocation.id}: ${error.message}`);
      return undefined;
    }
  }

  /** Resolves with undefined when the time of a function is over. */
  async function withinTime(
    worker: WorkerProcess,
    { id, function: name }: Invocation,
    outcome: Promise<InvocationOutcome>,
  ): Promise<InvocationOutcome | undefined> {
    if (!Number.isFinite(functionTimeout)) return outcome;
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => {
      log(`Function.${name} ${id}: the function has not ended within ${functionTimeout / 1000} s.`);
      void workers.replaceUnlessDone(worker, id);
      resolve(undefined);
    }, functionTimeout);
    try {
      return await Promise.race([outcome, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function invocationOf({
  name,
  trigger,
}: FoundFunction): Pick<Invocation, 'id' | 'function' | 'trigger' | 'traceParent' | 'traceState'> {
  return {
    id: randomUUID(),
    function: name,
    trigger,
    // The host begins a new trace; the caller's is in the headers (measured).
    traceParent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`,
    traceState: undefined,
  };
}
