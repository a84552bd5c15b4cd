/** Calls of the APIs as the signed-in user, and why they failed. */

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageLanguage } from '../views/words.ts';
import { send } from './api-client.ts';
import { language, word } from './session.tsx';

/** Returns why the last action failed, the function that runs one, and whether one is running: no other begins meanwhile. */
export function useAttempt() {
  const [failure, setFailure] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  // Two clicks may come before the page is shown again.
  const isRunning = useRef(false);
  const attempt = (action: () => Promise<unknown>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setFailure(undefined);
    action()
      .catch(setFailure)
      .finally(() => {
        isRunning.current = false;
        setBusy(false);
      });
  };
  return [failure, attempt, isBusy] as const;
}

export function Failure({ error }: { readonly error: unknown }) {
  return error instanceof Error ? (
    <p class="failing" role="alert">
      {error.message}
    </p>
  ) : null;
}

/** Reads a path: its value, or why it cannot be read; undefined meanwhile. In another round it is read again, and shown as it was until then. */
export function useRead<T>(path: string, round = 0): T | Error | undefined {
  const [result, setResult] = useState<T | Error>();
  useEffect(() => {
    let isLeft = false;
    const show = (found: T | Error) => {
      if (!isLeft) setResult(found);
    };
    send<T>(path).then(({ value }) => show(value), show);
    return () => {
      isLeft = true;
    };
  }, [path, round]);
  return result;
}

interface ReadProps<T> {
  readonly path: string;
  readonly round?: number;
  readonly children: (value: T) => ComponentChildren;
}

/** Reads a path, and shows its value, or why it cannot be read. */
export function Read<T>({ path, round, children }: ReadProps<T>) {
  const result = useRead<T>(path, round);
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

/** The langID of each language of the pages, as Windows numbers them. */
const langIDs: Readonly<Record<PageLanguage, number>> = { en: 1033, da: 1030, sv: 1053 };

/** Reads fields with their labels in the language of the page, else in that of the caller. */
export async function readFields(path: string): Promise<readonly Field[]> {
  const [ofPage, ofCaller] = await Promise.all(
    [`${path}?language=${langIDs[language]}`, path].map((each) => send<readonly Field[]>(each)),
  );
  const labels = new Map(ofPage?.value.map(({ name, label }) => [name, label]));
  return (ofCaller?.value ?? []).map((field) => ({ ...field, label: labels.get(field.name) ?? field.label }));
}

/** Returns the fields of a path; none until they are read, and where they cannot be. */
export function useFields(path: string): readonly Field[] {
  const [fields, setFields] = useState<readonly Field[]>([]);
  useEffect(() => void readFields(path).then(setFields, () => setFields([])), [path]);
  return fields;
}
