/** Reads the records API as the signed-in user, and shows the replies. */

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { parseExactly } from './json.ts';
import { user } from './session.tsx';

/** Reads JSON; throws what the problem says. */
async function get<T>(path: string): Promise<T> {
  const reply = await fetch(path, { headers: { Authorization: `Bearer ${user?.access_token}` } });
  const body = parseExactly(await reply.text());
  if (reply.ok) return body as T;
  const { detail = `Status ${reply.status}`, hint = '' } = body as { detail?: string; hint?: string };
  throw new Error(`${detail} ${hint}`);
}

/** Reads a path: what was read, or why it could not be; undefined meanwhile, and where there is nothing to read. */
export function useRead<T>(path: string | undefined): T | Error | undefined {
  const [found, setFound] = useState<T | Error>();
  useEffect(() => void (path && get<T>(path).then(setFound, setFound)), [path]);
  return found;
}

interface ReadProps<T> {
  readonly path: string;
  readonly children: (found: T) => ComponentChildren;
}

/** Reads a path, and shows what was read, or why it could not be. */
export function Read<T>({ path, children }: ReadProps<T>) {
  const found = useRead<T>(path);
  if (found === undefined) return <p>Reading …</p>;
  return found instanceof Error ? <p class="failing">{found.message}</p> : children(found);
}

/** What the customer calls the bk-fields of a type of object, by their names. */
export type Labels = ReadonlyMap<string, string>;

/** Reads labels; none where they cannot be read. */
export function useLabels(path: string | undefined): Labels {
  const found = useRead<readonly { readonly name: string; readonly label: string | null }[]>(path);
  const fields = found instanceof Error ? [] : (found ?? []);
  return new Map(fields.map(({ name, label }) => [name, label ?? '']));
}
