/** Reads the input of an endpoint by its schemas: the way of a JSON API. */

import type { TSchema } from 'typebox';
import { CodedError, type FieldError } from '../errors.ts';
import { isLong, yieldToEventLoop } from '../limits/chunks.ts';
import type { Input } from './api.ts';
import { checkMediaType, hasBody, parseJson, readText } from './body.ts';
import type { BodyDefinition } from './description.ts';
import type { IncomingRequest } from './request.ts';
import { validate } from './validate.ts';

interface InputDefinition {
  readonly parameters?: TSchema | undefined;
  readonly query?: TSchema | undefined;
  readonly body?: BodyDefinition | undefined;
}

/** Reads path, query and body, and throws `invalid-parameters` or `invalid-body` with an error for each invalid place. */
export async function readInput(
  { parameters, query, body }: InputDefinition,
  { request }: { readonly request: IncomingRequest },
): Promise<Input> {
  const path = { ...request.parameters };
  const { searchParams } = request.url;
  const search = query === undefined ? {} : Object.fromEntries(searchParams);
  const errors = [
    ...(await errorsIn(parameters, path, 'path')),
    ...(query === undefined ? [] : repeated(searchParams)),
    ...(await errorsIn(query, search, 'query')),
  ];
  if (errors.length > 0)
    throw invalid('invalid-parameters', 'Cannot read the request: its parameters are not valid.', errors);
  return { path, query: search, body: body === undefined ? undefined : await readBody(body, request) };
}

/** Returns an error for each parameter that is given more than once, since the value is ambiguous. */
function repeated(search: URLSearchParams): FieldError[] {
  return [...new Set(search.keys())]
    .filter((name) => search.getAll(name).length > 1)
    .map((name) => ({ pointer: `query:${name}`, detail: 'is given more than once' }));
}

async function errorsIn(
  schema: TSchema | undefined,
  values: Record<string, string>,
  place: string,
): Promise<FieldError[]> {
  if (schema === undefined) return [];
  const errors = await validate(schema, values, 'converting');
  return errors.map(({ pointer, detail }) => ({ pointer: `${place}:${pointer.slice(1)}`, detail }));
}

async function readBody(definition: BodyDefinition, request: IncomingRequest): Promise<unknown> {
  const { schema, as = 'value', mediaTypes = ['application/json'], required = true } = definition;
  if (!hasBody(request)) {
    if (!required) return undefined;
    throw invalid('missing-body', 'Cannot read the body: it is missing.', [
      { pointer: '', detail: 'is missing' },
    ]);
  }
  checkMediaType(request, mediaTypes);
  const text = await readText(request);
  if (isLong(text)) await yieldToEventLoop();
  const value = parseJson(text);
  if (isLong(text)) await yieldToEventLoop();
  const errors = await validate(schema, value, 'exact');
  if (errors.length > 0) throw invalid('invalid-body', 'Cannot accept the body: it is not valid.', errors);
  return as === 'text' ? text : value;
}

function invalid(
  code: 'invalid-parameters' | 'missing-body' | 'invalid-body',
  message: string,
  errors: readonly FieldError[],
): CodedError {
  return new CodedError(code, message, { errors });
}
