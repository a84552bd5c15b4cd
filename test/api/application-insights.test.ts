/**
 * The telemetry that the app sends to Application Insights, signed in as its managed identity. The three steps of docs/run.md from
 * the id of a slow reply to its statement run on it.
 */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { type Row, runQuery } from '../support/kusto-run.ts';
import { recordsAs } from '../support/records.ts';
import { selfSignedCertificate } from '../support/self-signed-certificate.ts';

/** What the exporter sends for each span and each point of a metric. */
interface Envelope {
  readonly time: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly data: {
    readonly baseType: string;
    readonly baseData: {
      readonly name?: string;
      readonly duration?: string;
      readonly success?: boolean;
      readonly properties?: Readonly<Record<string, string>>;
    };
  };
}

const { certificate, key } = selfSignedCertificate();
const folder = mkdtempSync(join(tmpdir(), 'insights-'));
const authority = join(folder, 'authority.pem');
writeFileSync(authority, certificate);

const envelopes: Envelope[] = [];
const tokens = new Set<string | undefined>();
const insights = createServer({ cert: certificate, key }, async (request, response) => {
  tokens.add(request.headers.authorization);
  const body = await buffer(request);
  const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
  const items = JSON.parse(text) as Envelope[];
  envelopes.push(...items);
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ itemsReceived: items.length, itemsAccepted: items.length, errors: [] }));
});
await new Promise<void>((resolve) => insights.listen(0, '127.0.0.1', resolve));
const { port } = insights.address() as AddressInfo;
afterAll(() => {
  insights.closeAllConnections();
  insights.close();
  rmSync(folder, { recursive: true });
});

const lines: string[] = [];
const app = useApp({
  log: (line) => lines.push(line),
  settings: {
    AzureFunctionsJobHost__telemetryMode: 'openTelemetry',
    APPLICATIONINSIGHTS_CONNECTION_STRING: `InstrumentationKey=11111111-1111-4111-8111-111111111111;IngestionEndpoint=https://127.0.0.1:${port}/`,
    APPLICATION_INSIGHTS_NO_STATSBEAT: 'true',
    NODE_EXTRA_CA_CERTS: authority,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    LOG_LEVEL: 'debug',
  },
});
const bjorn = recordsAs(app, 'bjorn@example.org');

/** The rows that Application Insights makes of what it is sent, and of the lines that the host hands over with their operation. */
function tables(): Record<string, Row[]> {
  return {
    requests: [],
    dependencies: envelopes.flatMap(({ time, tags, data: { baseType, baseData } }) =>
      baseType === 'RemoteDependencyData'
        ? {
            timestamp: time,
            itemType: 'dependency',
            itemCount: 1,
            name: baseData.name,
            duration: milliseconds(baseData.duration ?? ''),
            success: baseData.success,
            customDimensions: baseData.properties,
            operation_Id: tags['ai.operation.id'],
          }
        : [],
    ),
    traces: lines
      .filter((line) => line.startsWith('{'))
      .map((message) => {
        const { time, traceId } = JSON.parse(message) as { time: string; traceId?: string };
        return { timestamp: time, message, operation_Id: traceId };
      }),
  };
}

/** A duration as it is sent: days, hours, minutes and seconds. */
function milliseconds(duration: string): number {
  const [, days, hours, minutes, seconds] = /^(\d+)[.:](\d+):(\d+):([\d.]+)$/.exec(duration) ?? [];
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1_000;
}

const queries = readFileSync(join(import.meta.dirname, '../../infra/queries/operations.kql'), 'utf8').split(
  '\n\n',
);

/** Runs the query with this heading, with a value for its placeholder. */
function run(heading: string, value = ''): readonly Row[] {
  const query = queries.find((query) => query.startsWith(`// ${heading}\n`)) ?? '';
  return runQuery(query.replace(/<(?:request|trace) id>/, value), tables());
}

test('three steps lead from the X-Request-Id of a reply to its statement', async () => {
  const traceId = randomUUID().replaceAll('-', '');
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  /** Stores custom data in the same trace, and returns the id of the request. */
  async function put(): Promise<string> {
    const path = '/v8.0/documents/document-contract/custom-data';
    const reply = await bjorn('PUT', path, { body: { note: 'secret' }, headers });
    expect(reply.status).toBe(200);
    return reply.headers.get('X-Request-Id') ?? '';
  }
  const requestId = await put();

  // Which part?
  const find = () => run('The time of one request, its parts, and its trace', requestId);
  await expect
    .poll(find)
    .toMatchObject([{ status: 200, traceId, parts: { sql: { count: expect.any(Number) } } }]);

  // Which call?
  const calls = () => run('Every call of one trace, in order', String(find()[0]?.['traceId']));
  const names = ['find user', 'find object', 'read registrations', 'store custom data'];
  // The exporter gives up a batch that it cannot send, so each look follows another request of the trace.
  await expect
    .poll(async () => {
      await put();
      return calls().map(({ name }) => name);
    })
    .toEqual(expect.arrayContaining(names));
  expect(run('The same from lines of the level debug', traceId).map(({ name }) => name)).toEqual(
    expect.arrayContaining(names),
  );

  // Which statement, and is it always slow?
  const [hour] = run('One kind of call, for everyone');
  expect(hour).toMatchObject({ calls: expect.any(Number), p95: expect.any(Number) });
  const sources = readFileSync(
    join(import.meta.dirname, '../../shared/records/custom-data/store.ts'),
    'utf8',
  );
  expect(sources).toContain("'store custom data'");

  expect([...tokens]).toEqual([expect.stringMatching(/^Bearer ey/)]);
  expect(JSON.stringify(envelopes)).not.toMatch(/secret|example\.org/);
});
