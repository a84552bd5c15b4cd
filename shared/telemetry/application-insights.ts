/** Application Insights, as the app's managed identity. */

import { AzureMonitorMetricExporter, AzureMonitorTraceExporter } from '@azure/monitor-opentelemetry-exporter';
import type { Exporters, Targets } from './export.ts';

/** Creates the exporters. What cannot be sent is dropped: an instance has no disk that lasts. */
export function createExporters({ applicationInsights, credential }: Targets): Exporters {
  const options = {
    connectionString: applicationInsights,
    credential: credential(),
    disableOfflineStorage: true,
  };
  return { traces: new AzureMonitorTraceExporter(options), metrics: new AzureMonitorMetricExporter(options) };
}
