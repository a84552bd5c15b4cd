/** The OpenAPI document that the explorer shows: the one that the address names. */

import { parseExactly, pretty } from './json.ts';
import { base, calendar, records } from './session.tsx';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema?: { readonly default?: unknown };
}

type Named<T> = Readonly<Record<string, T>>;
type Examples = Named<{ readonly $ref?: string; readonly value?: unknown }>;
type Contents = Named<{ readonly schema?: Schema; readonly example?: unknown; readonly examples?: Examples }>;

/** The keywords of a schema that are shown. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Named<Schema>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** An operation; method and path are those of its place in the document. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Contents };
  readonly responses: Named<{ readonly description: string; readonly content?: Contents }>;
}

interface OpenApiDocument {
  readonly paths: Named<Named<Operation>>;
  readonly components: { readonly examples?: Examples; readonly schemas?: Named<Schema> };
}

/** Names of the documents by their files below the base path. */
export const documents: Readonly<Record<string, string>> = {
  ...(calendar === undefined ? {} : { calendar: 'Calendar' }),
  ...(records === undefined ? {} : { records: 'Records, v8.0', 'records-v7': 'Records, v7' }),
};
const name = new URLSearchParams(location.search).get('document') ?? '';

/** The document that the address names, else the first; and its address. */
export const file = Object.hasOwn(documents, name) ? name : (Object.keys(documents)[0] ?? '');
export const url = `${base}/swagger/${file}.json`;
const { paths, components }: OpenApiDocument = await (await fetch(url)).json();

/** Returns the operations of the document by their groups, those alone in whose words a filter occurs. */
export function groupsOf(filter: string): Map<string, Operation[]> {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
    })),
  );
  const words = filter.toLowerCase().split(/\s+/);
  const operations = all.filter(({ method, path, summary, tags }) => {
    const text = [method, path, summary, ...tags].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return Map.groupBy(operations, ({ tags }) => tags[0] ?? '');
}

/** Returns the schema that a reference leads to, with the keywords beside the reference. */
export function schemaAt({ $ref, ...keywords }: Schema): Schema {
  const target = $ref === undefined ? undefined : components.schemas?.[$ref.split('/').at(-1) ?? ''];
  return target === undefined ? keywords : { ...schemaAt(target), ...keywords };
}

/** Returns the schema of the first media type; undefined for a body without one. */
export function schemaOf(contents: Contents = {}): Schema | undefined {
  return Object.values(contents)[0]?.schema;
}

/** Returns the media type and example of a body that can be sent as it stands. */
export function bodyOf({ requestBody }: Operation) {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return type === undefined ? undefined : { type, text: pretty(content?.example ?? {}) };
}

/** Returns the first example of a reply. */
export function exampleOf(contents: Contents = {}): string {
  const [content] = Object.values(contents);
  const [example] = Object.values(content?.examples ?? {});
  const component = components.examples?.[example?.$ref?.split('/').at(-1) ?? ''];
  const value = content?.example ?? example?.value ?? component?.value;
  return value === undefined ? 'No body.' : pretty(value);
}

/** Returns the text of a reply for reading. */
export function readable(text: string): string {
  try {
    return pretty(parseExactly(text));
  } catch {
    return text;
  }
}
