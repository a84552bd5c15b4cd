/** One invocation of an HTTP function, as the Node worker performs it. */

import type { RegisteredFunction, Registrations } from './functions-core.ts';
import { runHooks } from './load-app.ts';
import type { LogLevel } from './log.ts';
import type { Invocation, RpcCookie, RpcReply } from './rpc.ts';

/** A reply with its body; undefined when it went back as an HTTP stream. */
export type InvocationResult =
  | { readonly reply: RpcReply; readonly body: Uint8Array | undefined }
  | undefined;

interface RpcHttp {
  readonly statusCode?: string;
  readonly headers?: Record<string, string>;
  readonly cookies?: readonly RpcCookie[];
  readonly body?: { readonly bytes?: Uint8Array; readonly string?: string } | null;
}

/** What the worker knows of an invocation, and the library may ask for. */
interface CoreContext {
  state: 'preInvocationHooks' | 'invocation' | 'postInvocationHooks' | undefined;
}

/** Runs a function, hooks included. Throws what the function throws. */
export async function invoke(
  registrations: Registrations,
  invocation: Invocation,
  body: Uint8Array | undefined,
): Promise<InvocationResult> {
  const registered = registrations.functions.get(invocation.function);
  const model = registrations.programmingModel;
  if (registered === undefined || model === undefined)
    throw new Error(`Cannot invoke "${invocation.function}": it is not registered.`);
  const core = coreContext(registrations, registered, invocation, body);
  const run = model.getInvocationModel(core);
  const { context, inputs } = await run.getArguments();
  const shared = { hookData: {}, invocationContext: context };
  const before = { ...shared, functionCallback: registered.callback, inputs };
  core.state = 'preInvocationHooks';
  await runHooks(registrations, 'preInvocation', before);
  const after = { ...shared, inputs: before.inputs, result: null as unknown, error: null as unknown };
  core.state = 'invocation';
  try {
    after.result = await run.invokeFunction(context, before.inputs, before.functionCallback);
  } catch (error) {
    after.error = error;
  }
  // Hooks may replace the result, or the error by a result.
  core.state = 'postInvocationHooks';
  await runHooks(registrations, 'postInvocation', after);
  core.state = undefined;
  if (after.error !== null) throw after.error;
  const { returnValue } = await run.getResponse(context, after.result);
  return toResult(returnValue as { http?: RpcHttp } | null | undefined);
}

function coreContext(
  { log }: Registrations,
  { metadata }: RegisteredFunction,
  { id, http, triggerMetadata, traceParent, traceState, trigger }: Invocation,
  body: Uint8Array | undefined,
): CoreContext {
  const data =
    http === undefined ? {} : { http: body === undefined ? http : { ...http, body: { bytes: owned(body) } } };
  return {
    invocationId: id,
    metadata,
    state: undefined,
    request: {
      invocationId: id,
      functionId: metadata.name,
      inputData: [{ name: trigger, data }],
      triggerMetadata,
      traceContext: { traceParent, traceState, attributes: {} },
      retryContext: undefined,
    },
    log(level: LogLevel, category: string, message: string) {
      log({ level, category, message, invocation: { id, function: metadata.name } });
    },
  } as CoreContext;
}

/** Returns a body that has its memory for itself as that memory, which the library takes over; it would copy an array of bytes. */
function owned(body: Uint8Array): ArrayBufferLike | Uint8Array {
  return body.byteLength === body.buffer.byteLength ? body.buffer : body;
}

function toResult(returnValue: { http?: RpcHttp } | null | undefined): InvocationResult {
  if (returnValue === undefined || returnValue === null) return undefined;
  const { statusCode = '200', headers = {}, cookies = [], body } = returnValue.http ?? {};
  const bytes = body?.bytes ?? (body?.string === undefined ? undefined : Buffer.from(body.string));
  return { reply: { status: Number(statusCode), headers, cookies }, body: bytes };
}
