/** Reads the APIs as the signed-in user, and shows the replies. */

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { send } from './api-client.ts';
import { word } from './session.tsx';

/** Reads a path: what was read, or why it could not be; undefined meanwhile, and where there is nothing to read. */
export function useRead<T>(path: string | undefined): T | Error | undefined {
  const [found, setFound] = useState<T | Error>();
  useEffect(() => void (path && send<T>(path).then(({ value }) => setFound(value), setFound)), [path]);
  return found;
}

interface ReadProps<T> {
  readonly path: string;
  readonly children: (found: T) => ComponentChildren;
}

/** Reads a path, and shows what was read, or why it could not be. */
export function Read<T>({ path, children }: ReadProps<T>) {
  const found = useRead<T>(path);
  if (found === undefined) return <p>{word('reading')}</p>;
  return found instanceof Error ? <p class="failing">{found.message}</p> : children(found);
}

/** A field of the metadata of a type of object, with what the customer calls it. */
export interface Field {
  readonly name: string;
  readonly label: string | null;
  readonly type: string;
  readonly readOnly: boolean;
}

/** Reads fields; none where they cannot be read. */
export function useFields(path: string | undefined): readonly Field[] {
  const found = useRead<readonly Field[]>(path);
  return found instanceof Error ? [] : (found ?? []);
}

/** What the customer calls the bk-fields of a type of object, by their names. */
export type Labels = ReadonlyMap<string, string>;

/** Returns the labels of fields. */
export function labelsOf(fields: readonly Field[]): Labels {
  return new Map(fields.map(({ name, label }) => [name, label ?? '']));
}
