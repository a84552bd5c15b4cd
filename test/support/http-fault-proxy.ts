/** A proxy in front of the local tables that does what Azure does on a bad day: refuses, delays, cuts, loses answers, gives short pages. */

import type { ServerResponse } from 'node:http';
import {
  refuseAsTables,
  startTablesProxy,
  type TablesProxy,
  type TablesReply,
  type TablesRequest,
} from './tables-proxy.ts';

/** What a request asks for: a point read of a row, a page of rows, or a transaction. */
type RequestKind = 'head' | 'page' | 'commit' | 'other';

/** What happens to one request. Without any property it is simply passed on. */
export interface Fault {
  /** Answers in the server's place: nothing is passed on. */
  readonly refuse?: Refusal;
  /** Ends the connection: before the request is passed on, or instead of passing on the answer or its second half. */
  readonly cut?: 'request' | 'answer' | 'half of the answer';
  /** Waited for before the request is passed on. With `cut: 'request'` the caller is cut off first, and the request arrives late. */
  readonly before?: () => Promise<unknown>;
  /** Waited for after the server has answered. */
  readonly after?: () => Promise<unknown>;
  /** Answers a page of no rows with a continuation token. */
  readonly emptyPage?: true;
  /** Limits the rows of a page. */
  readonly rowsPerPage?: number;
}

export interface Refusal {
  readonly status: number;
  readonly code: string;
  /** Seconds after which the caller may try again. */
  readonly retryAfter?: number;
}

export interface FaultProxy extends TablesProxy {
  /** Every request that came, in order. */
  readonly asked: RequestKind[];
  /** Adds one fault to each of the next requests of a kind. */
  next(kind: RequestKind, ...faults: Fault[]): void;
  /** Takes back the faults that were not needed. */
  forget(): void;
  /** Adds this fault to every request without one; null for none. */
  always(fault: Fault | null): void;
}

/** The row key in the continuation token of an empty page: the proxy takes it out of the next request again. */
const emptyPageToken = 'after-an-empty-page';

/** Starts a proxy in front of the local tables at a port, on a free port. */
export async function startFaultProxy(tablesPort: number): Promise<FaultProxy> {
  const asked: RequestKind[] = [];
  const faults = new Map<RequestKind, Fault[]>();
  let standing: Fault | null = null;

  async function handle(request: TablesRequest, response: ServerResponse): Promise<void> {
    const kind = kindOf(request);
    asked.push(kind);
    const fault = faults.get(kind)?.shift() ?? standing ?? {};
    if (fault.refuse !== undefined) return refuse(response, fault.refuse);
    if (fault.emptyPage) return answerEmptyPage(response);
    if (fault.cut === 'request') response.destroy();
    if (fault.cut === 'request' && fault.before === undefined) return;
    await fault.before?.();
    const reply = await request.pass(pathFor(request.url, fault.rowsPerPage));
    await fault.after?.();
    passBack(response, reply, fault.cut);
  }

  return {
    ...(await startTablesProxy(tablesPort, handle)),
    asked,
    next: (kind, ...list) => faults.set(kind, [...(faults.get(kind) ?? []), ...list]),
    forget: () => faults.clear(),
    always: (fault) => {
      standing = fault;
    },
  };
}

function kindOf({ method, url }: TablesRequest): RequestKind {
  if (method === 'POST') return url.includes('$batch') ? 'commit' : 'other';
  if (method !== 'GET') return 'other';
  return url.includes('RowKey=') ? 'head' : 'page';
}

/** The path to ask the server for; the signature of a request covers its path and not these parameters. */
function pathFor(path: string, rowsPerPage: number | undefined): string {
  const url = new URL(path, 'http://proxy');
  if (url.searchParams.get('NextRowKey') === emptyPageToken) {
    url.searchParams.delete('NextPartitionKey');
    url.searchParams.delete('NextRowKey');
  }
  if (rowsPerPage !== undefined) url.searchParams.set('$top', String(rowsPerPage));
  return url.pathname + url.search;
}

function refuse(response: ServerResponse, { status, code, retryAfter }: Refusal): void {
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  refuseAsTables(response, { status, code, message: 'As the test wishes', headers });
}

function answerEmptyPage(response: ServerResponse): void {
  const token = {
    'x-ms-continuation-NextPartitionKey': 'any',
    'x-ms-continuation-NextRowKey': emptyPageToken,
  };
  response.writeHead(200, { 'content-type': 'application/json', ...token }).end('{"value":[]}');
}

function passBack(response: ServerResponse, { status, headers, body }: TablesReply, cut: Fault['cut']): void {
  if (cut === 'answer') response.destroy();
  if (response.destroyed) return;
  response.writeHead(status, headers);
  if (cut !== 'half of the answer') return void response.end(body);
  response.write(body.subarray(0, body.length / 2), () => response.destroy());
}
