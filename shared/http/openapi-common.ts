/** What every operation of the OpenAPI documents has by its kind: headers of conditional requests, and errors. */

import type { EndpointDescription } from './description.ts';
import { preferenceApplied } from './prefer.ts';
import { replayedHeader } from './reply.ts';

/** Returns the headers of conditional requests and of preferences, where they mean something. */
export function conditions({ replies, problems = {} }: EndpointDescription): Record<string, unknown>[] {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  });
  const has = (name: string) => Object.values(replies).some(({ headers = {} }) => name in headers);
  return [
    ...(412 in problems
      ? [
          header('If-Match', 'The ETag of the state that is to be changed; in another state it is 412.'),
          header(
            'If-None-Match',
            'The ETag of a state that is not to be changed, or `*` for what is not there yet; else it is 412.',
          ),
        ]
      : []),
    ...(304 in replies
      ? [
          header(
            'If-None-Match',
            'The ETag of the state that the caller has; while it is so, the reply is 304.',
          ),
        ]
      : []),
    ...(has(replayedHeader)
      ? [
          header(
            'Idempotency-Key',
            'Any text of the caller that is new for each creation, such as a UUID. Sent again with it, a creation whose reply was lost creates nothing more.',
          ),
        ]
      : []),
    ...(has(preferenceApplied)
      ? [
          header(
            'Prefer',
            'return=representation: the reply has the new state. return=minimal: 204 without a body (RFC 7240).',
          ),
        ]
      : []),
  ];
}

/** Returns the errors of an endpoint by status: those that it names, and those that callers of any endpoint of its kind can meet. `wrongMethod` is the status of a method that a path lacks. */
export function errorsOf(endpoint: EndpointDescription, wrongMethod: 404 | 405): Record<string, string> {
  const { query, problems = {} } = endpoint;
  const problemsByStatus = { ...problems };
  if ((query as { readonly additionalProperties?: unknown } | undefined)?.additionalProperties === false)
    problemsByStatus[400] = [
      ...new Set(['invalid-parameters', ...(problemsByStatus[400]?.split(', ') ?? [])]),
    ].join(', ');
  return { ...commonErrors(endpoint, wrongMethod), ...problemsByStatus };
}

function commonErrors(
  { access, parameters, method }: EndpointDescription,
  wrongMethod: 404 | 405,
): Record<string, string> {
  const notFound = parameters === undefined ? '' : 'Nothing has this identifier.';
  return {
    ...(access === 'public' || access === 'recognized'
      ? {}
      : { 401: 'The token is missing, or is not good.' }),
    ...(access === 'optional' && method !== 'GET' ? { 403: 'The caller may not do this.' } : {}),
    ...(notFound === '' ? {} : { 404: notFound }),
    ...(wrongMethod === 405
      ? { 405: 'The path has other methods; the header Allow lists them.' }
      : { 404: `${notFound} The path has no other method.`.trim() }),
  };
}

export interface SignIn {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly scope: string;
}

/** Returns the ways to sign in. */
export function securitySchemes({ authorizationUrl, tokenUrl, scope }: SignIn): Record<string, unknown> {
  return {
    oauth2: {
      type: 'oauth2',
      description: 'Sign in with Entra ID (authorization code with PKCE).',
      flows: {
        authorizationCode: { authorizationUrl, tokenUrl, scopes: { [scope]: 'Call the API as yourself.' } },
      },
    },
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  };
}
