/** What a caller prefers a reply to a change to be (RFC 7240). */

import type { RequestHeaders } from './request.ts';

/** `representation` is the new state; `minimal` is no body. */
export type PreferredReturn = 'representation' | 'minimal';

/** The header that names the preference that was followed. */
export const preferenceApplied = 'Preference-Applied';

const returnPreference = /^return\s*=\s*"?(representation|minimal)"?$/i;

/** Returns the first `return` of the header `Prefer`; undefined without one, and for a value that is not defined. */
export function preferredReturn(headers: RequestHeaders): PreferredReturn | undefined {
  const preferences = (headers.get('prefer') ?? '').split(',').map(withoutParameters);
  const first = preferences.find((preference) => /^return\s*(?:=|$)/i.test(preference));
  return returnPreference.exec(first ?? '')?.[1]?.toLowerCase() as PreferredReturn | undefined;
}

function withoutParameters(preference: string): string {
  return preference.split(';', 1)[0]?.trim() ?? '';
}
