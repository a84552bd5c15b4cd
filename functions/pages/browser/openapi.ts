/** What the explorer reads of an OpenAPI document. */

import { parseExactly, pretty } from './exact-json.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema?: {
    readonly default?: unknown;
    readonly type?: unknown;
    readonly enum?: readonly unknown[];
  };
}

interface Content {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly $ref?: string; readonly value?: unknown }>>;
}

type Contents = Readonly<Record<string, Content>>;

export interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Contents };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Contents }>>;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly examples?: Readonly<Record<string, { readonly value?: unknown }>> };
}

/** An operation with its place. */
export interface Operation extends OperationObject {
  readonly method: string;
  readonly path: string;
}

/** Returns the operations of a document by their groups, those alone in whose words a filter occurs. */
export function groupsOf({ paths }: OpenApiDocument, filter: string): Map<string, Operation[]> {
  const words = filter.toLowerCase().split(/\s+/);
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ ...one, path, method: method.toUpperCase() })),
  );
  const isShown = ({ method, path, summary, tags }: Operation) => {
    const text = [method, path, summary, ...tags].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return Map.groupBy(all.filter(isShown), ({ tags }) => tags[0] ?? '');
}

/** Returns the media type and example of a body that can be sent as it stands. */
export function bodyOf({
  requestBody,
}: Operation): { readonly type: string; readonly text: string } | undefined {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return type === undefined ? undefined : { type, text: pretty(content?.example ?? {}) };
}

/** Returns the first example of a reply; undefined where there is none. */
export function exampleOf(
  contents: Contents | undefined,
  { components }: OpenApiDocument,
): string | undefined {
  const [content] = Object.values(contents ?? {});
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
