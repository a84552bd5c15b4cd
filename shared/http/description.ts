/** What an API says about itself: what the documents, `Allow` and the input of its endpoints are made from. */

import type { Static, TSchema } from 'typebox';
import type { ReplyExamples } from './openapi-examples.ts';

/** One root at which an API stands. */
export interface Mount {
  /** Without slashes at its ends, such as `v7`; empty for what it is below. */
  readonly path: string;
  /** The base of the path: the base path of the service (default), or the root of the site. */
  readonly below?: 'base-path' | 'site';
  /** Returns the configured public URL of a root below the site, or nothing: links then name the host of the request. Roots below the base path have theirs from it. */
  readonly publicUrl?: () => string;
  /** The name of the API that would stand here, where this app does not serve it. */
  readonly notServed?: string;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The callers: `public` all, and a token is ignored; `recognized` all, and a good token shows more; `optional` all, but a token that is
 * sent must be good; `bearer` only callers with a good token.
 */
export type Access = 'public' | 'recognized' | 'optional' | 'bearer';

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
  /** Schemas of other media types that it may have. */
  readonly otherMediaTypes?: Readonly<Record<string, TSchema>>;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: TSchema }>>;
}

/** The largest product that an operation works on, such as rows x columns. Within it no turn of the event loop is longer than 200 ms (test/engines/turns.test.ts). */
export interface Bound {
  readonly product: string;
  /** What is answered beyond it; empty where nothing can be. */
  readonly beyond: string;
}

/** An endpoint without its handler. */
export interface EndpointDescription<
  Caller = never,
  Path = TSchema | undefined,
  Query = TSchema | undefined,
  Body = BodyDefinition | undefined,
> {
  readonly method: Method;
  /** Below a root of the API, with `{name}` for parameters: `/documents/{id}/custom-data`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly access: Access;
  readonly bound: Bound;
  /** Checks whether a caller may use the endpoint on anything at all, where the API says so. Default: every caller may. */
  readonly mayUse?: (caller: Caller) => boolean;
  /** The kind of object that a call changes, such as `document`: each call but GET then leaves an audit line. */
  readonly change?: string;
  /** Set when the endpoint is an extension, as the contracts of both APIs call it: says so in the document. */
  readonly extension?: boolean;
  readonly parameters?: Path;
  readonly query?: Query;
  readonly body?: Body;
  /** Bytes of a body that the handler reads as it arrives, at most. Default: the API reads the body. */
  readonly streamedBytes?: number;
  /** Problem codes that callers should expect, by status: for the document. */
  readonly problems?: Readonly<Record<number, string>>;
  readonly replies: Readonly<Record<number, ReplyDefinition>>;
}

/** An API without what it does. */
export interface ApiDescription<Caller = never> {
  /** Short and stable: part of function names. */
  readonly name: string;
  readonly description: string;
  /** What callers of all its endpoints should know, for the documents. */
  readonly notes?: string;
  /** Where the API stands: `[{ path: 'v7' }, { path: 'v8.0' }]` for two versions below the base path. */
  readonly mounts: readonly Mount[];
  readonly endpoints: readonly EndpointDescription<Caller>[];
  /** The schema and media type of error replies, for the document. */
  readonly errorSchema: { readonly schema: TSchema; readonly mediaType: string };
  /** Loads the examples of its replies, for the documents. */
  readonly examples?: () => Promise<ReplyExamples>;
  /** Returns what a caller of a path without an endpoint can do, where settings leave the endpoint out. The path is below a root of the API. */
  readonly hintOfMissing?: (path: string) => string | undefined;
  /** Returns the root of the records that its replies show, where that is the root of another API. */
  readonly recordsRoot?: (siteLink: (path: string) => string) => string;
  /** Status of a method that a path lacks, for the document. Default: 405. */
  readonly wrongMethod?: 404;
}

/** The type of a path or query by its schema. */
export type StaticOr<Schema, Otherwise> = Schema extends TSchema ? Static<Schema> : Otherwise;

/** The type of a body by its definition. */
export type StaticBody<Body> = Body extends { readonly as: 'text' }
  ? string
  : Body extends { readonly required: false; readonly schema: infer Schema extends TSchema }
    ? Static<Schema> | undefined
    : Body extends { readonly schema: infer Schema extends TSchema }
      ? Static<Schema>
      : undefined;
