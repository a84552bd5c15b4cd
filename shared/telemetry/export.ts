/** Sends telemetry where the settings say. What does that is loaded after the first reply, and only then; it never holds up a request. */

import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Config, Environment } from '../config.ts';
import type { Credential } from '../managed-identity.ts';
import { logFailure } from './log.ts';
import type { FinishedTrace } from './measurement.ts';
import { onTrace } from './trace.ts';

/** Where telemetry goes. */
export interface Targets {
  /** Which of the two go to an OTLP end point, which the standard variables describe. */
  readonly otlp: Signals;
  /** Connection string of Application Insights, when the host leaves it to the app to say what the app knows; else empty. */
  readonly applicationInsights: string;
  readonly credential: () => Credential;
  /** Whether the host sends a span for each request as well, below which that of the app stands. */
  readonly hostSendsRequests: boolean;
}

export interface Signals {
  readonly traces: boolean;
  readonly metrics: boolean;
}

/** What sends to one target. */
export interface Exporters {
  readonly traces?: SpanExporter;
  readonly metrics?: PushMetricExporter;
}

/** What takes finished requests. */
export interface Sink {
  trace(finished: FinishedTrace): void;
  /** Sends the rest within a timeout in milliseconds. */
  close(timeout: number): Promise<void>;
}

/** Requests that wait for being written, at most. Further ones are dropped. */
const maxPending = 1_000;

/** Milliseconds after the first reply, which is out by then. */
const loadDelay = 50;

/** Milliseconds for sending what is left when the app ends. */
const closeTimeout = 2_000;

/** Returns where telemetry goes by the settings and the standard variables; undefined for nowhere. */
export function targetsOf(
  config: Config,
  environment: Environment,
  credential: () => Credential,
): Targets | undefined {
  if (environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return undefined;
  const hostSendsRequests = config.AzureFunctionsJobHost__telemetryMode === 'openTelemetry';
  const isExported = (signal: 'TRACES' | 'METRICS') =>
    (config.OTEL_EXPORTER_OTLP_ENDPOINT || environment[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] || '') !==
      '' && environment[`OTEL_${signal}_EXPORTER`] !== 'none';
  const otlp = { traces: isExported('TRACES'), metrics: isExported('METRICS') };
  const applicationInsights = hostSendsRequests ? config.APPLICATIONINSIGHTS_CONNECTION_STRING : '';
  if (!otlp.traces && !otlp.metrics && applicationInsights === '') return undefined;
  return { otlp, applicationInsights, credential, hostSendsRequests };
}

/** Begins to send; `load` loads what does it. Returns the function that ends it. */
export function startExport(load: () => Promise<Sink>): () => Promise<void> {
  const pending: FinishedTrace[] = [];
  let sink: Sink | undefined;
  let isDue = false;
  let isLoading = false;
  let hasFailed = false;

  function write(): void {
    isDue = false;
    for (const finished of pending.splice(0)) sink?.trace(finished);
  }

  async function open(): Promise<void> {
    try {
      sink = await load();
      write();
    } catch (error) {
      hasFailed = true;
      pending.length = 0;
      logFailure(undefined, error);
    }
  }

  function schedule(): void {
    if (sink === undefined) {
      if (!isLoading) setTimeout(() => void open(), loadDelay).unref();
      isLoading = true;
    } else if (!isDue) {
      isDue = true;
      setImmediate(write);
    }
  }

  onTrace((finished) => {
    if (hasFailed) return;
    if (pending.length < maxPending) pending.push(finished);
    schedule();
  });

  return async () => {
    write();
    await sink?.close(closeTimeout);
  };
}
