/** What finished requests become: spans, sampled or not, and metrics, compared whole with what the SDK was given. */

import { setImmediate as logWritten } from 'node:timers/promises';
import { diag, SpanKind, TraceFlags } from '@opentelemetry/api';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type GaugeName, gauges, offerGauge } from '../../../../shared/telemetry/gauges.ts';
import type {
  Attributes,
  Kind,
  Measurement,
  Outcome,
  Trace,
} from '../../../../shared/telemetry/measurement.ts';
import { createMetrics } from '../../../../shared/telemetry/metrics.ts';
import { createSampler } from '../../../../shared/telemetry/sampler.ts';
import { openSdk, resourceOf } from '../../../../shared/telemetry/sdk.ts';
import { TraceIds, writeSpans } from '../../../../shared/telemetry/spans.ts';
import { tellMeasurement } from '../../../../shared/telemetry/trace.ts';
import { useStillClock } from '../../../support/timers.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

interface Measured {
  readonly attributes?: Attributes;
  readonly parent?: Measurement;
  readonly error?: string;
}

function measured(
  kind: Kind,
  name: string,
  started: number,
  ended: number | undefined,
  { attributes = {}, parent, error }: Measured = {},
): Measurement {
  return { kind, name, attributes, parent, started, ended, error, inner: 0 };
}

function traceOf(measurements: Measurement[], caller?: Trace['context']['caller']): Trace {
  const context = { traceId, ...(caller === undefined ? {} : { caller }) };
  return {
    context,
    started: 100,
    log: undefined,
    measurements,
    parts: new Map(),
    change: {},
    waited: 0,
    done: true,
  };
}

const outcome: Outcome = { requestId: 'r-1', method: 'GET', route: 'a/{id}', status: 200, code: undefined };

const resource = emptyResource();
const instrumentationScope = { name: 'test' };

/** The spans of a request that ends at 200. */
function written(trace: Trace, of: Outcome = outcome, kind: SpanKind = SpanKind.SERVER): ReadableSpan[] {
  const exporter = new InMemorySpanExporter();
  const ids = new TraceIds();
  const tracer = new BasicTracerProvider({
    resource,
    sampler: createSampler({}),
    idGenerator: ids,
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  }).getTracer(instrumentationScope.name);
  writeSpans(
    { trace, outcome: of, ended: 200 },
    { tracer, ids, hostSendsRequests: kind === SpanKind.INTERNAL },
  );
  return exporter.getFinishedSpans();
}

/** The same with their times and the names of their parents. */
function spansOf(...of: Parameters<typeof written>) {
  const spans = written(...of);
  const time = ([seconds, nanoseconds]: readonly [number, number]) =>
    Math.round(seconds * 1_000 + nanoseconds / 1e6 - performance.timeOrigin);
  return spans.map(({ name, kind, startTime, endTime, attributes, status, parentSpanContext: parent }) => ({
    name,
    kind,
    from: time(startTime),
    to: time(endTime),
    attributes,
    status: status.code,
    parent: spans.find((span) => span.spanContext().spanId === parent?.spanId)?.name ?? parent?.spanId,
  }));
}

describe('writeSpans()', () => {
  const root = {
    name: 'GET /a/{id}',
    kind: SpanKind.SERVER,
    from: 100,
    to: 200,
    status: 0,
    parent: undefined,
    attributes: {
      'http.request.method': 'GET',
      'http.route': '/a/{id}',
      'http.response.status_code': 200,
      'app.request.id': 'r-1',
    },
  };

  test('writes calls, waits, and computing of five milliseconds, each below the nearest one that is written', () => {
    const render = measured('render', 'page', 110, 115);
    const short = measured('input', 'short', 111, 115.9, { parent: render });
    const query = measured('sql', 'query', 112, 114, { parent: short, attributes: { rows: 3 } });
    const wait = measured('queue', 'turn', 120, 130, { error: 'overloaded', attributes: { a: 1 } });
    const keys = measured('keys', 'keys', 140, 250, { parent: measured('auth', 'unknown', 139, 141) });
    const table = measured('tables', 'head', 150, undefined);
    const spans = spansOf(traceOf([render, short, query, wait, keys, table]));
    const internal = { kind: SpanKind.INTERNAL, attributes: {}, status: 0, parent: root.name };
    const client = { ...internal, kind: SpanKind.CLIENT };
    expect(spans).toEqual([
      { ...internal, name: 'page', from: 110, to: 115 },
      { ...client, name: 'query', from: 112, to: 114, attributes: { rows: 3 }, parent: 'page' },
      {
        ...internal,
        name: 'turn',
        from: 120,
        to: 130,
        status: 2,
        attributes: { a: 1, 'app.wait': true, 'error.type': 'overloaded' },
      },
      { ...client, name: 'keys', from: 140, to: 200 },
      { ...client, name: 'head', from: 150, to: 200 },
      root,
    ]);
  });

  test.each([
    [499, 0, {}],
    [500, 2, { 'app.request.failed': true }],
    [503, 2, { 'app.request.failed': true }],
  ])('says of status %i that it has failed: status %i', (status, code, more) => {
    const of = { ...outcome, status, code: 'some-code' };
    expect(spansOf(traceOf([]), of, SpanKind.INTERNAL)).toEqual([
      {
        ...root,
        kind: SpanKind.INTERNAL,
        status: code,
        attributes: {
          ...root.attributes,
          'http.response.status_code': status,
          'error.type': 'some-code',
          ...more,
        },
      },
    ]);
  });

  test('stands below the span of the caller', () => {
    expect(spansOf(traceOf([], { spanId, traceState: 'a=b' }))).toEqual([{ ...root, parent: spanId }]);
    const trace = traceOf([], { spanId, traceState: '' });
    const unsampled = { ...trace, context: { ...trace.context, hostSampled: false } };
    expect(spansOf(unsampled, outcome, SpanKind.INTERNAL)).toEqual([]);
    expect(spansOf(unsampled)).toHaveLength(1);
  });

  test('has all that exporters read', () => {
    const late = measured('sql', 'query', 150.25, 151.5);
    const [query, request] = written(traceOf([late], { spanId, traceState: 'a=b' }));
    const parent = { traceId, spanId, isRemote: true };
    const contexts = [query, request].map((span) => span?.spanContext());
    for (const context of contexts) {
      expect(context).toMatchObject({ traceId, traceFlags: TraceFlags.SAMPLED });
      expect(context?.spanId).toMatch(/^[0-9a-f]{16}$/);
      expect(context?.traceState?.serialize()).toBe('a=b');
    }
    expect(contexts[0]?.spanId).not.toBe(contexts[1]?.spanId);
    expect(request?.parentSpanContext).toMatchObject(parent);
    expect(query?.parentSpanContext).toEqual(contexts[1]);
    expect(request?.duration).toEqual([0, 100_000_000]);
    const facts = { ended: true, links: [], events: [], resource, instrumentationScope };
    const dropped = { droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 };
    expect(query).toMatchObject({ ...facts, ...dropped, duration: [0, 1_250_000] });
    const since = (time: readonly [number, number] = [0, 0]) =>
      time[0] * 1_000 + time[1] / 1e6 - performance.timeOrigin;
    expect(since(query?.startTime)).toBeCloseTo(150.25, 2);
    expect(since(query?.endTime)).toBeCloseTo(151.5, 2);
    expect(written(traceOf([]))[0]?.parentSpanContext).toBeUndefined();
  });

  test('has spans of no less than no time, where the clock of a wait began after the reply', () => {
    const [wait] = written(traceOf([measured('queue', 'turn', 201, 205)]));
    expect(wait?.duration).toEqual([0, 0]);
    expect(wait?.startTime).toEqual(wait?.endTime);
  });
});

describe('resourceOf()', () => {
  test.each([
    [{}, 'records-and-calendar'],
    [{ WEBSITE_SITE_NAME: 'site' }, 'site'],
    [{ WEBSITE_SITE_NAME: 'site', OTEL_SERVICE_NAME: 'own' }, 'own'],
  ])('with %j it is sent in the name of %s', (environment, name) => {
    expect(resourceOf(environment).attributes['service.name']).toBe(name);
  });
});

describe('openSdk()', () => {
  const targets = {
    otlp: { traces: true, metrics: true },
    applicationInsights: '',
    hostSendsRequests: false,
    credential: () => ({ getToken: async () => null }),
  };
  const openFor = (protocol: string) => openSdk(targets, { OTEL_EXPORTER_OTLP_PROTOCOL: protocol });

  test.each(['grpc', 'http/json'])('refuses an exporter for %s by name', async (protocol) => {
    await expect(openFor(protocol)).rejects.toThrow(
      `(OTEL_EXPORTER_OTLP_PROTOCOL or OTEL_EXPORTER_OTLP_TRACES_PROTOCOL) is ${protocol}, not http/protobuf.`,
    );
  });

  test('says once a minute what cannot be sent', async () => {
    useStillClock();
    const lines: string[] = [];
    const written = vi
      .spyOn(process.stdout, 'write')
      .mockImplementation((text) => lines.push(String(text)) > 0);
    onTestFinished(() => {
      diag.disable();
      written.mockRestore();
    });
    await expect(openFor('grpc')).rejects.toThrow();
    for (const milliseconds of [0, 59_999, 1]) {
      vi.advanceTimersByTime(milliseconds);
      diag.warn('not worth a line');
      diag.error(`refused after ${milliseconds}`);
      await logWritten();
    }
    const said = new Set(lines.join('').match(/Cannot send telemetry: [\w ]+/g));
    expect([...said]).toEqual([
      'Cannot send telemetry: refused after 0',
      'Cannot send telemetry: refused after 1',
    ]);
  });
});

test('createMetrics() offers every instrument with its unit, and counts what it is told', async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  const count = createMetrics(meters.getMeter('test'));
  for (const name of Object.keys(gauges) as GaugeName[])
    offerGauge(name, 'test', () => [[7, { of: 'test' }]]);
  const finish = (status: number, code: string | undefined, ended: number) =>
    count({ trace: traceOf([]), outcome: { ...outcome, status, code }, ended });
  for (const [status, code, ended] of [
    [200, undefined, 350],
    [400, 'invalid', 1_100],
    [503, 'busy', 1_100],
    [500, 'broken', 1_100],
    [429, 'too-many', 1_100],
  ] as const)
    finish(status, code, ended);
  const database = { 'db.system.name': 'microsoft.sql_server', 'db.namespace': 'main', secret: 'x' };
  tellMeasurement(measured('sql', 'find user', 0, 2_000, { attributes: database, error: 'timeout' }));
  tellMeasurement(measured('tables', 'head', 0, 40));
  tellMeasurement(measured('keys', 'keys', 0, 30));
  tellMeasurement(measured('identity', 'token', 0, 30));
  tellMeasurement(measured('queue', 'turn', 0, 20, { error: 'overloaded' }));
  tellMeasurement(measured('render', 'page', 0, 20));
  await reader.forceFlush();
  const metrics = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics[0]?.metrics ?? []);
  await meters.shutdown();

  const offered = metrics.map(({ descriptor: { name, unit, description }, dataPointType }) => [
    name,
    unit,
    DataPointType[dataPointType],
    description.endsWith('.'),
  ]);
  const histogram = 'HISTOGRAM';
  const gauge = 'GAUGE';
  const sum = 'SUM';
  expect(offered.toSorted()).toEqual(
    [
      ['http.server.request.duration', 's', histogram],
      ['app.requests.refused', '{request}', sum],
      ['db.client.operation.duration', 's', histogram],
      ['http.client.request.duration', 's', histogram],
      ['app.wait.duration', 's', histogram],
      ['nodejs.eventloop.delay.mean', 's', gauge],
      ['nodejs.eventloop.delay.p99', 's', gauge],
      ['nodejs.eventloop.delay.max', 's', gauge],
      ['process.memory.usage', 'By', gauge],
      ['v8js.memory.heap.used', 'By', gauge],
      ['db.client.connection.count', '{connection}', gauge],
      ['db.client.connection.pending_requests', '{request}', gauge],
      ['app.budget.used', '1', gauge],
      ['app.budget.limit', '1', gauge],
      ['app.calendar.version', '1', gauge],
      ['app.calendar.replica.age', 's', gauge],
      ['app.calendar.records', '{record}', gauge],
      ['app.cache.hits', '{lookup}', sum],
      ['app.cache.misses', '{lookup}', sum],
      ['app.cache.size', 'By', gauge],
    ]
      .map((item) => [...item, true])
      .toSorted(),
  );

  const points = (wanted: string) =>
    metrics
      .filter(({ descriptor }) => descriptor.name === wanted)
      .flatMap(({ dataPoints }) =>
        dataPoints.map(({ attributes, value }) => [
          attributes,
          typeof value === 'object' ? [value.count, value.sum] : value,
        ]),
      );
  const request = { 'http.request.method': 'GET', 'http.route': '/a/{id}' };
  const outcomeWith = (status: number, code: string) => ({
    'http.response.status_code': status,
    'error.type': code,
  });
  expect(points('http.server.request.duration')).toEqual([
    [{ ...request, 'http.response.status_code': 200 }, [1, 0.25]],
    [{ ...request, ...outcomeWith(400, 'invalid') }, [1, 1]],
    [{ ...request, ...outcomeWith(503, 'busy') }, [1, 1]],
    [{ ...request, ...outcomeWith(500, 'broken') }, [1, 1]],
    [{ ...request, ...outcomeWith(429, 'too-many') }, [1, 1]],
  ]);
  expect(points('app.requests.refused')).toEqual([
    [outcomeWith(400, 'invalid'), 1],
    [outcomeWith(503, 'busy'), 1],
    [outcomeWith(429, 'too-many'), 1],
  ]);
  const { secret: _, ...kept } = database;
  expect(points('db.client.operation.duration')).toEqual([
    [{ ...kept, 'error.type': 'timeout' }, [1, 2]],
    [{ 'db.system.name': '' }, [1, 0.04]],
  ]);
  expect(points('http.client.request.duration')).toEqual([
    [{ 'app.call': 'keys' }, [1, 0.03]],
    [{ 'app.call': 'identity' }, [1, 0.03]],
  ]);
  expect(points('app.wait.duration')).toEqual([
    [{ 'app.wait.for': 'turn', 'error.type': 'overloaded' }, [1, 0.02]],
  ]);
  expect(points('app.cache.hits')).toContainEqual([{ of: 'test' }, 7]);
  const boundaries = metrics.flatMap(({ dataPoints: [point] }) =>
    typeof point?.value === 'object' && 'buckets' in point.value ? [point.value.buckets.boundaries] : [],
  );
  expect(boundaries).toEqual(Array(4).fill([0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]));
});
