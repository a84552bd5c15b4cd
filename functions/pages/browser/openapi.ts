/** What the explorer reads of an OpenAPI document. */

import { parseExactly, pretty } from './exact-json.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema?: { readonly default?: unknown };
}

type Example = { readonly $ref?: string; readonly value?: unknown };
type Named<T> = Readonly<Record<string, T>>;
type Contents = Named<{ readonly example?: unknown; readonly examples?: Named<Example> }>;

interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Contents };
  readonly responses: Named<{ readonly description: string; readonly content?: Contents }>;
}

export interface OpenApiDocument {
  readonly paths: Named<Named<OperationObject>>;
  readonly components: { readonly examples?: Named<Example> };
}

/** An operation with its place. */
export interface Operation extends OperationObject {
  readonly method: string;
  readonly path: string;
}

/** Returns the operations of a document by their groups, those alone in whose words a filter occurs. */
export function groupsOf({ paths }: OpenApiDocument, filter: string): Map<string, Operation[]> {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ ...one, path, method: method.toUpperCase() })),
  );
  const shown = all.filter(({ method, path, summary, tags }) => {
    const text = [method, path, summary, ...tags].join(' ').toLowerCase();
    return filter
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word));
  });
  return Map.groupBy(shown, ({ tags }) => tags[0] ?? '');
}

/** Returns the media type and example of a body that can be sent as it stands. */
export function bodyOf({ requestBody }: Operation) {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return type === undefined ? undefined : { type, text: pretty(content?.example ?? {}) };
}

/** Returns the first example of a reply; undefined where there is none. */
export function exampleOf(contents: Contents = {}, { components }: OpenApiDocument): string | undefined {
  const [content] = Object.values(contents);
  const [first] = Object.values(content?.examples ?? {});
  const named = components.examples?.[first?.$ref?.split('/').at(-1) ?? ''];
  const value = content?.example ?? first?.value ?? named?.value;
  return value === undefined ? undefined : pretty(value);
}

/** Returns the text of a reply for reading. */
export function readable(text: string): string {
  try {
    return pretty(parseExactly(text));
  } catch {
    return text;
  }
}
