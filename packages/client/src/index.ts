/** A client of the records and calendar APIs: each path and method of the OpenAPI document, with the types of its parameters, bodies and replies. */

import createFetchClient, { type Client, createQuerySerializer } from 'openapi-fetch';
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

type Query = Readonly<Record<string, unknown>>;

/** Lists of values stand in one parameter, with commas between. */
const serialize = createQuerySerializer<Query>({ array: { style: 'form', explode: false } });

/** Returns a query in which an object of objects is one object for each of its members: `where[amount]` for `where: { amount: { from: 1 } }`. */
function withNestedNames(query: Query): Query {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      if (!isObject(value)) return [[name, value]];
      return Object.entries(value).map(([member, inner]) => [
        `${name}[${encodeURIComponent(member)}]`,
        inner,
      ]);
    }),
  );
}

function isObject(value: unknown): value is Query {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
    querySerializer: (query) => serialize(withNestedNames(query as Query)),
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
