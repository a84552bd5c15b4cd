/** The deployment endpoint of an app, and the app behind it, as Azure has them: packages go in, states and replies come out. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the endpoint answers; a number is a status without a body, undefined is no answer. */
export type EndpointAnswer =
  | number
  | { readonly status: number; readonly body: unknown; readonly reason?: string }
  | undefined;

export interface EndpointScript {
  /** The answer to the nth package, from 0; default: accepted. */
  readonly publish?: (packages: number) => EndpointAnswer;
  /** The answer to the nth question for the state, from 0; default: done. */
  readonly state?: (questions: number) => EndpointAnswer;
  readonly log?: readonly string[];
  /** The answer of the health address; default: 200. */
  readonly health?: (questions: number) => EndpointAnswer;
  /** The token that the records API takes. */
  readonly token?: string;
}

export interface DeploymentEndpoint {
  readonly url: string;
  /** What was sent: method and path, with the bytes of packages. */
  readonly calls: readonly string[];
  readonly tokens: ReadonlySet<string>;
  /** Resolves when a call was left without an answer. */
  readonly silent: () => Promise<void>;
  readonly close: () => void;
}

export const deploymentId = '034b9835-723a-4c45-a879-a921f13df306';
/** The state of a deployment by its number: 2 at work, 3 failed, 4 done, 5 conflict, 6 partly. */
export const stateOf = (status: number, text = '') => ({
  status: 200,
  body: { id: deploymentId, status, status_text: text },
});

/** Starts an endpoint on a free port. */
export async function startDeploymentEndpoint(script: EndpointScript = {}): Promise<DeploymentEndpoint> {
  const calls: string[] = [];
  const tokens = new Set<string>();
  const counts = { publish: 0, state: 0, health: 0 };
  const silence = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    let bytes = 0;
    for await (const chunk of request) bytes += (chunk as Buffer).length;
    const path = request.url ?? '';
    calls.push(`${request.method} ${path}${bytes > 0 ? ` ${bytes}` : ''}`);
    if (request.headers.authorization) tokens.add(request.headers.authorization);
    if (request.method === 'OPTIONS')
      return response.writeHead(204, { 'access-control-allow-origin': '*' }).end();
    const { token = 'the-token' } = script;
    if (path.startsWith('/api/v8.0/') && request.headers.authorization !== `Bearer ${token}`)
      return response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    const reply = answerTo(path);
    if (reply === undefined) return silence.resolve();
    const { status, body, reason } =
      typeof reply === 'number' ? { status: reply, body: '', reason: undefined } : reply;
    response.writeHead(status, reason).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  function answerTo(path: string): EndpointAnswer {
    const { publish, state, log = [], health } = script;
    if (path.startsWith('/api/publish'))
      return publish ? publish(counts.publish++) : { status: 202, body: JSON.stringify(deploymentId) };
    if (path.endsWith('/log')) return { status: 200, body: log.map((message) => ({ message })) };
    if (path.startsWith('/api/deployments/')) return state ? state(counts.state++) : stateOf(4);
    return health ? health(counts.health++) : 200;
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    tokens,
    silent: () => silence.promise,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
