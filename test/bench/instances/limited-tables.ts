/** A proxy in front of the local tables that holds one partition to the rates that Azure publishes, and answers 503 (`ServerBusy`) beyond them. */

import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import {
  refuseAsTables,
  startTablesProxy,
  type TablesProxy,
  type TablesRequest,
} from '../../support/tables-proxy.ts';

/**
 * Requests a second, and entities a second, of one partition; requests a second of an account. Source: "Scalability and performance targets
 * for Table Storage".
 */
export const published = { requests: 2_000, entities: 2_000, accountRequests: 20_000 };

export interface TableLimits {
  /** Requests, and entities, a second. */
  readonly requests: number;
  readonly entities: number;
  /** Milliseconds by which each request is held up on its way. */
  readonly latency: number;
}

export interface Traffic {
  readonly requests: number;
  readonly entities: number;
  /** Requests that were answered 503. */
  readonly refusals: number;
}

export interface LimitedTables extends TablesProxy {
  /** Sets the limits, with what may come at once unused. */
  limitTo(limits: TableLimits): void;
  /** Returns what has come since it was last called. */
  takeTraffic(): Traffic;
}

/** Starts the proxy in front of the tables at a port. It does not limit anything at first. */
export async function startLimitedTables(tablesPort: number): Promise<LimitedTables> {
  let latency = 0;
  let requestRate = new Rate(Number.POSITIVE_INFINITY);
  let entityRate = new Rate(Number.POSITIVE_INFINITY);
  let traffic = noTraffic();

  async function handle(request: TablesRequest, response: ServerResponse): Promise<void> {
    traffic.requests += 1;
    await delay(latency);
    if (!requestRate.isLeft || !entityRate.isLeft) {
      traffic.refusals += 1;
      const busy = { status: 503, code: 'ServerBusy', message: 'The server is busy.' };
      return refuseAsTables(response, busy);
    }
    requestRate.take(1);
    const { status, headers, body } = await request.pass();
    const entities = entitiesIn(request, body);
    entityRate.take(entities);
    traffic.entities += entities;
    response.writeHead(status, headers).end(body);
  }

  return {
    ...(await startTablesProxy(tablesPort, handle)),
    limitTo(limits) {
      latency = limits.latency;
      requestRate = new Rate(limits.requests);
      entityRate = new Rate(limits.entities);
    },
    takeTraffic() {
      const taken = traffic;
      traffic = noTraffic();
      return taken;
    },
  };
}

function noTraffic() {
  return { requests: 0, entities: 0, refusals: 0 };
}

/** Seconds of a rate that may come at once. */
const burst = 0.2;

/**
 * A token bucket. It may go below nothing, since the entities of a page are known only once it has been read;
 * nothing is left then until that is made up for.
 */
class Rate {
  readonly #perSecond: number;
  #left: number;
  #filledAt = performance.now();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#left = perSecond * burst;
  }

  get isLeft(): boolean {
    if (this.#perSecond === Number.POSITIVE_INFINITY) return true;
    const now = performance.now();
    const gained = ((now - this.#filledAt) / 1_000) * this.#perSecond;
    this.#left = Math.min(this.#perSecond * burst, this.#left + gained);
    this.#filledAt = now;
    return this.#left > 0;
  }

  take(count: number): void {
    this.#left -= count;
  }
}

/** Counts the entities of a request: those of a transaction, of a page, or one. */
function entitiesIn({ method, url, body }: TablesRequest, reply: Buffer): number {
  if (method === 'POST' && url.includes('$batch')) return occurrences(body, ' HTTP/1.1\r\n');
  if (method === 'GET' && !url.includes('RowKey=')) return occurrences(reply, '"RowKey"');
  return 1;
}

function occurrences(bytes: Buffer, text: string): number {
  return bytes.toString('latin1').split(text).length - 1;
}
