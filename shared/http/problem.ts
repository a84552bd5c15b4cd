/** Problem details (RFC 9457): the error replies of the records API and of the service itself. */

import * as Type from 'typebox';
import { titleOf } from '../errors/kinds.ts';
import type { CodedError } from '../errors.ts';
import { json, type Reply } from './reply.ts';
import type { RequestContext } from './request-context.ts';

export const problemSchema = Type.Object(
  {
    type: Type.String({ description: 'URI reference that names the kind of problem.' }),
    title: Type.String({ description: 'The same for every occurrence of this kind.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What happened in this case.' }),
    instance: Type.String({ description: 'URI reference of this occurrence: the id of the request.' }),
    code: Type.String({ description: 'Stable name of the condition.' }),
    hint: Type.Optional(Type.String({ description: 'What the caller can do about it.' })),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String({
            description: 'JSON pointer into the body, or `path:name`, `query:name` for a parameter.',
          }),
          detail: Type.String(),
        }),
      ),
    ),
  },
  { $id: 'Problem', description: 'Problem details (RFC 9457).' },
);

export const problemMediaType = 'application/problem+json';

/** Characters of a pointer that a reply has, at most: it is made of names that the caller has sent, which may be as long as a body. */
const maxPointer = 1_000;

/** Returns the problem details of a coded error in a request. */
export function problemOf(
  { code, message, hint, errors }: CodedError,
  status: number,
  { id }: { readonly id: string },
) {
  return {
    type: `urn:problem:${code}`,
    title: titleOf(status),
    status,
    detail: message,
    instance: `urn:request:${id}`,
    code,
    ...(hint === undefined ? {} : { hint }),
    ...(errors === undefined
      ? {}
      : {
          errors: errors.map(({ pointer, ...more }) => ({ pointer: pointer.slice(0, maxPointer), ...more })),
        }),
  };
}

/** Turns a coded error into a problem reply, with the headers that its status asks for. */
export function problemReply<Caller>(
  error: CodedError,
  status: number,
  context: RequestContext<Caller>,
): Reply {
  return json(problemOf(error, status, context), {
    status,
    headers: { 'Content-Type': problemMediaType, ...errorHeaders(error, status, context) },
  });
}

/** Returns the headers of an error reply with any body: `Allow`, `Retry-After`, `WWW-Authenticate`. */
export function errorHeaders<Caller>(
  error: CodedError,
  status: number,
  { route }: RequestContext<Caller>,
): Record<string, string> {
  return {
    ...(status === 405 ? { Allow: allow(route.endpoints) } : {}),
    ...(status === 401 ? { 'WWW-Authenticate': challenge(error) } : {}),
    ...(error.retryAfter === undefined ? {} : { 'Retry-After': String(Math.ceil(error.retryAfter)) }),
  };
}

/** Lists the methods of a path for `Allow` (RFC 9110 10.2.1). */
export function allow(endpoints: readonly { readonly method: string }[]): string {
  const methods = endpoints.map(({ method }) => method);
  return [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(', ');
}

/** Writes the challenge of RFC 6750 3 from the facts of an authentication error. */
function challenge({ facts }: CodedError): string {
  const { error, description } = 'challenge' in facts ? facts.challenge : {};
  const attributes = ['realm="records"'];
  if (error !== undefined) attributes.push(`error="${error}"`);
  if (description !== undefined)
    attributes.push(`error_description="${description.replace(/[^\x20-\x7e]|["\\]/g, ' ')}"`);
  return `Bearer ${attributes.join(', ')}`;
}
