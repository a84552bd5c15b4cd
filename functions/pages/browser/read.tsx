/** Calls of the APIs as the signed-in user, and why they failed. */

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { send } from './api-client.ts';
import { word } from './session.tsx';

/** Returns why the last action failed, and the function that runs one. */
export function useAttempt() {
  const [failure, setFailure] = useState<Error>();
  const attempt = (action: () => Promise<unknown>) => {
    setFailure(undefined);
    action().catch(setFailure);
  };
  return [failure, attempt] as const;
}

export function Failure({ error }: { readonly error: unknown }) {
  return error instanceof Error ? <p class="failing">{error.message}</p> : null;
}

/** Reads a path: its value, or why it cannot be read; undefined meanwhile. */
export function useRead<T>(path: string): T | Error | undefined {
  const [result, setResult] = useState<T | Error>();
  useEffect(() => void send<T>(path).then(({ value }) => setResult(value), setResult), [path]);
  return result;
}

interface ReadProps<T> {
  readonly path: string;
  readonly children: (value: T) => ComponentChildren;
}

/** Reads a path, and shows its value, or why it cannot be read. */
export function Read<T>({ path, children }: ReadProps<T>) {
  const result = useRead<T>(path);
  if (result === undefined) return <p>{word('reading')}</p>;
  return result instanceof Error ? <Failure error={result} /> : children(result);
}

/** A field of the metadata of a type of object, with the customer's name for it. */
export interface Field {
  readonly name: string;
  readonly label: string | null;
  readonly type: 'text' | 'integer' | 'number' | 'date';
  readonly readOnly: boolean;
}

/** Reads fields, and their labels by their names; none where they cannot be read. */
export function useFields(path: string) {
  const result = useRead<readonly Field[]>(path);
  const fields = result instanceof Error ? [] : (result ?? []);
  return { fields, labels: new Map(fields.map(({ name, label }) => [name, label ?? ''])) };
}
