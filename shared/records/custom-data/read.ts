/** Custom data of an object: composed from its registrations, replaced as a whole (specification, Rules for custom data). */

import { CodedError } from '../../errors.ts';
import type { Database } from '../../sql/database.ts';
import { isLong, pause } from '../../waiting.ts';
import { entityTagInSlices } from '../entity-tag.ts';
import type { User } from '../users.ts';
import { type RegisteredObject, type Registration, readRegistrations } from './registrations.ts';
import { type Reference, readSources } from './sources.ts';

/** The custom data of an object as JSON text, with its strong entity tag. */
export interface CustomData {
  readonly text: string;
  readonly etag: string;
}

/** Whose custom data, and for whom. */
export interface CustomDataOf extends RegisteredObject {
  readonly user: User;
}

/** Attempts to read a state that no change falls into; then what was read last is good enough. */
const maxAttempts = 5;

/**
 * Reads the custom data of an object: one round trip, and one more when there are REF or REF_RO registrations. When it
 * was replaced between the two it is read again, so that values of one change do not stand beside those of another.
 */
export async function readCustomData(customization: Database, of: CustomDataOf): Promise<CustomData> {
  for (let number = 1; ; number++) {
    const { registrations, version } = await readRegistrations(customization, of);
    const sources = await readSources(customization, references(registrations), of);
    const changed = sources.version !== undefined && sources.version !== version;
    if (!changed || number === maxAttempts) return compose(registrations, sources.values);
  }
}

/** Returns the registrations whose values come from a custom view or procedure. */
export function references(registrations: readonly Registration[]): Reference[] {
  return registrations.filter((one): one is Reference => one.kind !== 'JSON');
}

/** Composes the JSON text: stored values as they were written, and the values of sources under their identifiers. */
export async function compose(
  registrations: readonly Registration[],
  sources: ReadonlyMap<string, string>,
): Promise<CustomData> {
  const members: string[] = [];
  for (const registration of registrations) {
    const { identifier } = registration;
    const value = registration.kind === 'JSON' ? stored(registration) : (sources.get(identifier) ?? 'null');
    members.push(`${JSON.stringify(identifier)}:${value}`);
    if (isLong(value)) await pause();
  }
  const text = `{${members.join(',')}}`;
  return { text, etag: await entityTagInSlices(text) };
}

/**
 * Other programs write registrations too, so a stored value is checked before it becomes part of a reply. The parser's
 * error is not kept as the cause: it quotes the value, and the log must not.
 */
function stored({ identifier, customData }: Extract<Registration, { kind: 'JSON' }>): string {
  try {
    JSON.parse(customData);
    return customData;
  } catch {
    throw new CodedError(
      'custom-data-not-json',
      `Cannot read the custom data "${identifier}": what is stored is not JSON.`,
      { facts: { identifier } },
    );
  }
}
