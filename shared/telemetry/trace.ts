/** What one request spends its time on: its measurements, from which its log line, Server-Timing, spans and metrics are made. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { isCodedError } from '../errors.ts';
import {
  type Attributes,
  type ChangeFacts,
  type FinishedTrace,
  type Invocation,
  type Kind,
  kinds,
  type Measurement,
  type Outcome,
  type Trace,
  type TraceContext,
} from './measurement.ts';

/** Measurements that a request keeps, at most; the first load of a calendar has hundreds. */
const maxMeasurements = 256;

/** Milliseconds from which on work of the processor is worth a span. */
export const longCompute = 5;

const current = new AsyncLocalStorage<{ readonly trace: Trace; readonly parent: Measurement | undefined }>();

const measurementListeners = new Set<(measurement: Measurement) => void>();
const traceListeners = new Set<(finished: FinishedTrace) => void>();

/** Creates the trace of a request that has just arrived. */
export function createTrace(invocation?: Invocation): Trace {
  return {
    context: traceContextOf(invocation),
    started: performance.now(),
    log: invocation?.log,
    measurements: [],
    parts: new Map(),
    change: {},
    waited: 0,
    done: false,
  };
}

/** Runs the work of a request: what is measured within it belongs to its trace. */
export function inTrace<T>(trace: Trace, work: () => T): T {
  return current.run({ trace, parent: undefined }, work);
}

/** Returns the trace of the request that is worked on; undefined in the background. */
export function currentTrace(): Trace | undefined {
  const trace = current.getStore()?.trace;
  return trace?.done === true ? undefined : trace;
}

/** Adds what is known of the change that the current request makes. */
export function noteChange(facts: ChangeFacts): void {
  const trace = currentTrace();
  if (trace !== undefined) trace.change = { ...trace.change, ...facts };
}

/** Adds milliseconds for which the caller of the current request asked to wait. */
export function noteWait(milliseconds: number): void {
  const trace = currentTrace();
  if (trace !== undefined) trace.waited += milliseconds;
}

/** Measures work, which may add to the attributes of the measurement, and what it measures within. */
export async function measure<T>(
  kind: Kind,
  name: string,
  attributes: Attributes,
  work: (measurement: Measurement) => Promise<T>,
): Promise<T> {
  const store = current.getStore();
  const measurement = begin(kind, name, attributes, store?.parent);
  if (store !== undefined) keep(store.trace, measurement);
  try {
    const run = () => work(measurement);
    return await (store === undefined
      ? run()
      : current.run({ trace: store.trace, parent: measurement }, run));
  } catch (error) {
    measurement.error = errorName(error);
    throw error;
  } finally {
    end(measurement, store?.trace);
  }
}

/** Measures work of the processor, which does not wait. It is kept only when it takes long, and counts in any case. */
export function compute<T>(kind: Kind, name: string, work: () => T): T {
  const store = current.getStore();
  if (store === undefined) return work();
  const measurement = begin(kind, name, {}, store.parent);
  try {
    return work();
  } finally {
    end(measurement, store.trace);
    if (durationOf(measurement) >= longCompute) keep(store.trace, measurement);
  }
}

/** Adds work whose times are known afterwards, as a part of what is measured now; its time counts there. Times are milliseconds on the monotonic clock. */
export function addMeasurement(
  kind: Kind,
  name: string,
  attributes: Attributes,
  { started, ended }: { readonly started: number; readonly ended: number },
): void {
  const store = current.getStore();
  if (store === undefined) return;
  const measurement = { ...begin(kind, name, attributes, store.parent), started, ended };
  keep(store.trace, measurement);
  tellMeasurement(measurement);
}

/** Returns the code of an error of ours, else the name of its class. */
export function errorName(error: unknown): string {
  if (isCodedError(error)) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}

function begin(
  kind: Kind,
  name: string,
  attributes: Attributes,
  parent: Measurement | undefined,
): Measurement {
  const startedAt = performance.now();
  return { kind, name, attributes, parent, started: startedAt, ended: undefined, error: undefined, inner: 0 };
}

function keep({ measurements, done }: Trace, measurement: Measurement): void {
  if (!done && measurements.length < maxMeasurements) measurements.push(measurement);
}

/** Counts the time toward its part, without what was measured within it. */
function end(measurement: Measurement, trace: Trace | undefined): void {
  measurement.ended = performance.now();
  const duration = durationOf(measurement);
  if (measurement.parent !== undefined) measurement.parent.inner += duration;
  if (trace !== undefined && !trace.done) {
    const { part } = kinds[measurement.kind];
    const time = trace.parts.get(part) ?? { count: 0, milliseconds: 0 };
    time.count += 1;
    time.milliseconds += Math.max(0, duration - measurement.inner);
    trace.parts.set(part, time);
  }
  tellMeasurement(measurement);
}

/** Returns the duration of a measurement in milliseconds; until now while it runs. */
export function durationOf({ started, ended = performance.now() }: Measurement): number {
  return ended - started;
}

/** Calls a function with every measurement that ends from now on, those of background work too. */
export function onMeasurement(listener: (measurement: Measurement) => void): void {
  measurementListeners.add(listener);
}

/** Calls a function with every request that is answered from now on. */
export function onTrace(listener: (finished: FinishedTrace) => void): void {
  traceListeners.add(listener);
}

/** Tells of a measurement that has ended. */
export function tellMeasurement(measurement: Measurement): void {
  for (const listener of measurementListeners) listener(measurement);
}

/** Ends the trace of a request whose reply is ready, and tells of it. */
export function endTrace(trace: Trace, outcome: Outcome): void {
  trace.done = true;
  const endedAt = performance.now();
  for (const listener of traceListeners) listener({ trace, outcome, ended: endedAt });
}

const wellFormed =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * Returns the trace context of an invocation: the caller's trace, and the host's span of the request where that belongs to the same trace. A
 * caller decides on the id alone: whether the request is exported is the host's decision. Without a context a new trace begins.
 */
export function traceContextOf({
  traceParent,
  traceState = '',
  callerTraceParent,
  callerTraceState = '',
}: Partial<Invocation> = {}): TraceContext {
  const host = readTraceParent(traceParent);
  const caller = readTraceParent(callerTraceParent);
  const hostSampled = host === undefined ? {} : { hostSampled: host.sampled };
  const isHostSpan = host !== undefined && (caller === undefined || caller.traceId === host.traceId);
  const parent = isHostSpan ? host : caller;
  if (parent === undefined) return { traceId: randomUUID().replaceAll('-', '') };
  const { traceId, spanId } = parent;
  return {
    traceId,
    caller: { spanId, traceState: isHostSpan ? traceState : callerTraceState },
    ...hostSampled,
  };
}

/** Reads a traceparent (W3C Trace Context); undefined where it is absent or malformed. */
function readTraceParent(text = '') {
  const [, version, traceId, spanId = '', flags = '', more] = wellFormed.exec(text) ?? [];
  // Later versions may have more parts; this one has none.
  if (traceId === undefined || (version === '00' && more !== undefined)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Composes the header: milliseconds of each part without what was measured within it, how often, and of the whole; of each source for callers who see their names. */
export function serverTiming({ started, parts, measurements }: Trace, showsSources = false): string {
  const total = `total;dur=${(performance.now() - started).toFixed(1)}`;
  const partTimings = [...parts].map(
    ([part, { count, milliseconds }]) => `${part};dur=${milliseconds.toFixed(1)};desc="${count} x"`,
  );
  const sources = measurements.filter(({ kind }) => showsSources && kind === 'source');
  const sourceTimings = sources.map(
    (source) => `source;dur=${durationOf(source).toFixed(1)};desc=${JSON.stringify(headerText(source.name))}`,
  );
  return [...partTimings, ...sourceTimings, total].join(', ');
}

/** Returns a text as far as a header can hold it. */
function headerText(text: string): string {
  return text.replace(/[^ -~]/g, '?');
}
