/** Requests per second over HTTP. */

import autocannon from 'autocannon';

export interface Load {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections?: number;
  readonly seconds?: number;
  /** The status that every reply must have. Default 200. */
  readonly status?: number;
}

/** Measures the requests per second of a load; throws when a reply is not as expected. */
export async function throughput({
  url,
  headers = {},
  connections = 32,
  seconds = 2,
  status = 200,
}: Load): Promise<number> {
  const result = await autocannon({ url, headers: { ...headers }, connections, duration: seconds });
  const good = result.statusCodeStats?.[String(status) as never] as { count?: number } | undefined;
  const answered = result.requests.total;
  if (result.errors > 0 || answered === 0 || good?.count !== answered) {
    throw new Error(
      `Cannot measure ${url}: ${result.errors} errors, statuses ${JSON.stringify(result.statusCodeStats)}.`,
    );
  }
  return result.requests.average;
}
