/** Custom data of an object: composed from its registrations, replaced as a whole (specification, Rules for custom data). */

import { CodedError } from '../../errors.ts';
import type { Database } from '../../sql/database.ts';
import { isLong, pause } from '../../waiting.ts';
import { joinTagged, type Tagged } from '../entity-tag.ts';
import type { User } from '../users.ts';
import { type RegisteredObject, type Registration, readRegistrations } from './registrations.ts';
import { type Reference, readSources } from './sources.ts';

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
export async function readCustomData(customization: Database, of: CustomDataOf): Promise<Tagged> {
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
): Promise<Tagged> {
  const parts = ['{'];
  for (const registration of registrations) {
    const { identifier } = registration;
    const value = registration.kind === 'JSON' ? stored(registration) : (sources.get(identifier) ?? 'null');
    parts.push(`${parts.length === 1 ? '' : ','}${JSON.stringify(identifier)}:`, value);
    if (isLong(value)) await pause();
  }
  return joinTagged([...parts, '}']);
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
