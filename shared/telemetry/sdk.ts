/** The SDK of OpenTelemetry and its exporters, loaded only where telemetry is sent: spans of finished requests in batches, with a bounded queue. */

import { diag } from '@opentelemetry/api';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import description from '../../package.json' with { type: 'json' };
import { withTimeout } from '../timing.ts';
import type { Exporters, Sink, Targets } from './export.ts';
import { logFailure } from './log.ts';
import { createMetrics } from './metrics.ts';
import { createSampler } from './sampler.ts';
import { type SpanTarget, TraceIds, writeSpans } from './spans.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const { version } = description;

/** The name of what measures. */
const scope = 'records-and-calendar';

/** Milliseconds between two lines about failures to send. */
const complaintPause = 60_000;

/** Opens the way to the targets. */
export async function openSdk(targets: Targets, environment: Environment): Promise<Sink> {
  complainSometimes();
  const exporters = await exportersOf(targets, environment);
  const resource = resourceOf(environment);
  const meters = new MeterProvider({
    resource,
    readers: exporters.flatMap(({ metrics }) =>
      metrics === undefined ? [] : new PeriodicExportingMetricReader(intervals(environment, metrics)),
    ),
  });
  const count = createMetrics(meters.getMeter(scope));
  const spanProcessors = exporters.flatMap(({ traces }) =>
    traces === undefined ? [] : new BatchSpanProcessor(traces),
  );
  const ids = new TraceIds();
  const tracers = new BasicTracerProvider({
    resource,
    sampler: createSampler(environment),
    idGenerator: ids,
    spanProcessors,
  });
  const target: SpanTarget = {
    tracer: tracers.getTracer(scope),
    ids,
    hostSendsRequests: targets.hostSendsRequests,
  };
  return {
    trace(finished) {
      if (spanProcessors.length > 0) writeSpans(finished, target);
      count(finished);
    },
    async close(timeout) {
      const timeoutError = () => new Error('Cannot send the last telemetry: it takes too long.');
      const shutdowns = Promise.all([tracers.shutdown(), meters.shutdown()]);
      await withTimeout(timeout, shutdowns, timeoutError).catch((error: unknown) =>
        logFailure(undefined, error),
      );
    },
  };
}

/** The SDK reads these variables only where it sets itself up. */
function intervals(
  { OTEL_METRIC_EXPORT_INTERVAL: interval, OTEL_METRIC_EXPORT_TIMEOUT: timeout }: Environment,
  exporter: PushMetricExporter,
) {
  return {
    exporter,
    exportIntervalMillis: Number(interval) || 60_000,
    exportTimeoutMillis: Math.min(Number(timeout) || 30_000, Number(interval) || 60_000),
  };
}

/** Returns the resource of the telemetry: the app, and its instance. */
export function resourceOf({ WEBSITE_SITE_NAME, WEBSITE_INSTANCE_ID, OTEL_SERVICE_NAME }: Environment) {
  const resource = resourceFromAttributes({
    'service.version': version,
    'service.name': OTEL_SERVICE_NAME ?? WEBSITE_SITE_NAME ?? 'records-and-calendar',
    ...(WEBSITE_INSTANCE_ID === undefined ? {} : { 'service.instance.id': WEBSITE_INSTANCE_ID }),
  });
  return defaultResource()
    .merge(resource)
    .merge(detectResources({ detectors: [envDetector] }));
}

/** Exporters are loaded one by one, since a bundle of all of them takes longer to load. */
async function exportersOf(targets: Targets, environment: Environment): Promise<Exporters[]> {
  const exporters: Exporters[] = [];
  const { traces, metrics } = targets.otlp;
  if (traces) exporters.push({ traces: (await otlpIn(environment, 'TRACES')).traceExporter() });
  if (metrics) exporters.push({ metrics: (await otlpIn(environment, 'METRICS')).metricExporter() });
  if (targets.applicationInsights !== '')
    exporters.push((await import('./application-insights.ts')).createExporters(targets));
  return exporters;
}

function otlpIn(environment: Environment, signal: 'TRACES' | 'METRICS') {
  const name = `OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`;
  const protocol = environment[name] || environment['OTEL_EXPORTER_OTLP_PROTOCOL'] || 'http/protobuf';
  if (protocol === 'http/protobuf') return import('./otlp.ts');
  throw new Error(
    `Cannot send telemetry: the protocol of OTLP (OTEL_EXPORTER_OTLP_PROTOCOL or ${name}) is ${protocol}, not http/protobuf.`,
  );
}

/** The SDK reports what fails, such as an end point that refuses; one line a minute says enough. */
function complainSometimes(): void {
  let last = Number.NEGATIVE_INFINITY;
  const complain = (message: string) => {
    if (performance.now() - last < complaintPause) return;
    last = performance.now();
    logFailure(undefined, new Error(`Cannot send telemetry: ${message}`));
  };
  const silent = () => {};
  diag.setLogger({ error: complain, warn: silent, info: silent, debug: silent, verbose: silent });
}
