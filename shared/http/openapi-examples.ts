/** Examples of replies in the OpenAPI documents: components that several replies share. */

type Json = Record<string, unknown>;

/** Replies by the names that `exampleName` gives them: real ones, which a test has taken. */
export type ReplyExamples = Readonly<Record<string, unknown>>;

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
    const name = exampleName({ operationId, component }, Number(status), mediaType);
    if (status === 'default' || !(name in examples)) return {};
    components[name] = { value: examples[name] };
    return { examples: { [name]: { $ref: `#/components/examples/${name}` } } };
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
