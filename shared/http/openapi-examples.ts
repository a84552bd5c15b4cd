/** Examples of replies in the OpenAPI documents: components that several replies share. */

type Json = Record<string, unknown>;

/** Replies by the names that `exampleName` gives them: real ones, which a test has taken. */
export type ReplyExamples = Readonly<Record<string, unknown>>;

/** Statuses of failures that are the service's own. */
const failures = [500, 503];

/** Names the example of a reply: after the component that its schema is, else after the operation; with the status of an error, and with a type that is not JSON. */
export function exampleName(
  { operationId, component }: { readonly operationId: string; readonly component: string | undefined },
  status: number,
  mediaType: string,
): string {
  const [, subtype = ''] = mediaType.split('/');
  return [
    component ?? operationId,
    ...(status >= 400 ? [status] : []),
    ...(subtype.endsWith('json') ? [] : [subtype]),
  ].join('-');
}

interface Media {
  readonly schema: { readonly $ref?: string };
}

interface Response {
  readonly content?: Readonly<Record<string, Media>>;
}

/** Returns the replies of an operation with the examples that there are, and adds these to the components. */
export function withExamples(
  operationId: string,
  responses: Json,
  { examples, components }: { readonly examples: ReplyExamples; readonly components: Json },
): Json {
  const exampleOf = (status: string, mediaType: string, { schema }: Media) => {
    const component = schema.$ref?.split('/').at(-1);
    // Any request may end in an error of the service.
    const statuses =
      status === 'default' ? failures.filter((failure) => !(failure in responses)) : [Number(status)];
    const names = statuses
      .map((status) => exampleName({ operationId, component }, status, mediaType))
      .filter((name) => name in examples);
    for (const name of names) components[name] = { value: examples[name] };
    const references = names.map((name) => [name, { $ref: `#/components/examples/${name}` }] as const);
    return names.length === 0 ? {} : { examples: Object.fromEntries(references) };
  };
  return mapValues(responses as Record<string, Response>, (status, response) =>
    response.content === undefined
      ? response
      : {
          ...response,
          content: mapValues(response.content, (mediaType, media) => ({
            ...media,
            ...exampleOf(status, mediaType, media),
          })),
        },
  );
}

function mapValues<Value>(
  object: Readonly<Record<string, Value>>,
  map: (key: string, value: Value) => unknown,
): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(key, value)]));
}
