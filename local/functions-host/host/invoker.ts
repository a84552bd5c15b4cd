/** Runs functions in the worker for requests, within the time that a function has. */

import { randomUUID } from 'node:crypto';
import type { ServerRequest } from '../http/connection.ts';
import { isHostUsable } from '../http/host-header.ts';
import type { Reply } from '../http/reply.ts';
import type { FoundFunction } from '../routing/function-table.ts';
import type { Invocation } from '../worker/frames.ts';
import type { WorkerPool } from '../worker/worker-pool.ts';
import { InvocationError, type InvocationOutcome, type WorkerProcess } from '../worker/worker-process.ts';
import { Callers } from './callers.ts';
import { HeldBodies } from './held-bodies.ts';
import { forward, isForwardable, triggerMetadata } from './http-stream.ts';
import { type Origin, toReply, toRpcRequest } from './http-values.ts';

export interface InvokerOptions {
  readonly workers: WorkerPool;
  /** Milliseconds that a function may run, or infinity. */
  readonly functionTimeout: number;
  /** Takes why an invocation failed. */
  readonly log: (line: string) => void;
}

/** What a worker is given to do. */
interface Work {
  readonly caller: string;
  readonly invocation: Invocation;
  readonly body: Uint8Array | undefined;
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
  const callers = new Callers();
  const bodies = new HeldBodies();

  return async (call) => {
    const worker = await workers.acquire();
    const reply =
      worker.httpUri === undefined
        ? await invokeByMessage(worker, call)
        : await invokeByStream(worker, worker.httpUri, call);
    callers.note(call.request.head, reply.status);
    return reply;
  };

  async function invokeByMessage(worker: WorkerProcess, call: FunctionCall): Promise<Reply> {
    const { body } = call.request;
    if (body.length === 'chunked' || body.length === 0) return invokeWithBody(worker, call, undefined);
    return bodies.run(body, (bytes) => invokeWithBody(worker, call, bytes));
  }

  async function invokeWithBody(
    worker: WorkerProcess,
    { request, origin, found }: FunctionCall,
    bytes: Buffer | undefined,
  ): Promise<Reply> {
    const { head } = request;
    if (!isHostUsable(origin.host)) return failed;
    const http = toRpcRequest(head, origin, found.params);
    const invocation = { ...invocationOf(request, found), http, triggerMetadata: {} };
    const outcome = await run(worker, { caller: callers.nameOf(head), invocation, body: bytes });
    return outcome === undefined ? failed : toReply(outcome);
  }

  async function invokeByStream(
    worker: WorkerProcess,
    uri: string,
    { request, origin, found }: FunctionCall,
  ): Promise<Reply> {
    const invocation: Invocation = {
      ...invocationOf(request, found),
      http: undefined,
      triggerMetadata: triggerMetadata(request, found.params),
    };
    const abort = new AbortController();
    const caller = callers.nameOf(request.head);
    const outcome = run(worker, { caller, invocation, body: undefined }).then((result) => {
      if (result === undefined) abort.abort();
      return result;
    });
    // The host's client refuses such a request without a word, and the worker waits for it until the function's time is over.
    if (!isForwardable(request, origin)) {
      await outcome;
      return failed;
    }
    return forward(request, origin, { uri, invocation: invocation.id }, abort.signal).catch(async () => {
      await outcome;
      return failed;
    });
  }

  /** Runs a function once it is the caller's turn. Resolves with undefined when it fails or takes too long. */
  async function run(worker: WorkerProcess, work: Work): Promise<InvocationOutcome | undefined> {
    const { caller, invocation, body } = work;
    try {
      const release = await worker.handOver.next(caller, body?.length ?? 0);
      return await withinTime(worker, invocation, worker.invoke(invocation, body)).finally(release);
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

function invocationOf(
  { head: { headers } }: ServerRequest,
  { name, trigger }: FoundFunction,
): Pick<Invocation, 'id' | 'function' | 'trigger' | 'traceParent' | 'traceState'> {
  return {
    id: randomUUID(),
    function: name,
    trigger,
    traceParent: headers.get('traceparent'),
    traceState: headers.get('tracestate'),
  };
}
