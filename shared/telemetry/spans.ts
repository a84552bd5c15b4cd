/** Writes what was measured of a request as spans, once it is answered, by the conventions of OpenTelemetry for HTTP and databases. */

import {
  createTraceState,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace as traceApi,
} from '@opentelemetry/api';
import {
  RandomIdGenerator,
  type ReadableSpan,
  type Sampler,
  SamplingDecision,
} from '@opentelemetry/sdk-trace-base';
import {
  type Attributes,
  type FinishedTrace,
  kinds,
  type Measurement,
  type Outcome,
  type TraceContext,
} from './measurement.ts';
import { durationOf, longCompute } from './trace.ts';

/** Attribute of the span of a request that has failed, by which samplers keep it. */
export const failedAttribute = 'app.request.failed';

/** What all spans have alike, and where they go. */
export interface SpanTarget extends Pick<ReadableSpan, 'resource' | 'instrumentationScope'> {
  /** Decides on a request; what belongs to it goes with it. */
  readonly sampler: Sampler;
  /** Whether the host sends a span for each request as well, below which that of the app stands. */
  readonly hostSendsRequests: boolean;
  readonly take: (span: ReadableSpan) => void;
}

const ids = new RandomIdGenerator();

/** Writes the span of a request, and below it one for each call that left the process, each wait, and each longer piece of computing. */
export function writeSpans({ trace, outcome, ended }: FinishedTrace, target: SpanTarget): void {
  const { sampler, hostSendsRequests, take } = target;
  const kind = hostSendsRequests ? SpanKind.INTERNAL : SpanKind.SERVER;
  const { traceId } = trace.context;
  const name = `${outcome.method} /${outcome.route}`;
  const attributes = attributesOf(outcome);
  const caller = callerOf(trace.context);
  const { hostSampled } = trace.context;
  const followsHost = hostSendsRequests && hostSampled !== undefined && caller !== undefined;
  const traceFlags = hostSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  const context = followsHost
    ? traceApi.setSpanContext(ROOT_CONTEXT, { ...caller, traceFlags })
    : ROOT_CONTEXT;
  const { decision } = sampler.shouldSample(context, traceId, name, kind, attributes, []);
  if (decision !== SamplingDecision.RECORD_AND_SAMPLED) return;
  const facts = { name, kind, attributes, started: trace.started, ended, hasFailed: outcome.status >= 500 };
  const root = new FinishedSpan(facts, traceId, caller, target);
  const spans = new Map<Measurement, FinishedSpan>();
  for (const measurement of trace.measurements.filter(isWorthSpan)) {
    const parent = spans.get(parentOf(measurement, spans)) ?? root;
    const span = new FinishedSpan(factsOf(measurement, ended), traceId, parent.spanContext(), target);
    spans.set(measurement, span);
    take(span);
  }
  take(root);
}

interface SpanFacts extends Pick<ReadableSpan, 'name' | 'kind' | 'attributes'> {
  readonly started: number;
  readonly ended: number;
  readonly hasFailed: boolean;
}

function factsOf(measurement: Measurement, traceEnded: number): SpanFacts {
  const { kind, name, started, ended = traceEnded, error } = measurement;
  return {
    name,
    kind: kinds[kind].is === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
    attributes: attributesOfMeasurement(measurement),
    started,
    ended: Math.min(ended, traceEnded),
    hasFailed: error !== undefined,
  };
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

const none: never[] = [];
const statuses = { ended: { code: SpanStatusCode.UNSET }, failed: { code: SpanStatusCode.ERROR } };

/** A span that has ended before it is written. Spans of the SDK copy their attributes twice, which costs several times as much. */
class FinishedSpan implements ReadableSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: ReadableSpan['attributes'];
  readonly parentSpanContext?: SpanContext;
  readonly status: ReadableSpan['status'];
  readonly resource: ReadableSpan['resource'];
  readonly instrumentationScope: ReadableSpan['instrumentationScope'];
  readonly links = none;
  readonly events = none;
  readonly ended = true;
  readonly droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;
  readonly #context: SpanContext;
  readonly #started: number;
  readonly #milliseconds: number;

  constructor(
    { name, kind, attributes, started, ended, hasFailed }: SpanFacts,
    traceId: string,
    parent: SpanContext | undefined,
    { resource, instrumentationScope }: SpanTarget,
  ) {
    this.name = name;
    this.kind = kind;
    this.attributes = attributes;
    if (parent !== undefined) this.parentSpanContext = parent;
    this.status = hasFailed ? statuses.failed : statuses.ended;
    this.resource = resource;
    this.instrumentationScope = instrumentationScope;
    const state = parent?.traceState === undefined ? {} : { traceState: parent.traceState };
    this.#context = { traceId, spanId: ids.generateSpanId(), traceFlags: TraceFlags.SAMPLED, ...state };
    this.#started = performance.timeOrigin + started;
    this.#milliseconds = Math.max(0, ended - started);
  }

  spanContext(): SpanContext {
    return this.#context;
  }

  get startTime(): [number, number] {
    return secondsOf(this.#started);
  }

  get endTime(): [number, number] {
    return secondsOf(this.#started + this.#milliseconds);
  }

  get duration(): [number, number] {
    return secondsOf(this.#milliseconds);
  }
}

/** Splits milliseconds into seconds and nanoseconds. */
function secondsOf(milliseconds: number): [number, number] {
  return [Math.trunc(milliseconds / 1_000), Math.round((milliseconds % 1_000) * 1e6)];
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
