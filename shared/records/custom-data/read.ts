/** Custom data of an object: composed from its registrations, replaced as a whole (specification, Rules for custom data). */

import { CodedError } from '../../errors.ts';
import { isLong, yieldToEventLoop } from '../../limits/chunks.ts';
import type { Database } from '../../sql/database.ts';
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
    if (changed && number < maxAttempts) continue;
    await checkStored(registrations);
    return compose(registrations, sources.values);
  }
}

/** Returns the registrations whose values come from a custom view or procedure. */
export function references(registrations: readonly Registration[]): Reference[] {
  return registrations.filter((registration): registration is Reference => registration.kind !== 'JSON');
}

/** Composes the JSON text: stored values as they were written, and the values of sources under their identifiers. */
export function compose(
  registrations: readonly Registration[],
  sources: ReadonlyMap<string, string>,
): Promise<Tagged> {
  const parts = ['{'];
  for (const registration of registrations) {
    const { identifier } = registration;
    const value =
      registration.kind === 'JSON' ? registration.customData : (sources.get(identifier) ?? 'null');
    parts.push(`${parts.length === 1 ? '' : ','}${JSON.stringify(identifier)}:`, value);
  }
  return joinTagged([...parts, '}']);
}

/**
 * Checks that stored values are JSON before they become part of a reply, since other programs write registrations too. The parser's
 * error is not kept as the cause: it quotes the value, and the log must not.
 */
export async function checkStored(registrations: readonly Registration[]): Promise<void> {
  for (const registration of registrations) {
    if (registration.kind !== 'JSON') continue;
    const { identifier, customData } = registration;
    if (!isJson(customData))
      throw new CodedError(
        'custom-data-not-json',
        `Cannot read the custom data "${identifier}": what is stored is not JSON.`,
        { facts: { identifier } },
      );
    if (isLong(customData)) await yieldToEventLoop();
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
