/** Writes what was measured of a request as spans, once it is answered, by the conventions of OpenTelemetry for HTTP and databases. */

import {
  type Context,
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace as traceApi,
} from '@opentelemetry/api';
import { RandomIdGenerator } from '@opentelemetry/sdk-trace-base';
import {
  type Attributes,
  type FinishedTrace,
  kinds,
  type Measurement,
  type Outcome,
  type TraceContext,
} from './measurement.ts';
import { failedAttribute, ignoresCallerSampling } from './sampler.ts';
import { durationOf, longCompute } from './trace.ts';

/** Where spans go. */
export interface SpanTarget {
  readonly tracer: Tracer;
  /** Gives the spans of the tracer the id of the trace that is written. */
  readonly ids: TraceIds;
  /** Whether the host sends a span for each request as well, below which that of the app stands. */
  readonly hostSendsRequests: boolean;
}

/** Generates ids for the tracer. A trace has had its id since its request began, so that log lines have it too. */
export class TraceIds extends RandomIdGenerator {
  /** Id of the trace whose spans are written; 32 hexadecimal digits. */
  current = '';
  override readonly generateTraceId = () => this.current;
}

/** Writes the span of a request, and below it one for each call that left the process, each wait, and each longer piece of computing. */
export function writeSpans({ trace, outcome, ended }: FinishedTrace, target: SpanTarget): void {
  const { tracer, ids, hostSendsRequests } = target;
  ids.current = trace.context.traceId;
  const root = tracer.startSpan(
    `${outcome.method} /${outcome.route}`,
    {
      kind: hostSendsRequests ? SpanKind.INTERNAL : SpanKind.SERVER,
      attributes: attributesOf(outcome),
      startTime: performance.timeOrigin + trace.started,
    },
    parentContext(trace.context, hostSendsRequests),
  );
  if (!root.isRecording()) return;
  const contexts = new Map<Measurement, Context>();
  const rootContext = traceApi.setSpan(ROOT_CONTEXT, root);
  for (const measurement of trace.measurements.filter(isWorthSpan)) {
    const parent = contexts.get(parentOf(measurement, contexts)) ?? rootContext;
    const span = writeMeasurement(measurement, ended, tracer, parent);
    contexts.set(measurement, traceApi.setSpan(ROOT_CONTEXT, span));
  }
  if (outcome.status >= 500) root.setStatus({ code: SpanStatusCode.ERROR });
  root.end(performance.timeOrigin + ended);
}

/** Writes the span of a measurement; one that still runs ends with its request. */
function writeMeasurement(
  measurement: Measurement,
  traceEnded: number,
  tracer: Tracer,
  parent: Context,
): Span {
  const { kind, name, started, ended = traceEnded, error } = measurement;
  const span = tracer.startSpan(
    name,
    {
      kind: kinds[kind].is === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
      attributes: attributesOfMeasurement(measurement),
      startTime: performance.timeOrigin + started,
    },
    parent,
  );
  if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(performance.timeOrigin + Math.max(started, Math.min(ended, traceEnded)));
  return span;
}

/** Returns the context of the span of the caller, or of none. What the caller samples counts where the caller is the host. */
function parentContext(context: TraceContext, hostSendsRequests: boolean): Context {
  const caller = callerOf(context);
  if (caller === undefined) return ROOT_CONTEXT;
  const followsHost = hostSendsRequests && context.hostSampled !== undefined;
  const traceFlags = context.hostSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  const parent = traceApi.setSpanContext(ROOT_CONTEXT, { ...caller, traceFlags });
  return followsHost ? parent : parent.setValue(ignoresCallerSampling, true);
}

function attributesOfMeasurement({ kind, attributes, error }: Measurement): Attributes {
  const isWait = kinds[kind].is === 'wait';
  if (!isWait && error === undefined) return attributes;
  return {
    ...attributes,
    ...(isWait ? { 'app.wait': true } : {}),
    ...(error === undefined ? {} : { 'error.type': error }),
  };
}

function isWorthSpan(measurement: Measurement): boolean {
  return kinds[measurement.kind].is !== 'compute' || durationOf(measurement) >= longCompute;
}

/** Returns the nearest measurement above one that has a span. */
function parentOf({ parent }: Measurement, spans: ReadonlyMap<Measurement, unknown>): Measurement {
  return parent === undefined || spans.has(parent) ? (parent as Measurement) : parentOf(parent, spans);
}

function attributesOf({ requestId, method, route, status, code }: Outcome): Attributes {
  return {
    'http.request.method': method,
    'http.route': `/${route}`,
    'http.response.status_code': status,
    'app.request.id': requestId,
    ...(code === undefined ? {} : { 'error.type': code }),
    ...(status >= 500 ? { [failedAttribute]: true } : {}),
  };
}

/** Returns the span of the caller; undefined where a trace begins here. */
function callerOf({ traceId, caller }: TraceContext): SpanContext | undefined {
  if (caller === undefined) return undefined;
  const { spanId, traceState } = caller;
  return {
    traceId,
    spanId,
    isRemote: true,
    traceFlags: TraceFlags.SAMPLED,
    ...(traceState === '' ? {} : { traceState: createTraceState(traceState) }),
  };
}
