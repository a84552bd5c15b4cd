/** What plans are made for: a subscription, its tenant, and a suffix in the place of each stack's hash. */

export const subscriptionId = '00000000-0000-0000-0000-000000000001';
export const tenantId = '00000000-0000-0000-0000-0000000000aa';

/** The suffix of names in plans; each stack computes it by another hash. */
const suffix = '0123456789abc';

/** The hash that a stack has put into the names of a plan's JSON; '' where all have names of their own. */
export const hashIn = (json: string): string =>
  /\b(?:log|records-and-calendar)-[a-z0-9]+-([a-z0-9]{13})\b/.exec(json)?.[1] ?? '';

/** Returns a plan's JSON with one suffix in all names. */
export function withOneSuffix(json: string): string {
  const hash = hashIn(json);
  return hash === '' ? json : json.replaceAll(hash, suffix);
}
