/** OTLP over HTTP as protocol buffers, in a separate file: packages in CommonJS are bundled whole unless they are imported by name. */

import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';

/** Creates what sends spans; the standard variables say where to. */
export function traceExporter(): OTLPTraceExporter {
  return new OTLPTraceExporter();
}

/** Creates what sends metrics; the standard variables say where to. */
export function metricExporter(): OTLPMetricExporter {
  return new OTLPMetricExporter();
}
