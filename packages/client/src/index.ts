/** A client of the records and calendar APIs: each path and method of the OpenAPI document, with the types of its parameters, bodies and replies. */

import createFetchClient, { type Client } from 'openapi-fetch';
import type { components, paths } from '../dist/schema.js';

export type { components, paths } from '../dist/schema.js';
export type Schemas = components['schemas'];

export interface ClientOptions {
  /** Address of the base path, such as `https://records.example.org/api`. */
  readonly baseUrl: string;
  /** Returns the bearer token of a request; undefined for an anonymous one. */
  readonly token?: () => string | undefined | Promise<string | undefined>;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Creates a client. A call resolves with `data` where the reply is a success, and with `error`, the problem details, where it is not;
 * `response` has the status and the headers, such as `ETag`. `Paths` are those of another document of the service, such as that of your custom data.
 */
export function createClient<Paths extends object = paths>({
  baseUrl,
  token,
  fetch,
}: ClientOptions): Client<Paths> {
  const client = createFetchClient<Paths>({
    baseUrl,
    // Lists of values stand in one parameter, with commas between.
    querySerializer: { array: { style: 'form', explode: false } },
    ...(fetch === undefined ? {} : { fetch }),
  });
  client.use({
    async onRequest({ request }) {
      const bearer = await token?.();
      if (bearer !== undefined) request.headers.set('Authorization', `Bearer ${bearer}`);
      return request;
    },
  });
  return client;
}
