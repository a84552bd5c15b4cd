/** What telemetry costs: custom data read from an app that sends nothing, a tenth, or everything to a collector on the same machine. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startDevStack } from '../../local/index.ts';
import { prepareDatabases } from '../../scripts/migrate/migrate.ts';
import { type Benchmark, comparison } from './benchmark.ts';
import { throughputs } from './throughput.ts';

const path = '/v8.0/documents/document-letter/custom-data';

export const telemetry: Benchmark = async () => {
  let exports = 0;
  const collector = createServer((request, response) => {
    if (request.url === '/v1/traces') exports += 1;
    request.resume().on('end', () => response.end());
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const stack = await startDevStack({ migrate: prepareDatabases, sampleCalendar: false });
  const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const sampled = (ratio: string) =>
    stack.startAnotherApp({
      OTEL_EXPORTER_OTLP_ENDPOINT,
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: ratio,
    });
  const apps = [await stack.startAnotherApp(), await sampled('0.1'), await sampled('1')];
  try {
    const headers = { Authorization: `Bearer ${stack.token('alice@example.org')}` };
    const loads = apps.map(({ base }) => ({ url: base + path, headers }));
    const [off = Number.NaN, tenth = Number.NaN, all = Number.NaN] = await throughputs(loads);
    // What an app has not sent yet, it sends when it stops.
    await Promise.all(apps.map((app) => app.stop()));
    if (exports === 0) throw new Error('Cannot measure: the collector has received no span.');
    const against = { name: 'nothing sent', value: off };
    return [
      comparison('telemetry: a tenth sampled', tenth, 'requests/s', against, 'at least 0.9'),
      comparison('telemetry: everything sampled', all, 'requests/s', against, 'at least 0.9'),
    ];
  } finally {
    await Promise.all(apps.map((app) => app.stop()));
    await stack.stop();
    collector.closeAllConnections();
    collector.close();
  }
};
