/** A proxy in front of the local tables that does what Azure does on a bad day: refuses, delays, cuts, loses answers, gives short pages. */

import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { connectionString, endpointAt } from '../../local/azurite/address.ts';

/** What a request asks for: a point read of a row, a page of rows, or a transaction. */
type TableRequest = 'head' | 'page' | 'commit' | 'other';

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

export interface FaultProxy {
  /** Connection string of the tables behind the proxy. */
  readonly connectionString: string;
  /** Every request that came, in order. */
  readonly asked: TableRequest[];
  /** Adds one fault to each of the next requests of a kind. */
  next(kind: TableRequest, ...faults: Fault[]): void;
  /** Takes back the faults that were not needed. */
  forget(): void;
  /** Adds this fault to every request without one; null for none. */
  always(fault: Fault | null): void;
  stop(): Promise<void>;
}

/** The row key in the continuation token of an empty page: the proxy takes it out of the next request again. */
const emptyPageToken = 'after-an-empty-page';

/** Starts a proxy in front of the local tables at a port, on a free port. */
export async function startFaultProxy(tablesPort: number): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true });
  const asked: TableRequest[] = [];
  const faults = new Map<TableRequest, Fault[]>();
  let standing: Fault | null = null;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const kind = askOf(request);
    asked.push(kind);
    const fault = faults.get(kind)?.shift() ?? standing ?? {};
    const body = await buffer(request);
    if (fault.refuse !== undefined) return refuse(response, fault.refuse);
    if (fault.emptyPage) return answerEmptyPage(response);
    if (fault.cut === 'request') response.destroy();
    if (fault.cut === 'request' && fault.before === undefined) return;
    await fault.before?.();
    const reply = await pass(request, body, fault.rowsPerPage);
    await fault.after?.();
    passBack(response, reply, fault.cut);
  }

  async function pass(
    { method, url = '', headers }: IncomingMessage,
    body: Buffer,
    rowsPerPage?: number,
  ): Promise<Reply> {
    const { host: _, ...otherHeaders } = headers;
    const forward = send({
      agent,
      port: tablesPort,
      host: '127.0.0.1',
      method,
      path: pathFor(url, rowsPerPage),
      headers: otherHeaders,
    });
    forward.end(body);
    const [message] = (await once(forward, 'response')) as [IncomingMessage];
    return { status: message.statusCode ?? 0, headers: message.rawHeaders, body: await buffer(message) };
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    connectionString: connectionString(endpointAt(port)),
    asked,
    next: (kind, ...list) => faults.set(kind, [...(faults.get(kind) ?? []), ...list]),
    forget: () => faults.clear(),
    always: (fault) => {
      standing = fault;
    },
    async stop() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Reply {
  readonly status: number;
  readonly headers: string[];
  readonly body: Buffer;
}

function askOf({ method, url = '' }: IncomingMessage): TableRequest {
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
  const error = { 'odata.error': { code, message: { lang: 'en-US', value: 'As the test wishes' } } };
  const headers = { 'content-type': 'application/json', 'x-ms-error-code': code };
  response
    .writeHead(status, retryAfter === undefined ? headers : { ...headers, 'retry-after': String(retryAfter) })
    .end(JSON.stringify(error));
}

function answerEmptyPage(response: ServerResponse): void {
  const token = {
    'x-ms-continuation-NextPartitionKey': 'any',
    'x-ms-continuation-NextRowKey': emptyPageToken,
  };
  response.writeHead(200, { 'content-type': 'application/json', ...token }).end('{"value":[]}');
}

function passBack(response: ServerResponse, { status, headers, body }: Reply, cut: Fault['cut']): void {
  if (cut === 'answer') response.destroy();
  if (response.destroyed) return;
  response.writeHead(status, headers);
  if (cut !== 'half of the answer') return void response.end(body);
  response.write(body.subarray(0, body.length / 2), () => response.destroy());
}
