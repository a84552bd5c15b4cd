/** Runs a request through a policy, as API Management would. */

import type { Element } from './elements.ts';
import { compute } from './expression.ts';

/** A token as the sign-in service would issue it. */
export interface Token {
  readonly tenant: string;
  readonly audience: string;
  readonly expired?: boolean;
}

export interface GatewayRequest {
  readonly method: string;
  readonly path: string;
  readonly token?: Token | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** What the app would answer. */
  readonly status?: number;
  readonly id?: string;
  /** The source of an error that happens after the inbound part. */
  readonly fails?: string;
}

/**
 * The outcome of a request. `forwarded` has the headers that the app gets besides those of the caller. `readBody` is the body that the
 * gateway has read, and forwards with its length (null: as it came).
 */
export type Outcome = ReturnType<typeof nothingYet>;

const nothingYet = () => ({
  status: 0,
  reachedApp: false,
  backend: '',
  cached: false,
  /** Where replies are kept: by the gateway, and by what stands between it and the caller. */
  keptBy: [] as string[],
  stored: 0,
  body: '',
  checked: [] as { tenant: string; audiences: string[]; code: string; header: string }[],
  rates: [] as { key: string; calls: number; period: number }[],
  vary: [] as string[],
  forwarded: {} as Record<string, string>,
  readBody: null as string | null,
  headers: {} as Record<string, string>,
});

/** What an error says of the inside. */
export const secret = 'words of the error';
export const caller = { address: '192.0.2.1', objectId: 'caller-1' };

/** Ends a part of the policy: with a reply, or with an error of a source. */
class Ended extends Error {}

/** Runs a request. Throws a SyntaxError for an expression that cannot be read. */
export function runPolicy(policy: Element, request: GatewayRequest): Outcome {
  const outcome = nothingYet();
  const variables: Record<string, unknown> = {
    ContainsKey: (name: string) => Object.hasOwn(variables, name),
  };
  const lastError = { Source: '', Message: secret, Reason: secret };
  const context = contextOf(request, outcome, variables, lastError);
  const value = (text = '') => compute(text, context);
  const fail = (source: string): never => {
    lastError.Source = source;
    throw new Ended();
  };
  const section = (name: string) => performAll(policy.children.find((item) => item.name === name));
  const performAll = (element: Element | undefined) => {
    for (const child of element?.children ?? []) perform(child);
  };

  try {
    section('inbound');
    if (request.fails !== undefined) fail(request.fails);
    outcome.reachedApp = true;
    outcome.status = request.status ?? 200;
    section('outbound');
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    if (lastError.Source !== '') runToReply(() => section('on-error'));
  }
  return outcome;

  function perform(element: Element): void {
    const { name, attributes, children, text } = element;
    const of = (attribute: string) => value(attributes[attribute]);
    if (name === 'set-variable') variables[attributes['name'] ?? ''] = of('value');
    else if (name === 'choose')
      performAll(
        children.find((item) => item.name === 'otherwise' || value(item.attributes['condition']) === true),
      );
    else if (name === 'return-response') {
      outcome.status = Number(children.find((item) => item.name === 'set-status')?.attributes['code']);
      for (const child of children) if (child.name === 'set-header') setHeader(child, 'headers');
      outcome.body = String(value(children.find((item) => item.name === 'set-body')?.text));
      throw new Ended();
    } else if (name === 'rate-limit-by-key')
      outcome.rates.push({
        key: String(of('counter-key')),
        calls: Number(of('calls')),
        period: Number(of('renewal-period')),
      });
    else if (name === 'validate-azure-ad-token') checkToken(element);
    else if (name === 'set-backend-service') outcome.backend = String(of('backend-id'));
    else if (name === 'set-header') setHeader(element, outcome.reachedApp ? 'headers' : 'forwarded');
    else if (name === 'set-body') outcome.readBody = String(value(text));
    else if (name === 'cache-lookup')
      Object.assign(outcome, {
        cached: true,
        keptBy: [of('caching-type'), of('downstream-caching-type')],
        vary: children.map((item) => `${item.name} ${item.text}`),
      });
    else if (name === 'cache-store') outcome.stored = Number(of('duration'));
    else if (name !== 'base') throw new SyntaxError(`<${name}> cannot be run`);
  }

  function setHeader({ attributes, children }: Element, where: 'headers' | 'forwarded'): void {
    const name = (attributes['name'] ?? '').toLowerCase();
    const action = attributes['exists-action'] ?? '';
    const sent = where === 'forwarded' ? request.headers?.[name] : undefined;
    const set = String(value(children[0]?.text));
    outcome[where][name] = sent === undefined || ['override', 'delete'].includes(action) ? set : sent;
  }

  function checkToken({ attributes, children }: Element): void {
    const audiences = children
      .filter(({ name }) => name === 'audiences')
      .flatMap((item) => item.children.map(({ text }) => text));
    const {
      'tenant-id': tenant = '',
      'header-name': header = '',
      'failed-validation-httpcode': code = '',
    } = attributes;
    outcome.checked.push({ tenant, audiences, header, code });
    const { token } = request;
    const isMeant = audiences.length === 0 || audiences.includes(token?.audience ?? '');
    if (token?.tenant !== tenant || token.expired || !isMeant || header.toLowerCase() !== 'authorization')
      fail('validate-azure-ad-token');
    const variable = attributes['output-token-variable-name'];
    if (variable) variables[variable] = { Claims: lookup({ oid: caller.objectId }) };
  }
}

function runToReply(run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
  }
}

/** What expressions know of a request, its reply and its variables. */
function contextOf(
  { method, path, headers = {}, token, body, id = 'request-1' }: GatewayRequest,
  outcome: Outcome,
  variables: object,
  lastError: object,
): object {
  const hash = [...id].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 100_003, 7);
  return {
    Request: {
      Method: method,
      OriginalUrl: { Path: path, Host: 'api.example.org' },
      Headers: lookup({ ...headers, ...(token ? { Authorization: 'Bearer x' } : {}) }),
      IpAddress: caller.address,
      Body: body === undefined ? null : { As: () => body },
    },
    Response: {
      get StatusCode() {
        return outcome.status;
      },
      Headers: lookup({}),
    },
    Variables: variables,
    LastError: lastError,
    RequestId: { toString: () => id, GetHashCode: () => hash },
  };
}

function lookup(values: Readonly<Record<string, string>>) {
  const byName = new Map(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]));
  const find = (name: string) => byName.get(name.toLowerCase());
  return {
    ContainsKey: (name: string) => find(name) !== undefined,
    GetValueOrDefault: (name: string, other: string) => find(name) ?? other,
  };
}
