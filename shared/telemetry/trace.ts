/** What one request spends its time on: its measurements, from which its log line, Server-Timing, spans and metrics are made. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { isCodedError } from '../errors.ts';
import { readTraceContext, type TraceContext } from './trace-context.ts';

/** The parts of a request's time, as Server-Timing and the log name them. */
export type Part = 'auth' | 'input' | 'sql' | 'tables' | 'queue' | 'render';

/** What is measured. `client`: a call leaves the process; `wait`: for others; `compute`: it holds the processor, which is worth a span when it takes long. */
export const kinds = {
  sql: { part: 'sql', is: 'client' },
  tables: { part: 'tables', is: 'client' },
  keys: { part: 'auth', is: 'client' },
  identity: { part: 'auth', is: 'client' },
  queue: { part: 'queue', is: 'wait' },
  auth: { part: 'auth', is: 'compute' },
  input: { part: 'input', is: 'compute' },
  render: { part: 'render', is: 'compute' },
} as const satisfies Record<string, { readonly part: Part; readonly is: 'client' | 'wait' | 'compute' }>;

export type Kind = keyof typeof kinds;

/** Facts about a piece of work, under the names of OpenTelemetry's conventions; never values of users. */
export type Attributes = Record<string, string | number | boolean>;

/** One piece of work that was measured. Times are milliseconds on the monotonic clock. */
export interface Measurement {
  readonly kind: Kind;
  readonly name: string;
  readonly attributes: Attributes;
  readonly parent: Measurement | undefined;
  readonly started: number;
  /** Undefined while it goes on. */
  ended: number | undefined;
  /** Code of the failure, or its name. */
  error: string | undefined;
  /** Milliseconds of what was measured within it. */
  inner: number;
}

/** The line that an invocation is given goes to its own log. */
export type LogLevel = 'debug' | 'information' | 'error';

/** The invocation of a function, as far as telemetry goes. */
export interface Invocation {
  readonly traceParent: string | undefined;
  readonly traceState: string | undefined;
  readonly log: (level: LogLevel, line: string) => void;
}

/** What an audit line says of a change, as far as it is known. */
export interface ChangeFacts {
  readonly kind?: string;
  readonly id?: string | number;
  /** Names of the fields, or identifiers of custom data, that were sent. */
  readonly names?: readonly string[];
  /** Entity tag of the state before; a function is asked when the line is written, and what it throws means that nobody knows. */
  readonly before?: string | undefined | (() => string);
  readonly after?: string | undefined;
}

export interface PartTime {
  count: number;
  milliseconds: number;
}

export interface Trace {
  readonly context: TraceContext;
  readonly started: number;
  readonly log: Invocation['log'] | undefined;
  readonly measurements: Measurement[];
  readonly parts: Map<Part, PartTime>;
  change: ChangeFacts;
  /** Whether the reply is out; what goes on for others no longer belongs to it. */
  done: boolean;
}

/** Told of every measurement that has ended, of background work too. */
type Listener = (measurement: Measurement) => void;

/** Milliseconds from which on work of the processor is worth a span. */
export const longCompute = 5;

/** Measurements that a request keeps, at most; the first load of a calendar has hundreds. */
const maxMeasurements = 256;

const current = new AsyncLocalStorage<{ readonly trace: Trace; readonly parent: Measurement | undefined }>();
const listeners = new Set<Listener>();

/** Calls a function with every measurement that ends from now on. */
export function onMeasurement(listener: Listener): void {
  listeners.add(listener);
}

/** Creates the trace of a request that has just arrived. */
export function createTrace(invocation?: Invocation): Trace {
  return {
    context: readTraceContext(invocation?.traceParent, invocation?.traceState),
    started: performance.now(),
    log: invocation?.log,
    measurements: [],
    parts: new Map(),
    change: {},
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

/** Returns how long a measurement took, in milliseconds; until now while it goes on. */
export function durationOf({ started, ended = performance.now() }: Measurement): number {
  return ended - started;
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
  const started = performance.now();
  return { kind, name, attributes, parent, started, ended: undefined, error: undefined, inner: 0 };
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
  for (const listener of listeners) listener(measurement);
}
