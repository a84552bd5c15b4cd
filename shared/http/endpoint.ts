/** One definition per endpoint: routing, validation, the handler's types and the OpenAPI document are all read from it. */

import type { Static, TSchema } from 'typebox';
import type { Reply } from './reply.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may call: `public` anyone; `optional` anyone, but a token that is sent must be good; `bearer` only with a good token. */
export type Access = 'public' | 'optional' | 'bearer';

/** What a request body is. `schema` checks the parsed JSON; with `as: 'text'` the handler gets the JSON source text, digit for digit. */
export interface BodyDefinition {
  readonly schema: TSchema;
  readonly as?: 'value' | 'text';
  /** Accepted media types; the first is the documented one. Default: `application/json`. */
  readonly mediaTypes?: readonly string[];
  /** Default true. */
  readonly required?: boolean;
  readonly description?: string;
  /** A body that can be sent as it stands: for the document. */
  readonly example?: unknown;
}

/** One reply of an endpoint, by status, as the OpenAPI document shows it. Errors are added by the API, not listed here. */
export interface ReplyDefinition {
  readonly description: string;
  readonly schema?: TSchema;
  /** Default: `application/json` when there is a schema. */
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: TSchema }>>;
}

/** What a handler is given: input that its schemas have checked, the caller, and the circumstances of the request. */
export interface Call<Caller, Path, Query, Body> {
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Caller;
  /** The entity tags of `If-Match` (RFC 9110 13.1.1), with their quotes, or `*`; undefined without the header. */
  readonly ifMatch: readonly string[] | '*' | undefined;
  /** Makes an absolute address from a path below this API's root, in the version of the request. */
  readonly link: (path: string) => string;
  readonly requestId: string;
  /** Milliseconds since epoch at which the reply must be out. */
  readonly deadline: number;
  /** The request's headers and address, for what no schema covers. */
  readonly request: { readonly method: string; readonly url: URL; readonly headers: Headers };
}

type StaticOr<Schema, Otherwise> = Schema extends TSchema ? Static<Schema> : Otherwise;

type BodyOf<Body> = Body extends { readonly as: 'text' }
  ? string
  : Body extends { readonly required: false; readonly schema: infer Schema extends TSchema }
    ? Static<Schema> | undefined
    : Body extends { readonly schema: infer Schema extends TSchema }
      ? Static<Schema>
      : undefined;

export interface EndpointDefinition<Caller, Path, Query, Body> {
  readonly method: Method;
  /** Below the API's mount, with `{name}` for parameters: `/documents/{id}/custom-data`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly access: Access;
  /** Set when the endpoint goes beyond the specification of the API: says so in the document. */
  readonly extension?: boolean;
  readonly parameters?: Path;
  readonly query?: Query;
  readonly body?: Body;
  /** Problem codes that callers should expect, by status: for the document. */
  readonly problems?: Readonly<Record<number, string>>;
  readonly replies: Readonly<Record<number, ReplyDefinition>>;
  readonly handle: (
    call: Call<
      Caller,
      StaticOr<Path, Record<string, string>>,
      StaticOr<Query, Record<string, never>>,
      BodyOf<Body>
    >,
  ) => Reply | Promise<Reply>;
}

/** An endpoint with the types of its input forgotten, as the pipeline handles it. */
export interface Endpoint<Caller = never>
  extends Omit<
    EndpointDefinition<Caller, TSchema | undefined, TSchema | undefined, BodyDefinition | undefined>,
    'handle'
  > {
  readonly handle: (call: Call<Caller, never, never, never>) => Reply | Promise<Reply>;
}

/** Makes the helper that defines endpoints for one kind of caller: `const endpoint = endpointsFor<RecordsUser>()`. */
export function endpointsFor<Caller>() {
  return <
    const Path extends TSchema | undefined = undefined,
    const Query extends TSchema | undefined = undefined,
    const Body extends BodyDefinition | undefined = undefined,
  >(
    definition: EndpointDefinition<Caller, Path, Query, Body>,
  ): Endpoint<Caller> => definition as unknown as Endpoint<Caller>;
}
