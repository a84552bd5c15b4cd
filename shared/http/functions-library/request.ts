/** The request that the library of Azure Functions makes of an invocation; the build puts it in the place of the `Request` of fetch. Why: README.md beside this file. */

import type { RequestHeaders } from '../request.ts';

type StreamInit = RequestInit & { readonly duplex?: 'half' };

interface WholeInit {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Uint8Array<ArrayBuffer> | string | undefined;
}

/** What no header can hold: Request refuses it, and so does the host. */
const malformedName = /[^\w!#$%&'*+.^`|~-]|^$/;
const malformedValue = /[\0\r\n]|[^\0-\xff]/;

class WholeHeaders implements RequestHeaders {
  readonly #values = new Map<string, string>();

  constructor(values: Readonly<Record<string, string>>) {
    for (const [name, value] of Object.entries(values)) {
      if (malformedName.test(name) || malformedValue.test(value))
        throw new TypeError(`Cannot read the request: the header ${name} is malformed.`);
      this.#values.set(name.toLowerCase(), value);
    }
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }
}

/** A request that is in memory, with the properties that we read. */
class WholeRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: WholeHeaders;
  readonly body: AsyncIterable<Uint8Array> | null;
  bodyUsed = false;

  constructor(url: string, { method, headers = {}, body }: WholeInit) {
    const { href, username, password } = new URL(url);
    if (username !== '' || password !== '')
      throw new TypeError('Cannot read the request: its URL has credentials.');
    this.url = href;
    this.method = method.toUpperCase();
    this.headers = new WholeHeaders(headers);
    this.body = body === undefined ? null : this.#read(typeof body === 'string' ? Buffer.from(body) : body);
  }

  async *#read(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    this.bodyUsed = true;
    if (bytes.length > 0) yield bytes;
  }
}

function createRequest(url: string, init: StreamInit | WholeInit): unknown {
  return 'duplex' in init ? new globalThis.Request(url, init) : new WholeRequest(url, init as WholeInit);
}

/** The `Request` of the bundle. */
export const Request = createRequest as unknown as new (
  url: string,
  init: StreamInit | WholeInit,
) => WholeRequest;
