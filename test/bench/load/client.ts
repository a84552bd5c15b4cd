/** A plain HTTP client whose connections stay open. It shares the machine with the measured app, so it is as cheap as Node allows. */

import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../benchmark.ts';

export interface HttpRequest {
  readonly method: string;
  /** Below the url of the app. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A reply that has arrived whole. */
export interface TimedReply {
  /** The HTTP status, or the code of the connection's error. */
  readonly status: string;
  /** Milliseconds since the request was sent. */
  readonly time: number;
}

export interface Load {
  /** Connections, each of which sends its next request once its reply has arrived. */
  readonly connections: number;
  /** Creates the next request of a connection. */
  readonly request: (connection: number) => HttpRequest;
  /** Checks whether the load ends. Every connection sends one request at least. */
  readonly isOver: () => boolean;
  /** Milliseconds from a reply to the next request. Default: 0. */
  readonly pauseMs?: number;
  readonly onReply?: (reply: TimedReply) => void;
}

/** The end of a load in which every connection sends one request. */
export const afterOneRequest = () => true;

/** Returns the end of a load that begins now and lasts that long. */
export function afterSeconds(seconds: number): () => boolean {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() >= end;
}

export interface LoadResult {
  readonly replies: readonly TimedReply[];
  /** Seconds from the first request to the last reply. */
  readonly seconds: number;
}

/** Applies a load to an app and waits for its last reply. */
export async function applyLoad(url: string, load: Load): Promise<LoadResult> {
  const { connections, request, isOver, pauseMs = 0, onReply } = load;
  const start = performance.now();
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const replies: TimedReply[] = [];
  const runConnection = async (connection: number) => {
    do {
      const started = performance.now();
      const status = await send(url, agent, request(connection));
      const reply = { status, time: performance.now() - started };
      replies.push(reply);
      onReply?.(reply);
      if (pauseMs > 0) await delay(pauseMs);
    } while (!isOver());
  };
  await Promise.all(Array.from({ length: connections }, (_, connection) => runConnection(connection)));
  agent.destroy();
  return { replies, seconds: (performance.now() - start) / 1000 };
}

function send(url: string, agent: Agent, { method, path, headers, body }: HttpRequest): Promise<string> {
  const ofBody = body && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  return new Promise((resolve) => {
    const call = httpRequest(
      `${url}${path}`,
      { method, agent, headers: { ...ofBody, ...headers } },
      (reply) => {
        reply.resume();
        reply.once('close', () => resolve(String(reply.statusCode)));
      },
    );
    call.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name));
    call.end(body);
  });
}

/** Checks whether a request was refused for its number: 429, 503, or no reply. */
export function isRefused({ status }: TimedReply): boolean {
  return status === '429' || status === '503' || Number.isNaN(Number(status));
}

function isAnswered({ status }: TimedReply): boolean {
  return /^2\d\d$/.test(status);
}

export interface Summary {
  /** Replies with a status of success. */
  readonly answered: number;
  readonly refused: number;
  /** All others, such as 404 and 500. */
  readonly failed: number;
  /** Median and 99th percentile in milliseconds of the answered requests. */
  readonly p50: number;
  readonly p99: number;
  /** Replies by status, in words. */
  readonly statuses: string;
}

export function summarize(replies: readonly TimedReply[]): Summary {
  const times = replies.filter(isAnswered).map(({ time }) => time);
  const refused = replies.filter(isRefused).length;
  const byStatus = Object.groupBy(replies, ({ status }) => status);
  return {
    answered: times.length,
    refused,
    failed: replies.length - times.length - refused,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    statuses: Object.entries(byStatus)
      .map(([status, group]) => `${status} x ${group?.length}`)
      .join(', '),
  };
}

/** Returns a summary of replies to honest callers. Throws unless some are answered, and the others at most refused. */
export function mustBeAnswered(summary: Summary): Summary {
  const { answered, failed, statuses } = summary;
  if (answered === 0 || failed > 0) throw new Error(`Cannot measure: honest callers have got ${statuses}.`);
  return summary;
}
