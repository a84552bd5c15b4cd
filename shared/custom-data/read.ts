/** Custom data of an object: composed from its registrations, all of them or those that are asked for (docs/records-contract.md, "Reading custom data"). */

import { CodedError } from '../errors.ts';
import { joinTagged, type Tagged } from '../http/entity-tag.ts';
import { isLong, yieldToEventLoop } from '../limits/chunks.ts';
import type { Database } from '../sql/database.ts';
import { isJson } from './members.ts';
import { type RegisteredObject, type Registration, readRegistrations } from './registrations.ts';
import { checkSelection, notRegistered, valueNotFound } from './selection.ts';
import { type ActingUser, readSources } from './sources/read-sources.ts';
import type { Reference } from './sources/reference.ts';

/** Whose custom data, and for whom. */
export interface CustomDataOf extends RegisteredObject {
  readonly user: ActingUser;
}

/** Registrations, and the values of those that are sources. */
type State = readonly [registrations: readonly Registration[], values: ReadonlyMap<string, string>];

/** Attempts to read a state that no change falls into; then what was read last is good enough. */
const maxAttempts = 5;

/**
 * Reads the custom data of an object: that of `of.identifiers`, or all. Throws `invalid-parameters` for identifiers that are not
 * registered; sources of other identifiers are not executed.
 */
export async function readCustomData(customization: Database, of: CustomDataOf): Promise<Tagged> {
  return compose(...(await readState(customization, of, notRegistered)));
}

/** Reads the value of one identifier. Throws `custom-data-not-found`. */
export async function readValue(
  customization: Database,
  of: CustomDataOf,
  identifier: string,
): Promise<Tagged> {
  return composeValue(
    ...(await readState(customization, { ...of, identifiers: [identifier] }, valueNotFound)),
  );
}

/**
 * Reads registrations and their sources: one round trip, and one more when there are REF or REF_RO registrations. When the custom data
 * was replaced between the two it is read again, so that values of one change do not stand beside those of another.
 */
async function readState(
  customization: Database,
  of: CustomDataOf,
  error: (unregistered: readonly string[]) => CodedError,
): Promise<State> {
  for (let number = 1; ; number++) {
    const { registrations, version } = await readRegistrations(customization, of);
    checkSelection(of, registrations, error);
    const sources = await readSources(customization, references(registrations), of);
    const hasChanged = sources.version !== undefined && sources.version !== version;
    if (hasChanged && number < maxAttempts) continue;
    await checkStored(registrations);
    return [registrations, sources.values];
  }
}

/** Returns the registrations whose values come from a custom view or procedure. */
export function references(registrations: readonly Registration[]): Reference[] {
  return registrations.filter((registration): registration is Reference => registration.kind !== 'JSON');
}

/** Composes the JSON text: stored values as they were written, and the values of sources under their identifiers. */
export function compose(...[registrations, sources]: State): Promise<Tagged> {
  const parts = ['{'];
  for (const registration of registrations)
    parts.push(
      `${parts.length === 1 ? '' : ','}${JSON.stringify(registration.identifier)}:`,
      textOf(registration, sources),
    );
  return joinTagged([...parts, '}']);
}

/** Returns the JSON text of the value of the only registration. */
export function composeValue(...[[registration], sources]: State): Promise<Tagged> {
  return joinTagged([registration === undefined ? 'null' : textOf(registration, sources)]);
}

function textOf(registration: Registration, sources: ReadonlyMap<string, string>): string {
  if (registration.kind === 'JSON') return registration.customData;
  return sources.get(registration.identifier) ?? 'null';
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
