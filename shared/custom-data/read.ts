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
import type { SourceValues } from './sources/source-values.ts';
import { tagScopes } from './tag-scopes.ts';

/** Whose custom data, and for whom. */
export interface CustomDataOf extends RegisteredObject {
  readonly user: ActingUser;
}

/** Registrations, and what those that are sources have given. */
type State = Pick<SourceValues, 'values' | 'columns'> & { readonly registrations: readonly Registration[] };

/** Attempts to read a state that no change falls into; then what was read last is good enough. */
const maxAttempts = 5;

/**
 * Reads the custom data of an object: that of `of.identifiers`, or all. Throws `invalid-parameters` for identifiers that are not
 * registered; sources of other identifiers are not executed.
 */
export async function readCustomData(customization: Database, of: CustomDataOf): Promise<Tagged> {
  const { registrations, values } = await readState(customization, of, notRegistered);
  return compose(registrations, values, of.identifiers === undefined ? tagScopes.all : tagScopes.some);
}

/** Reads the value of one identifier. Throws `custom-data-not-found`. */
export async function readValue(
  customization: Database,
  of: CustomDataOf,
  identifier: string,
): Promise<Tagged> {
  const { registrations, values } = await readOne(customization, of, identifier);
  return composeValue(registrations, values);
}

/** Reads the value of one identifier for a table: its JSON text, and the columns of its source. Throws `custom-data-not-found`. */
export async function readValueForTable(
  customization: Database,
  of: CustomDataOf,
  identifier: string,
): Promise<{ readonly value: string; readonly columns: readonly string[] }> {
  const {
    registrations: [registration],
    values,
    columns,
  } = await readOne(customization, of, identifier);
  return {
    value: registration === undefined ? 'null' : textOf(registration, values),
    columns: columns.get(identifier) ?? [],
  };
}

function readOne(customization: Database, of: CustomDataOf, identifier: string): Promise<State> {
  return readState(customization, { ...of, identifiers: [identifier] }, valueNotFound);
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
    return { registrations, values: sources.values, columns: sources.columns };
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
  scope: string = tagScopes.all,
): Promise<Tagged> {
  const parts = ['{'];
  for (const registration of registrations)
    parts.push(
      `${parts.length === 1 ? '' : ','}${JSON.stringify(registration.identifier)}:`,
      textOf(registration, sources),
    );
  return joinTagged([...parts, '}'], scope);
}

/** Returns the JSON text of the value of the only registration. */
export function composeValue(
  [registration]: readonly Registration[],
  sources: ReadonlyMap<string, string>,
): Promise<Tagged> {
  return joinTagged([registration === undefined ? 'null' : textOf(registration, sources)], tagScopes.one);
}

/** Returns the entity tag of the value of one identifier, as reading it gives. */
export async function tagOfValue(value: string): Promise<string> {
  return (await joinTagged([value], tagScopes.one)).etag;
}

function textOf(registration: Registration, sources: ReadonlyMap<string, string>): string {
  if (registration.kind === 'JSON') return registration.customData;
  return sources.get(registration.identifier) ?? 'null';
}

/** The error for a stored value that is not JSON. */
export function notJson(identifier: string, object = ''): CodedError {
  return new CodedError(
    'custom-data-not-json',
    `Cannot read the custom data "${identifier}"${object}: what is stored is not JSON.`,
    { facts: { identifier } },
  );
}

/**
 * Checks that stored values are JSON before they become part of a reply, since other programs write registrations too. The parser's
 * error is not kept as the cause: it quotes the value, and the log must not.
 */
export async function checkStored(registrations: readonly Registration[]): Promise<void> {
  for (const registration of registrations) {
    if (registration.kind !== 'JSON') continue;
    const { identifier, customData } = registration;
    if (!isJson(customData)) throw notJson(identifier);
    if (isLong(customData)) await yieldToEventLoop();
  }
}
