/** What a caller prefers of a reply (RFC 7240): its body after a change, and how long it may take. */

import * as Type from 'typebox';
import type { RequestHeaders } from './request.ts';

/** `representation` is the new state; `minimal` is no body. */
export type PreferredReturn = 'representation' | 'minimal';

/** The header that names the preference that was followed. */
export const preferenceApplied = 'Preference-Applied';

/** The description of that header in replies that callers may wait for. */
export const appliedWaitHeader = {
  [preferenceApplied]: {
    description: 'The wait that was granted. Absent where too many callers wait.',
    schema: Type.String(),
  },
};

const returnPreference = /^return\s*=\s*("?)(?<value>representation|minimal)\1$/i;
const handlingPreference = /^handling\s*=\s*("?)(?<value>strict|lenient)\1$/i;
const waitPreference = /^wait\s*=\s*("?)(?<value>\d{1,9})\1$/i;

/** One preference of the header: a comma in quotes is part of its value. */
const listItem = /(?:"(?:\\.|[^"\\])*"?|[^,"])+/g;

/** Returns the first `return` of the header `Prefer`; undefined without one, and for a value that is not defined. */
export function preferredReturn(headers: RequestHeaders): PreferredReturn | undefined {
  return preferred('return', headers, returnPreference)?.toLowerCase() as PreferredReturn | undefined;
}

/** `strict` stores all or nothing; `lenient` what can be stored. */
export type PreferredHandling = 'strict' | 'lenient';

/** Returns the first `handling` of the header `Prefer`; undefined without one, and for a value that is not defined. */
export function preferredHandling(headers: RequestHeaders): PreferredHandling | undefined {
  return preferred('handling', headers, handlingPreference)?.toLowerCase() as PreferredHandling | undefined;
}

/** Returns the seconds of the first `wait` of the header `Prefer`; undefined without one, and for a value that is no whole number. */
function preferredWait(headers: RequestHeaders): number | undefined {
  const seconds = preferred('wait', headers, waitPreference);
  return seconds === undefined ? undefined : Number(seconds);
}

/**
 * Returns the seconds that a caller may wait as its `Prefer: wait` asks, up to the deadline (milliseconds since epoch) less a reserve; 0
 * where it does not ask.
 */
export function grantedWait(
  { headers }: { readonly headers: RequestHeaders },
  deadline: number,
  reserveSeconds: number,
): number {
  const remaining = Math.floor((deadline - Date.now()) / 1000 - reserveSeconds);
  return Math.max(0, Math.min(preferredWait(headers) ?? 0, remaining));
}

/** Seconds after which a caller may ask again who could not wait. */
const retryAfter = 5;

/** Returns the headers of a reply for a caller who wanted to wait: the wait, or when to ask again. */
export function waitHeaders(seconds: number, hasWaited: boolean): Readonly<Record<string, string>> {
  if (seconds === 0) return { Vary: 'Prefer' };
  return {
    Vary: 'Prefer',
    ...(hasWaited ? { [preferenceApplied]: `wait=${seconds}` } : { 'Retry-After': String(retryAfter) }),
  };
}

function preferred(name: string, headers: RequestHeaders, value: RegExp): string | undefined {
  const preferences = ((headers.get('prefer') ?? '').match(listItem) ?? []).map(withoutParameters);
  const first = preferences.find((preference) => nameOf(preference) === name);
  return value.exec(first ?? '')?.groups?.['value'];
}

function nameOf(preference: string): string | undefined {
  return preference.split('=', 1)[0]?.trim().toLowerCase();
}

function withoutParameters(preference: string): string {
  return preference.split(';', 1)[0]?.trim() ?? '';
}
