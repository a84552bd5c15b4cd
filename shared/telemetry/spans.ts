/** Writes what was measured of a request as spans, once it is answered, by the conventions of OpenTelemetry for HTTP and databases. */

import {
  type Context,
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace as traceApi,
} from '@opentelemetry/api';
import {
  type FinishedTrace,
  kinds,
  type Measurement,
  type Outcome,
  type TraceContext,
} from './measurement.ts';
import { durationOf, longCompute } from './trace.ts';

/** Attribute of the span of a request that has failed, by which samplers keep it. */
export const failed = 'app.request.failed';

/** Writes the span of a request, and below it one for each call that left the process, each wait, and each longer piece of computing. */
export function writeSpans({ trace, outcome, ended }: FinishedTrace, tracer: Tracer, kind: SpanKind): void {
  const name = `${outcome.method} /${outcome.route}`;
  const options = { kind, startTime: epoch(trace.started), attributes: attributesOf(outcome) };
  const root = tracer.startSpan(name, options, callerOf(trace.context));
  if (root.isRecording()) {
    const spans = new Map<Measurement, Span>();
    for (const one of trace.measurements.filter(isWorthSpan))
      spans.set(one, writeSpan(one, spans.get(parentOf(one, spans)) ?? root, tracer, ended));
  }
  if (outcome.status >= 500) root.setStatus({ code: SpanStatusCode.ERROR });
  root.end(epoch(ended));
}

function writeSpan(measurement: Measurement, parent: Span, tracer: Tracer, traceEnded: number): Span {
  const { kind, name, attributes, started, ended = traceEnded, error } = measurement;
  const spanKind = kinds[kind].is === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL;
  const facts = kinds[kind].is === 'wait' ? { ...attributes, 'app.wait': true } : attributes;
  const options = { kind: spanKind, startTime: epoch(started), attributes: facts };
  const span = tracer.startSpan(name, options, traceApi.setSpan(ROOT_CONTEXT, parent));
  if (error !== undefined) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
  span.end(epoch(Math.min(ended, traceEnded)));
  return span;
}

function isWorthSpan(measurement: Measurement): boolean {
  return kinds[measurement.kind].is !== 'compute' || durationOf(measurement) >= longCompute;
}

/** Returns the nearest measurement above one that has a span. */
function parentOf({ parent }: Measurement, spans: ReadonlyMap<Measurement, Span>): Measurement {
  return parent === undefined || spans.has(parent) ? (parent as Measurement) : parentOf(parent, spans);
}

function attributesOf({ requestId, method, route, status, code }: Outcome) {
  return {
    'http.request.method': method,
    'http.route': `/${route}`,
    'http.response.status_code': status,
    'app.request.id': requestId,
    ...(code === undefined ? {} : { 'error.type': code }),
    ...(status >= 500 ? { [failed]: true } : {}),
  };
}

/** Returns the context of the caller's span, or one without a span: a trace of its own. */
function callerOf({ traceId, caller }: TraceContext): Context {
  if (caller === undefined) return ROOT_CONTEXT;
  const { spanId, sampled, traceState } = caller;
  return traceApi.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    isRemote: true,
    traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    ...(traceState === '' ? {} : { traceState: createTraceState(traceState) }),
  });
}

/** Turns a time on the monotonic clock into milliseconds since 1970. */
function epoch(time: number): number {
  return performance.timeOrigin + time;
}
