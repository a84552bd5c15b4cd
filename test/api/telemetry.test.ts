/** The telemetry that the app sends to a collector: the spans that docs/run.md shows. A collector that fails does no harm. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { gauges } from '../../shared/telemetry/gauges.ts';
import { instruments } from '../../shared/telemetry/metrics.ts';
import { useApp } from '../support/app.ts';
import { type Behaviour, type ReceivedSpan, startCollector } from '../support/otlp-collector.ts';
import { recordsAs } from '../support/records.ts';
import { untilServed } from '../support/until-served.ts';

const collector = await startCollector();
afterAll(() => collector.stop());

const app = useApp({
  settings: {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_METRIC_EXPORT_INTERVAL: '500',
    OTEL_METRIC_EXPORT_TIMEOUT: '400',
    OTEL_SERVICE_NAME: 'tested',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=here',
    WEBSITE_INSTANCE_ID: 'instance-1',
    WEBSITE_SITE_NAME: 'site-1',
  },
});
const alice = recordsAs(app, 'alice@example.org');
const bjorn = recordsAs(app, 'bjorn@example.org');
const events = '/tribe/events/v1/events';

const spanId = 'b7ad6b7169203331';
let traces = 0;
/** Headers of a call in a new trace, and its id. */
function traced(sampled = true) {
  traces += 1;
  const traceId = String(traces).padStart(32, 'a');
  return { traceId, headers: { traceparent: `00-${traceId}-${spanId}-${sampled ? '01' : '00'}` } };
}

/** The spans of a trace once the one of the request is there, without those that only long computing has. */
async function spansOf(traceId: string): Promise<ReceivedSpan[]> {
  const found = () => collector.spans.filter((span) => span.traceId === traceId);
  await expect.poll(() => found().some(({ kind }) => kind === 2)).toBe(true);
  return found().filter(({ kind, attributes }) => kind !== 1 || 'app.wait' in attributes);
}

/** The names of spans below a request in the picture of the document. */
function picture(request: string): string[] {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'run.md'), 'utf8');
  const [, block = ''] = /^```trace\n([\s\S]*?)^```/m.exec(page) ?? [];
  const lines = block.split('\n').map((line) => /^( *)(.*?)(?: {2,}.*)?$/.exec(line) ?? []);
  const from = lines.findIndex(([, , name]) => name === request);
  const below = lines.slice(from + 1);
  const end = below.findIndex(([, indent, name]) => indent === '' || name === '');
  return below.slice(0, end === -1 ? undefined : end).map(([, , name = '']) => name);
}

/** Has connections, keys and calendar ready, so that a request has its own spans only. */
async function warmUp(): Promise<void> {
  const letter = '/v8.0/documents/document-letter/custom-data';
  await expect.poll(async () => (await alice('GET', letter)).status).toBe(200);
  await expect.poll(async () => (await app.call('GET', events)).status).toBe(200);
}

describe('a request that is traced', () => {
  test('PUT of custom data is one trace with the caller, of the spans in the picture', async () => {
    await warmUp();
    const { traceId, headers } = traced();
    const body = { note: 'secret value' };
    const { status } = await bjorn('PUT', '/v8.0/documents/document-contract/custom-data', { body, headers });
    expect(status).toBe(200);
    const spans = await spansOf(traceId);
    const root = spans.find(({ kind }) => kind === 2);
    expect(root).toMatchObject({
      parentSpanId: spanId,
      name: `PUT ${new URL(app.base).pathname.replace(/\/$/, '')}/v8.0/documents/{id}/custom-data`,
      attributes: { 'http.request.method': 'PUT', 'http.response.status_code': 200 },
    });
    const isSource = ({ attributes }: (typeof spans)[number]) => 'app.source.name' in attributes;
    const children = spans.filter((span) => span !== root && !isSource(span));
    const sources = spans.filter(isSource).map(({ name }) => name);
    expect(sources.sort()).toEqual(['deadline', 'invoice', 'invoiceHistory', 'parcels']);
    expect(children.map(({ name }) => name).toSorted()).toEqual(
      picture('PUT /api/v8.0/documents/{id}/custom-data').toSorted(),
    );
    for (const { kind, attributes } of children)
      expect({ kind, attributes }).toMatchObject({
        kind: 3,
        attributes: {
          'db.system.name': 'microsoft.sql_server',
          'db.namespace': expect.any(String),
          'db.response.returned_rows': expect.any(Number),
        },
      });
    expect(JSON.stringify(spans)).not.toMatch(/secret|example\.org/);
  });

  test('POST of an event too', async () => {
    await warmUp();
    const { traceId, headers } = traced();
    const body = { title: 'Talk', start_date: '2031-01-01 10:00:00', end_date: '2031-01-01 11:00:00' };
    const token = app.token('alice@example.org', ['Calendar.Editor']);
    const { status } = await app.call('POST', events, { token, body, headers });
    expect(status).toBe(201);
    const spans = await spansOf(traceId);
    expect(spans.flatMap(({ kind, name }) => (kind === 2 ? [] : [name]))).toEqual(
      picture('POST /api/tribe/events/v1/events'),
    );
    expect(spans.find(({ kind }) => kind === 2)?.parentSpanId).toBe(spanId);
    const ofTables = spans.filter(({ attributes }) => attributes['db.system.name'] === 'azure.tables');
    const table = app.stack.settings['CALENDAR_TABLE_NAME'] ?? 'calendar';
    for (const { kind, name, attributes } of ofTables)
      expect({ kind, ...attributes }).toMatchObject({
        kind: 3,
        'db.collection.name': table,
        'db.operation.name': name,
        ...(name === 'commit' ? { 'db.operation.batch.size': expect.any(Number) } : {}),
        ...(name === 'read rows' ? { 'db.response.returned_rows': expect.any(Number) } : {}),
      });
    expect(ofTables.map(({ name }) => name)).toContain('commit');
  });

  test('carries the code of its error, and is exported whatever the flag of its caller', async () => {
    const unsampled = traced(false);
    await alice('GET', '/v8.0/documents/document-letter', { headers: unsampled.headers });
    const { traceId, headers } = traced();
    await alice('GET', '/v8.0/documents/nothing', { headers });
    const root = (await spansOf(traceId)).find(({ kind }) => kind === 2);
    expect(root?.attributes).toMatchObject({
      'error.type': 'object-not-found',
      'http.response.status_code': 404,
    });
    expect((await spansOf(unsampled.traceId)).length).toBeGreaterThan(0);
  });
});

test('metrics come under the names and with the labels of the table, and no others', async () => {
  await warmUp();
  await alice('GET', '/v8.0/documents/nothing');
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'run.md'), 'utf8');
  const [, table = ''] = /^\| Metric \|.*\n\|[-|]*\n((?:\|.*\n)*)/m.exec(page) ?? [];
  const documented = new Map(
    [...table.matchAll(/^\| `([\w.]+)` \|[^|]*\| ([^|]*?) *\|/gm)].map(([, name = '', labels = '']) => [
      name,
      [...labels.matchAll(/`([\w.]+)`/g)].map(([, label]) => label),
    ]),
  );
  const offered = [...Object.values(gauges), ...Object.values(instruments)].map(({ name }) => name);
  expect([...documented.keys()].toSorted()).toEqual(offered.toSorted());
  const never = ['db.client.connection.pending_requests', 'app.wait.duration', 'app.cache.size'];
  const received = () => new Set(collector.points.map(({ name }) => name));
  await expect
    .poll(() => offered.filter((name) => !never.includes(name) && !received().has(name)))
    .toEqual(['http.client.request.duration'].filter((name) => !received().has(name)));
  const strange = collector.points.flatMap(({ name, attributes }) =>
    Object.keys(attributes).filter((label) => !documented.get(name)?.includes(label)),
  );
  expect(strange).toEqual([]);
});

test('numbers come with these labels, each with what there is', async () => {
  await warmUp();
  const { DB_NAME: main, DB_CUSTOMIZATION_NAME: customization } = app.stack.settings;
  const labelsOf = (name: string) =>
    new Set(
      collector.points
        .filter((point) => point.name === name && Number.isFinite(point.value))
        .map(({ attributes }) => Object.values(attributes).join(' ')),
    );
  const pools = [main ?? 'main', customization ?? 'customization'].flatMap((name) => [
    name,
    `${name} (checks)`,
  ]);
  const sized = ['sanitized texts', 'texts of the calendar', 'pages of the calendar'];
  const caches = [...sized, 'tokens', 'users', 'user bindings'];
  const labels = {
    'db.client.connection.count': pools.flatMap((pool) => [`${pool} used`, `${pool} idle`]),
    'db.client.connection.pending_requests': pools,
    'app.budget.used': [
      'requests',
      'bytes of bodies',
      'callers that wait for the calendar',
      'callers that wait for records',
    ],
    'app.budget.limit': [
      'requests',
      'bytes of bodies',
      'callers that wait for the calendar',
      'callers that wait for records',
    ],
    'app.calendar.version': [''],
    'app.calendar.replica.age': [''],
    'app.calendar.records': [''],
    'app.cache.hits': caches,
    'app.cache.misses': caches,
    'app.cache.size': sized,
  };
  const sorted = (of: (name: string) => Iterable<string>) =>
    Object.keys(labels).map((name) => [name, [...new Set(of(name))].toSorted()]);
  await expect.poll(() => sorted(labelsOf)).toEqual(sorted((name) => labels[name as keyof typeof labels]));
});

test('whoever sends is named as the settings have it', async () => {
  await alice('GET', '/v8.0/documents/document-letter', traced());
  await expect.poll(() => collector.resources.length).toBeGreaterThan(0);
  expect(collector.resources[0]).toMatchObject({
    'service.name': 'tested',
    'service.instance.id': 'instance-1',
    'deployment.environment.name': 'here',
  });
});

test.each(['hang', 'slow', 'refuse'] satisfies Behaviour[])(
  'a collector that is told to %s holds up no request',
  async (behaviour) => {
    collector.behaviour = behaviour;
    const before = collector.disturbed;
    const calls = Array.from({ length: 20 }, () =>
      untilServed(() => alice('GET', '/v8.0/documents/document-letter')),
    );
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200));
    await expect.poll(() => collector.disturbed).toBeGreaterThan(before);
    expect((await alice('GET', '/v8.0/documents/document-letter')).status).toBe(200);
  },
);
