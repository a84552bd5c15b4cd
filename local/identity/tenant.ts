/** The one tenant that the local issuer serves: its URLs and its people. */

import { createHash } from 'node:crypto';
import type { SampleUser } from '../sample-data/users.ts';

/** Versions of Entra ID access tokens. */
export type TokenVersion = '1.0' | '2.0';

export interface Tenant {
  /** Where the issuer listens, without a trailing slash. */
  readonly url: string;
  readonly tenantId: string;
  /** Client id of the API whose tokens are issued. */
  readonly clientId: string;
  readonly users: readonly SampleUser[];
}

/** The path of a tenant in every URL of the issuer, below its origin. */
export function tenantUrl({ url, tenantId }: Tenant): string {
  return `${url}/${tenantId}`;
}

/** The `iss` claim: with a trailing slash in version 1.0, without one in version 2.0. */
export function issuerOf(tenant: Tenant, version: TokenVersion): string {
  return version === '1.0' ? `${tenantUrl(tenant)}/` : `${tenantUrl(tenant)}/v2.0`;
}

/** The person with an e-mail address: a sample user, or a person without roles who is named after the address. */
export function personWithEmail({ users }: Tenant, email: string): SampleUser {
  const existing = users.find((user) => user.email === email.toLowerCase());
  return existing ?? { email, name: email.split('@')[0] ?? email, roles: [] };
}

/** A GUID that is always the same for the same names, for object ids that outlive the issuer. */
export function stableGuid(...names: readonly string[]): string {
  const hex = createHash('sha256').update(names.join('\n').toLowerCase()).digest('hex');
  const version8 = `8${hex.slice(13, 16)}-a${hex.slice(17, 20)}`;
  return [hex.slice(0, 8), hex.slice(8, 12), version8, hex.slice(20, 32)].join('-');
}
