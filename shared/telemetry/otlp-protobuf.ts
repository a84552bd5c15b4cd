/** OTLP over HTTP as protocol buffers: what the standard says where nothing else is set. */

import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { Exporters } from './export.ts';

/** Creates the exporters; the standard variables say where to. */
export function createExporters(): Exporters {
  return { traces: new OTLPTraceExporter(), metrics: new OTLPMetricExporter() };
}
