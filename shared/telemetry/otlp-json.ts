/** OTLP over HTTP as JSON, in a separate file: packages in CommonJS are bundled whole unless they are imported by name. */

import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';

/** Creates what sends spans; the standard variables say where to. */
export function traceExporter(): OTLPTraceExporter {
  return new OTLPTraceExporter();
}

/** Creates what sends metrics; the standard variables say where to. */
export function metricExporter(): OTLPMetricExporter {
  return new OTLPMetricExporter();
}
