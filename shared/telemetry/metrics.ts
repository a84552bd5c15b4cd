/** Metrics: made from the same measurements as spans, and from numbers that are read when they are collected. Names follow OpenTelemetry's conventions. */

import type { Histogram, Attributes as Labels, Meter } from '@opentelemetry/api';
import { startEventLoopDelay } from './event-loop.ts';
import { type GaugeDefinition, type GaugeName, gauges, readGauge } from './gauges.ts';
import { type FinishedTrace, kinds, type Measurement } from './measurement.ts';
import { durationOf, onMeasurement } from './trace.ts';

/** What is counted and measured here: the rest of the table of docs/run.md. */
export const instruments = {
  requests: { name: 'http.server.request.duration', unit: 's', description: 'Time of a request.' },
  refusals: {
    name: 'app.requests.refused',
    unit: '{request}',
    description: 'Requests that were refused (4xx, 503).',
  },
  operations: {
    name: 'db.client.operation.duration',
    unit: 's',
    description: 'Time of a call to SQL Server or the tables.',
  },
  calls: {
    name: 'http.client.request.duration',
    unit: 's',
    description: 'Time of a call for signing keys or a token.',
  },
  waits: {
    name: 'app.wait.duration',
    unit: 's',
    description: 'Time of a wait for a connection, a turn or the replica.',
  },
  loopDelayMean: {
    name: 'nodejs.eventloop.delay.mean',
    unit: 's',
    description: 'Mean delay of the event loop since the last collection.',
  },
  loopDelay99: {
    name: 'nodejs.eventloop.delay.p99',
    unit: 's',
    description: '99th percentile of the delay of the event loop since the last collection.',
  },
  loopDelayMax: {
    name: 'nodejs.eventloop.delay.max',
    unit: 's',
    description: 'Longest delay of the event loop since the last collection.',
  },
  memory: { name: 'process.memory.usage', unit: 'By', description: 'Memory of the process.' },
  heap: { name: 'v8js.memory.heap.used', unit: 'By', description: 'Memory of JavaScript objects.' },
} as const satisfies Record<string, GaugeDefinition>;

const boundaries = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Begins to measure, and returns what takes finished requests. */
export function createMetrics(meter: Meter): (finished: FinishedTrace) => void {
  const histogram = ({ name, ...options }: GaugeDefinition) =>
    meter.createHistogram(name, { ...options, advice: { explicitBucketBoundaries: boundaries } });
  const requests = histogram(instruments.requests);
  const refusals = meter.createCounter(instruments.refusals.name, instruments.refusals);
  const byIs = {
    sql: histogram(instruments.operations),
    keys: histogram(instruments.calls),
    queue: histogram(instruments.waits),
  };
  onMeasurement((measurement) => record(measurement, byIs));
  for (const name of Object.keys(gauges) as GaugeName[]) observe(meter, name);
  observeProcess(meter);

  return ({ trace, outcome: { method, route, status, code }, ended }) => {
    const error = code === undefined ? {} : { 'error.type': code };
    const labels = { 'http.response.status_code': status, ...error };
    requests.record((ended - trace.started) / 1_000, {
      'http.request.method': method,
      'http.route': `/${route}`,
      ...labels,
    });
    if (code !== undefined && (status < 500 || status === 503)) refusals.add(1, labels);
  };
}

type Durations = Readonly<Record<'sql' | 'keys' | 'queue', Histogram>>;

function record(measurement: Measurement, { sql, keys, queue }: Durations): void {
  const { kind, name, error } = measurement;
  const seconds = durationOf(measurement) / 1_000;
  const failure: Labels = error === undefined ? {} : { 'error.type': error };
  if (kind === 'queue') queue.record(seconds, { 'app.wait.for': name, ...failure });
  else if (kind === 'sql' || kind === 'tables' || kind === 'blobs')
    sql.record(seconds, { ...labelsOf(measurement), ...failure });
  else if (kinds[kind].is === 'client' && kind !== 'source')
    keys.record(seconds, { 'app.call': kind, ...failure });
}

/** Which of the attributes of a call have few values. */
function labelsOf({ attributes }: Measurement): Labels {
  const { 'db.system.name': system = '', 'db.namespace': database } = attributes;
  return { 'db.system.name': system, ...(database === undefined ? {} : { 'db.namespace': database }) };
}

function observe(meter: Meter, name: GaugeName): void {
  const definition: GaugeDefinition = gauges[name];
  const instrument = definition.grows
    ? meter.createObservableCounter(definition.name, definition)
    : meter.createObservableGauge(definition.name, definition);
  instrument.addCallback((result) => {
    for (const [value, attributes] of readGauge(name)) result.observe(value, attributes ?? {});
  });
}

function observeProcess(meter: Meter): void {
  const { loopDelayMean, loopDelay99, loopDelayMax, memory, heap } = instruments;
  const delay = startEventLoopDelay();
  const gaugeOf = (definition: GaugeDefinition) => meter.createObservableGauge(definition.name, definition);
  const [mean, p99, max] = [gaugeOf(loopDelayMean), gaugeOf(loopDelay99), gaugeOf(loopDelayMax)] as const;
  meter.addBatchObservableCallback(
    (result) => {
      // Without a measurement since the last collection there is no mean.
      result.observe(mean, (delay.mean || 0) / 1e9);
      result.observe(p99, delay.percentile(99) / 1e9);
      result.observe(max, delay.max / 1e9);
      delay.reset();
    },
    [mean, p99, max],
  );
  meter.createObservableGauge(memory.name, memory).addCallback((result) => {
    result.observe(process.memoryUsage.rss());
  });
  meter.createObservableGauge(heap.name, heap).addCallback((result) => {
    result.observe(process.memoryUsage().heapUsed);
  });
}
