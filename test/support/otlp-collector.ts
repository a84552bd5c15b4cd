/** A collector that takes telemetry over OTLP (HTTP, protocol buffers), and can be set to hang, to be slow, or to refuse. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { loadSync } from 'protobufjs';

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, string | number | boolean>>;
}

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1: internal, 2: server, 3: client. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code?: number };
}

interface ReceivedPoint {
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Undefined for a histogram. */
  readonly value: number | undefined;
}

export type Behaviour = 'take' | 'hang' | 'slow' | 'refuse';

const otlp = loadSync(join(import.meta.dirname, 'otlp.proto'));

/** The message that each path takes. */
const messages: Readonly<Record<string, string>> = {
  '/v1/traces': 'ExportTraceServiceRequest',
  '/v1/metrics': 'ExportMetricsServiceRequest',
};

/** Returns what a body says, with the names of OTLP's JSON. */
function messageOf(path: string | undefined, body: Uint8Array): unknown {
  const type = otlp.lookupType(messages[path ?? ''] ?? `of ${path}`);
  return type.toObject(type.decode(body), { longs: Number });
}

/** Milliseconds that a slow collector takes. */
const slowness = 300;

/** Starts a collector on any free port of this machine. */
export async function startCollector() {
  const spans: ReceivedSpan[] = [];
  const points: ReceivedPoint[] = [];
  /** Resource attributes of the senders of spans or metrics, once for each time. */
  const resources: Record<string, unknown>[] = [];
  /** Requests that came while the collector behaved otherwise than to take them are `disturbed`. */
  const state = { behaviour: 'take' as Behaviour, disturbed: 0 };

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (state.behaviour !== 'take') state.disturbed += 1;
    if (state.behaviour === 'hang') return;
    if (state.behaviour === 'refuse') {
      request.socket.destroy();
      return;
    }
    const body = messageOf(request.url, await buffer(request));
    spans.push(...(all(body, 'spans') as RawSpan[]).map(toSpan));
    points.push(...(all(body, 'metrics') as RawMetric[]).flatMap(toPoints));
    const senders = [...all(body, 'resourceSpans'), ...all(body, 'resourceMetrics')] as RawSender[];
    resources.push(...senders.map(({ resource }) => toRecord(resource.attributes)));
    const acknowledge = () => response.setHeader('Content-Type', 'application/x-protobuf').end();
    if (state.behaviour === 'slow') setTimeout(acknowledge, slowness);
    else acknowledge();
  }

  const server = createServer((request, response) => void receive(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    spans,
    points,
    resources,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

type RawSpan = Pick<ReceivedSpan, 'name' | 'kind' | 'status'> & {
  readonly traceId: Buffer;
  readonly spanId: Buffer;
  readonly parentSpanId?: Buffer;
  readonly attributes?: readonly Attribute[];
};
type RawSender = { readonly resource: { readonly attributes?: readonly Attribute[] } };
type RawMetric = { readonly name: string } & Readonly<
  Partial<Record<'sum' | 'gauge' | 'histogram', { readonly dataPoints: readonly RawPoint[] }>>
>;
type RawPoint = {
  readonly attributes?: readonly Attribute[];
  readonly asInt?: number;
  readonly asDouble?: number;
};

function toSpan({ traceId, spanId, parentSpanId, attributes, ...span }: RawSpan): ReceivedSpan {
  return {
    ...span,
    traceId: traceId.toString('hex'),
    spanId: spanId.toString('hex'),
    ...(parentSpanId !== undefined && { parentSpanId: parentSpanId.toString('hex') }),
    attributes: toRecord(attributes),
  };
}

function toPoints({ name, sum, gauge, histogram }: RawMetric): ReceivedPoint[] {
  const { dataPoints = [] } = sum ?? gauge ?? histogram ?? {};
  return dataPoints.map(({ attributes, asInt, asDouble = asInt }) => ({
    name,
    attributes: toRecord(attributes),
    value: asDouble,
  }));
}

function toRecord(attributes: readonly Attribute[] = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** Returns the items of every list of a name in a value, however deep. */
function all(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === name && Array.isArray(inner) ? (inner as unknown[]) : all(inner, name),
  );
}
