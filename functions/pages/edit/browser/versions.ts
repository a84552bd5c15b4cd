/** The versions of a record: how they are read, and put back. */

import { type Answer, send } from '../../common/browser/api-client.ts';
import { type Entry, type Kind, pathOf, readEntry } from './edit-data.ts';

export interface FieldChange {
  readonly field: string;
  readonly language?: string;
  readonly before: string | number | boolean | readonly string[] | null;
  readonly after: string | number | boolean | readonly string[] | null;
}

interface VersionHead {
  readonly version: number;
  /** In UTC, `YYYY-MM-DD HH:MM:SS`. */
  readonly written: string;
  readonly by?: { readonly id: number; readonly name?: string };
  readonly status: string;
}

export interface Version extends VersionHead {
  /** Absent for the first that is kept. */
  readonly changes?: readonly FieldChange[];
}

/** What putting a version back would change. */
export interface VersionDifferences extends VersionHead {
  readonly differences: readonly FieldChange[];
  readonly left_out: readonly string[];
}

export interface VersionPage {
  readonly versions: readonly Version[];
  readonly next?: string;
}

/** Reads the newest versions, or those of the address of the next page. */
export async function readVersions(kind: Kind, id: number, next?: string): Promise<VersionPage> {
  return (await send<VersionPage>(next ?? pathOf(kind, `${id}/history`))).value;
}

export async function readDifferences(kind: Kind, id: number, version: number): Promise<VersionDifferences> {
  return (await send<VersionDifferences>(pathOf(kind, `${id}/history/${version}`))).value;
}

/** Puts a version back in the place of the one that was read; returns the record, and the fields that lack what is gone. Throws a `Refusal`. */
export async function restoreVersion(
  kind: Kind,
  { value, etag }: Answer<Entry>,
  version: number,
): Promise<{ readonly value: Answer<Entry>; readonly missing: readonly string[] }> {
  const { headers } = await send(pathOf(kind, `${value.id}/history/${version}/restore`), {
    method: 'POST',
    headers: { 'If-Match': etag },
  });
  const adjusted = headers.get('adjusted-fields') ?? '';
  const missing = adjusted.split(', ').filter((name) => name !== '');
  return { value: await readEntry(kind, value.id), missing: missing.map((name) => name.split(';')[0] ?? '') };
}

/** Puts a record back from the trash. */
export async function untrashEntry(kind: Kind, id: number): Promise<void> {
  await send(pathOf(kind, `${id}/untrash`), { method: 'POST' });
}
