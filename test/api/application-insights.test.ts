/** The telemetry that the app sends to Application Insights, signed in as its managed identity: what leads from the id of a slow reply to its statement (docs/run.md). */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { recordsAs } from '../support/records.ts';
import { selfSignedCertificate } from '../support/self-signed-certificate.ts';

/** What the exporter sends for each span and each point of a metric. */
interface Envelope {
  readonly tags: Readonly<Record<string, string>>;
  readonly data: { readonly baseType: string; readonly baseData: { readonly name?: string } };
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

type Line = Readonly<Record<string, unknown>>;

/** Returns what the app has logged of an event. */
const logged = (event: string): Line[] =>
  lines.flatMap((line) => {
    const entry: Line = line.startsWith('{') ? JSON.parse(line) : {};
    return entry['event'] === event ? [entry] : [];
  });

test('the X-Request-Id of a reply leads to its parts and its trace, and the trace to its calls and statements', async () => {
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
  await expect
    .poll(() => logged('request').filter((entry) => entry['requestId'] === requestId))
    .toMatchObject([
      {
        status: 200,
        traceId,
        route: expect.any(String),
        milliseconds: expect.any(Number),
        parts: { sql: { count: expect.any(Number) } },
        sources: expect.any(Object),
      },
    ]);

  const names = ['find user', 'find object', 'read registrations', 'store custom data'];
  const calls = () =>
    envelopes
      .filter(({ tags }) => tags['ai.operation.id'] === traceId)
      .flatMap(({ data: { baseType, baseData } }) =>
        baseType === 'RemoteDependencyData' ? [baseData.name] : [],
      );
  // The exporter gives up a batch that it cannot send, so each look follows another request of the trace.
  await expect
    .poll(async () => {
      await put();
      return calls();
    })
    .toEqual(expect.arrayContaining(names));
  const measured = logged('measurement').filter((entry) => entry['traceId'] === traceId);
  expect(measured.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  expect(measured[0]).toMatchObject({ kind: expect.any(String), milliseconds: expect.any(Number) });

  expect([...tokens]).toEqual([expect.stringMatching(/^Bearer ey/)]);
  expect(JSON.stringify(envelopes)).not.toMatch(/secret|example\.org/);
});
