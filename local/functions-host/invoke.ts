/** One invocation of an HTTP function, as the Node worker performs it. */

import { randomUUID } from 'node:crypto';
import {
  type FunctionCallback,
  type FunctionMetadata,
  type Registrations,
  writeLog,
} from './functions-core.ts';
import { runHooks } from './load-app.ts';

/** An HTTP request as the host hands it to the worker (RpcHttp). */
export interface RpcRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

/** An HTTP response as the worker hands it back. */
export interface RpcResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string | undefined;
}

interface RpcHttp {
  readonly statusCode?: string;
  readonly headers?: Record<string, string>;
  readonly body?: { readonly bytes?: Uint8Array; readonly string?: string } | null;
}

/** Runs a function for a request, hooks included. Throws what the function throws. */
export async function invoke(
  registrations: Registrations,
  { metadata, callback }: { readonly metadata: FunctionMetadata; readonly callback: FunctionCallback },
  request: RpcRequest,
): Promise<RpcResponse> {
  const model = registrations.programmingModel;
  if (model === undefined) throw new Error('Cannot invoke: no programming model is registered.');
  const invocation = model.getInvocationModel(coreContext(metadata, request));
  const { context, inputs } = await invocation.getArguments();
  const shared = { hookData: {}, invocationContext: context };
  const before = { ...shared, functionCallback: callback, inputs };
  await runHooks(registrations, 'preInvocation', before);
  const after = { ...shared, inputs: before.inputs, result: null as unknown, error: null as unknown };
  try {
    after.result = await invocation.invokeFunction(context, before.inputs, before.functionCallback);
  } catch (error) {
    after.error = error;
  }
  // Hooks may replace the result, or the error by a result.
  await runHooks(registrations, 'postInvocation', after);
  if (after.error !== null) throw after.error;
  const { returnValue } = await invocation.getResponse(context, after.result);
  return toResponse((returnValue as { http?: RpcHttp } | null | undefined)?.http);
}

function coreContext(metadata: FunctionMetadata, request: RpcRequest): object {
  const invocationId = randomUUID();
  const trigger = Object.entries(metadata.bindings).find(([, { direction }]) => direction === 'in')?.[0];
  const { method, url, headers, params, body } = request;
  const http = { method, url, headers, params, ...(body === undefined ? {} : { body: { bytes: body } }) };
  return {
    invocationId,
    metadata,
    state: undefined,
    request: {
      invocationId,
      functionId: metadata.name,
      inputData: [{ name: trigger, data: { http } }],
      triggerMetadata: {},
      traceContext: {
        traceParent: headers['traceparent'],
        traceState: headers['tracestate'],
        attributes: {},
      },
      retryContext: undefined,
    },
    log: writeLog,
  };
}

function toResponse(http: RpcHttp | undefined): RpcResponse {
  const { statusCode = '204', headers = {}, body } = http ?? {};
  return { statusCode: Number(statusCode), headers, body: body?.bytes ?? body?.string };
}
