/** Runs a request through a policy, as API Management would. */

import { type CSharp, compute } from './csharp.ts';
import type { Element } from './xml.ts';

/** A token as the sign-in service would issue it. */
export interface Token {
  readonly tenant: string;
  readonly audience: string;
  readonly expired?: boolean;
}

export interface GatewayRequest {
  readonly method: string;
  readonly path: string;
  readonly token?: Token;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** What the app would answer. */
  readonly status?: number;
  readonly id?: string;
  /** The source of an error that happens after the inbound part. */
  readonly fails?: string;
}

/** What became of a request. */
export interface Outcome {
  status: number;
  /** True: the app was asked. */
  reachedApp: boolean;
  backend: string;
  checked: { tenant: string; audiences: string[]; code: string; header: string }[];
  rates: { key: string; calls: number; period: number }[];
  cached: boolean;
  vary: string[];
  stored: number;
  /** The headers that the app gets besides those of the caller. */
  forwarded: Record<string, string>;
  /** The body that the gateway has read, and forwards with its length; null: as it came. */
  readBody: string | null;
  headers: Record<string, string>;
  body: string;
}

export const caller = { address: '192.0.2.1', objectId: 'caller-1' };

/** Ends the inbound part. Made once, since most requests that are run are refused. */
const refused = new Error('The request is refused.');

/** Runs a request. Throws a SyntaxError for an expression that cannot be read. */
export function runPolicy(policy: Element, request: GatewayRequest): Outcome {
  const outcome: Outcome = {
    status: 0,
    reachedApp: false,
    backend: '',
    checked: [],
    rates: [],
    cached: false,
    vary: [],
    stored: 0,
    forwarded: {},
    readBody: null,
    headers: {},
    body: '',
  };
  const machine = new Machine(policy, request, outcome);
  machine.run();
  return outcome;
}

class Machine {
  private readonly variables: Record<string, CSharp> = {
    ContainsKey: (name: string) => Object.hasOwn(this.variables, name),
  };
  private lastError = '';
  private readonly policy: Element;
  private readonly request: GatewayRequest;
  private readonly outcome: Outcome;
  private readonly roots: Readonly<Record<string, CSharp>>;
  private done = false;

  constructor(policy: Element, request: GatewayRequest, outcome: Outcome) {
    [this.policy, this.request, this.outcome] = [policy, request, outcome];
    this.roots = this.rootsOf(request);
  }

  run(): void {
    try {
      this.section('inbound');
      if (this.done) return;
      if (this.request.fails !== undefined) this.fail(this.request.fails);
      this.outcome.reachedApp = true;
      this.outcome.status = this.request.status ?? 200;
      this.section('outbound');
    } catch (error) {
      if (error !== refused) throw error;
      this.section('on-error');
    }
  }

  private fail(source: string): never {
    this.lastError = source;
    throw refused;
  }

  private section(name: string): void {
    const section = this.policy.children.find((item) => item.name === name);
    for (const element of section?.children ?? []) if (!this.done) this.perform(element);
  }

  private value(text: string): CSharp {
    return compute(text, this.roots);
  }

  private perform(element: Element): void {
    const attribute = (name: string) => this.value(element.attributes[name] ?? '');
    switch (element.name) {
      case 'base':
        return;
      case 'set-variable':
        this.variables[element.attributes['name'] ?? ''] = attribute('value');
        return;
      case 'choose':
        this.choose(element);
        return;
      case 'return-response':
        this.reply(element);
        return;
      case 'rate-limit-by-key':
        this.outcome.rates.push({
          key: String(attribute('counter-key')),
          calls: Number(attribute('calls')),
          period: Number(attribute('renewal-period')),
        });
        return;
      case 'validate-azure-ad-token':
        this.checkToken(element);
        return;
      case 'set-backend-service':
        this.outcome.backend = String(attribute('backend-id'));
        return;
      case 'set-header':
        this.header(element, this.outcome.reachedApp ? 'headers' : 'forwarded');
        return;
      case 'set-body':
        this.outcome.readBody = String(this.value(element.text));
        return;
      case 'cache-lookup':
        this.outcome.cached = true;
        this.outcome.vary = element.children.map(({ name, text }) => `${name} ${text}`);
        return;
      case 'cache-store':
        this.outcome.stored = Number(attribute('duration'));
        return;
      default:
        throw new SyntaxError(`<${element.name}> cannot be run`);
    }
  }

  private choose(element: Element): void {
    const chosen = element.children.find(
      ({ name, attributes }) => name === 'otherwise' || this.value(attributes['condition'] ?? '') === true,
    );
    for (const child of chosen?.children ?? []) if (!this.done) this.perform(child);
  }

  private header(element: Element, where: 'headers' | 'forwarded' = 'headers'): void {
    const name = (element.attributes['name'] ?? '').toLowerCase();
    this.outcome[where][name] = String(this.value(element.children[0]?.text ?? ''));
  }

  private reply(element: Element): void {
    for (const child of element.children) {
      if (child.name === 'set-status') this.outcome.status = Number(child.attributes['code']);
      if (child.name === 'set-header') this.header(child);
      if (child.name === 'set-body') this.outcome.body = String(this.value(child.text));
    }
    this.done = true;
  }

  private checkToken(element: Element): void {
    const audiences = element.children
      .filter(({ name }) => name === 'audiences')
      .flatMap(({ children }) => children.map(({ text }) => text));
    const tenant = element.attributes['tenant-id'] ?? '';
    const header = element.attributes['header-name'] ?? '';
    this.outcome.checked.push({
      tenant,
      audiences,
      header,
      code: element.attributes['failed-validation-httpcode'] ?? '',
    });
    const { token } = this.request;
    const isAccepted = audiences.length === 0 || audiences.includes(token?.audience ?? '');
    if (
      !token ||
      token.expired ||
      token.tenant !== tenant ||
      !isAccepted ||
      header.toLowerCase() !== 'authorization'
    )
      this.fail('validate-azure-ad-token');
    const variable = element.attributes['output-token-variable-name'];
    if (variable) this.variables[variable] = { Claims: lookup({ oid: caller.objectId }) };
  }

  /** What changes while the request is run is read anew each time. */
  private rootsOf({ method, path, headers = {}, token, body, id = 'request-1' }: GatewayRequest) {
    const { outcome, variables } = this;
    const lastError = () => this.lastError;
    const requestHeaders = { ...headers, ...(token ? { Authorization: 'Bearer x' } : {}) };
    return {
      ...functions,
      context: {
        Request: {
          Method: method,
          OriginalUrl: { Path: path, Host: 'api.example.org' },
          Headers: lookup(requestHeaders),
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
        LastError: {
          get Source() {
            return lastError();
          },
        },
        RequestId: {
          toString: () => id,
          GetHashCode: () => [...id].reduce((sum, item) => (sum * 31 + item.charCodeAt(0)) % 100_003, 7),
        },
      },
    };
  }
}

/** What expressions may call by its name. */
const functions: Readonly<Record<string, CSharp>> = {
  long: { Parse: Number },
  int: { Parse: Number },
  Random: (seed: number) => ({ Next: (limit: number) => (seed * 7919) % limit }),
  JProperty: (name: string, value: unknown) => [name, value],
  JObject: (...properties: [string, unknown][]) => {
    const made = Object.fromEntries(properties);
    return { ToString: () => JSON.stringify(made) };
  },
};

function lookup(values: Readonly<Record<string, string>>) {
  const byName = new Map(
    Object.entries(values)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .reverse(),
  );
  const find = (name: string) => byName.get(name.toLowerCase());
  return {
    ContainsKey: (name: string) => find(name) !== undefined,
    GetValueOrDefault: (name: string, other: string) => find(name) ?? other,
  };
}
