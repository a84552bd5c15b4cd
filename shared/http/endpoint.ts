/** One definition per endpoint: routing, validation, the handler's types and the OpenAPI document are all read from it. */

import type { TSchema } from 'typebox';
import type { BodyDefinition, EndpointDescription, StaticBody, StaticOr } from './description.ts';
import type { Reply } from './reply.ts';
import type { RequestContext } from './request-context.ts';

/** What a handler is given: the context of the request, the caller, and input that the endpoint's schemas have checked. */
export interface Call<Caller, Path, Query, Body> extends RequestContext<Caller> {
  readonly caller: Caller;
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
}

/** `Services` is what the API adds to each call with its input, such as its store. */
export interface EndpointDefinition<Caller, Services, Path, Query, Body>
  extends EndpointDescription<Caller, Path, Query, Body> {
  readonly handle: (
    call: Call<
      Caller,
      StaticOr<Path, Record<string, string>>,
      StaticOr<Query, Record<string, never>>,
      StaticBody<Body>
    > &
      Services,
  ) => Reply | Promise<Reply>;
}

/** An endpoint with the types of its input forgotten, as the pipeline handles it. */
export interface Endpoint<Caller> extends EndpointDescription<Caller> {
  readonly handle: (call: Call<Caller, never, never, never>) => Reply | Promise<Reply>;
}

/**
 * Creates the helper that defines endpoints for one kind of caller: `const endpoint = endpointsFor<RecordsUser>()`. Their API adds
 * `Services` to each call.
 */
export function endpointsFor<Caller, Services = unknown>() {
  return <
    const Path extends TSchema | undefined = undefined,
    const Query extends TSchema | undefined = undefined,
    const Body extends BodyDefinition | undefined = undefined,
  >(
    definition: EndpointDefinition<Caller, Services, Path, Query, Body>,
  ): Endpoint<Caller> => definition as unknown as Endpoint<Caller>;
}
