import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../../../shared/config.ts';
import { type Sink, startExport, targetsOf } from '../../../../shared/telemetry/export.ts';
import type { Outcome } from '../../../../shared/telemetry/measurement.ts';
import { createTrace, endTrace } from '../../../../shared/telemetry/trace.ts';
import { useFakeTimeouts } from '../../../support/timers.ts';

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

describe('startExport()', () => {
  /** A sink that can be loaded or not, what it was given, and requests that end. */
  function exporting(outcome: 'loads' | 'fails' = 'loads') {
    useFakeTimeouts();
    const given: string[] = [];
    const closed: number[] = [];
    let loads = 0;
    const sink: Sink = {
      trace: ({ outcome: { requestId } }) => given.push(requestId),
      close: async (timeout) => void closed.push(timeout),
    };
    const close = startExport(async () => {
      loads += 1;
      if (outcome === 'fails') throw new Error('cannot be loaded');
      return sink;
    });
    const end = (requestId: string) => {
      const about: Outcome = { requestId, method: 'GET', route: 'a', status: 200, code: undefined };
      endTrace(createTrace(), about);
    };
    const load = async () => {
      await vi.advanceTimersByTimeAsync(50);
      await nextTurn();
    };
    return { given, closed, loads: () => loads, close, end, load };
  }

  test('loads what sends 50 ms after the first reply, once, and hands over what waits', async () => {
    const { given, loads, end, load } = exporting();
    await vi.advanceTimersByTimeAsync(100);
    expect(loads()).toBe(0);
    for (const id of ['a', 'b']) end(id);
    await vi.advanceTimersByTimeAsync(49);
    expect(loads()).toBe(0);
    await load();
    expect([loads(), given]).toEqual([1, ['a', 'b']]);
    end('c');
    expect(given).toEqual(['a', 'b']);
    await nextTurn();
    end('d');
    end('e');
    await nextTurn();
    expect([loads(), given]).toEqual([1, ['a', 'b', 'c', 'd', 'e']]);
  });

  test('keeps the first 1,000 requests until then', async () => {
    const { given, end, load } = exporting();
    for (let number = 1; number <= 1_001; number++) end(String(number));
    await load();
    expect([given.length, given.at(-1)]).toEqual([1_000, '1000']);
  });

  test('hands over what waits when it ends, with two seconds to send it', async () => {
    const { given, closed, close, end, load } = exporting();
    end('a');
    await load();
    end('b');
    await close();
    expect([given, closed]).toEqual([['a', 'b'], [2_000]]);
  });

  test('keeps nothing more, and does not try again, after it could not be loaded', async () => {
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const { loads, closed, close, end, load } = exporting('fails');
    end('a');
    await load();
    const line = String(written.mock.calls.at(-1)?.[0]);
    written.mockRestore();
    end('b');
    await load();
    await close();
    expect([loads(), closed]).toEqual([1, []]);
    expect(line).toContain('cannot be loaded');
  });
});
