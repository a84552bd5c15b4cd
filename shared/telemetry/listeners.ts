/** What is told of finished work: of each measurement, and of each request once its reply is ready. */

import type { Measurement, Trace } from './measurement.ts';

/** What came of a request. */
export interface Outcome {
  readonly requestId: string;
  readonly method: string;
  /** The template of the path, without a slash at its start. */
  readonly route: string;
  readonly status: number;
  /** Code of the error that was answered. */
  readonly code: string | undefined;
}

/** A request whose reply is ready. Times are milliseconds on the monotonic clock. */
export interface FinishedTrace {
  readonly trace: Trace;
  readonly outcome: Outcome;
  readonly ended: number;
}

const measurementListeners = new Set<(measurement: Measurement) => void>();
const traceListeners = new Set<(finished: FinishedTrace) => void>();

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
  const ended = performance.now();
  for (const listener of traceListeners) listener({ trace, outcome, ended });
}
