/** Requests per second over HTTP. */

import autocannon from 'autocannon';
import { inTurn } from './benchmark.ts';
import { isSmoke, paced } from './pace.ts';

/** The load of every throughput row. */
export const connections = 32;
/** Seconds of a load before it counts: until the compiler has done its best, as in a service that has run for a while. */
const warmUp = paced(10);
const measured = paced(2);
const rounds = paced(7);

export interface Load {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The status that every reply must have. Default 200. */
  readonly status?: number;
  /** What is sent as JSON. Default: nothing. */
  readonly body?: object;
  /** Default: POST with a body, else GET. */
  readonly method?: 'PUT';
  /** Returns headers of one request, besides those of all. */
  readonly headersOfEach?: () => Readonly<Record<string, string>>;
  /** Default: those of every throughput row. */
  readonly connections?: number;
}

/** Returns the requests per second of each load: after a warm-up of all, measured in turn. Throws when a reply is not as expected. */
export async function throughputs(loads: readonly Load[]): Promise<number[]> {
  for (const load of loads) await throughput(load, warmUp);
  return inTurn(
    rounds,
    loads.map((load) => () => throughput(load, measured)),
  );
}

async function throughput(load: Load, seconds: number): Promise<number> {
  const { url, headers = {}, body, method = 'POST', headersOfEach, status = 200 } = load;
  const { connections: ownConnections = connections } = load;
  const result = await autocannon({
    url,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { method, body: JSON.stringify(body) }),
    ...(headersOfEach === undefined
      ? {}
      : {
          requests: [
            {
              setupRequest: (request) => ({
                ...request,
                headers: { ...request.headers, ...headersOfEach() },
              }),
            },
          ],
        }),
    connections: ownConnections,
    // A busy machine may answer nothing in a second: a smoke run waits for its replies, however long they take.
    ...(isSmoke ? { amount: ownConnections } : { duration: seconds }),
  });
  const good = result.statusCodeStats?.[String(status) as never] as { count?: number } | undefined;
  const completed = result.requests.total;
  if (result.errors > 0 || completed === 0 || good?.count !== completed) {
    throw new Error(
      `Cannot measure ${url}: ${result.errors} errors, statuses ${JSON.stringify(result.statusCodeStats)}.`,
    );
  }
  return result.requests.average;
}
