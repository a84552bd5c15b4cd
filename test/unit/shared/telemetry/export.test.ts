import { expect, test } from 'vitest';
import { readConfig } from '../../../../shared/config.ts';
import { targetsOf } from '../../../../shared/telemetry/export.ts';

const endpoint = 'http://127.0.0.1:4318';
const connection = 'InstrumentationKey=00000000-0000-0000-0000-000000000000';

const cases: [environment: Record<string, string>, otlp: string, toApplicationInsights: boolean][] = [
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, 'traces metrics', false],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/v1/traces` }, 'traces', false],
  [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${endpoint}/v1/metrics` }, 'metrics', false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_METRICS_EXPORTER: 'none' }, 'traces', false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'none' }, 'metrics', false],
  [
    {
      AzureFunctionsJobHost__telemetryMode: 'openTelemetry',
      APPLICATIONINSIGHTS_CONNECTION_STRING: connection,
    },
    '',
    true,
  ],
];

test.each(cases)('%j says where telemetry goes', (environment, otlp, toApplicationInsights) => {
  const targets = targetsOf(readConfig(environment), environment, () => {
    throw new Error('Nobody asks for it here.');
  });
  const signals = Object.entries(targets?.otlp ?? {}).flatMap(([name, goes]) => (goes ? [name] : []));
  expect([signals.join(' '), targets?.applicationInsights, targets?.hostSendsRequests]).toEqual([
    otlp,
    toApplicationInsights ? connection : '',
    toApplicationInsights,
  ]);
});

test.each([
  {},
  { APPLICATIONINSIGHTS_CONNECTION_STRING: connection },
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'true' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' },
])('%j sends nothing', (environment) => {
  expect(targetsOf(readConfig(environment), environment, () => ({}) as never)).toBeUndefined();
});
