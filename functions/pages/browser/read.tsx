/** Reading the records API as who is signed in, and showing what was read. */

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { parseExactly } from './exact-json.ts';

/** Reads JSON of the records API; throws what the problem says. */
export type Get = <T>(path: string) => Promise<T>;

/** Returns the function that reads paths below a root with a token. */
export function getAs(token: string, root: string): Get {
  return async (path) => {
    const reply = await fetch(root + path, { headers: { Authorization: `Bearer ${token}` } });
    const body = parseExactly(await reply.text());
    if (reply.ok) return body as never;
    const { detail = `Status ${reply.status}`, hint = '' } = body as { detail?: string; hint?: string };
    throw new Error(`${detail} ${hint}`);
  };
}

/** Reads a path: what was read, or why it could not be; undefined meanwhile, and where there is nothing to read it with. */
export function useRead<T>(get: Get | undefined, path: string): T | Error | undefined {
  const [found, setFound] = useState<T | Error>();
  useEffect(() => void get?.<T>(path).then(setFound, setFound), [path]);
  return found;
}

interface ShownProps<T> {
  readonly found: T | Error | undefined;
  readonly children: (found: T) => ComponentChildren;
}

/** Shows what was read, or why it could not be. */
export function Shown<T>({ found, children }: ShownProps<T>) {
  if (found === undefined) return <p>Reading …</p>;
  return found instanceof Error ? <p class="failing">{found.message}</p> : children(found);
}

/** The bk-fields of a type of object, as `/fields` lists them. */
export type Fields = readonly { readonly name: string; readonly label: string | null }[];

/** Returns what the customer calls fields, by their names; none where they were not read. */
export function labelsOf(fields: Fields | Error | undefined): ReadonlyMap<string, string> {
  if (fields === undefined || fields instanceof Error) return new Map();
  return new Map(fields.flatMap(({ name, label }) => (label === null ? [] : [[name, label]])));
}
