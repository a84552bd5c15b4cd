/** OTLP over HTTP as JSON. A file of its own, since packages in CommonJS are bundled whole only where they are imported by name. */

import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { Exporters } from './export.ts';

/** Creates the exporters; the standard variables say where to. */
export function createExporters(): Exporters {
  return { traces: new OTLPTraceExporter(), metrics: new OTLPMetricExporter() };
}
