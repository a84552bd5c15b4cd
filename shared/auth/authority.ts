/** From the Authority setting to the metadata URLs of both token versions (OpenID Connect Discovery 1.0). */

import { settingError } from '../config.ts';
import { CodedError } from '../errors.ts';
import type { TokenVersion } from './token-parts.ts';

const tenantsInCommon = /^\/(common|organizations|consumers)(?=\/|$)/;
const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns the URL of the metadata document of each token version. The Authority may end in `/v2.0` or not;
 * one that tenants have in common is narrowed to the tenant. Plain `http` is accepted only for this machine.
 * Throws `configuration` (misconfigured) for anything else.
 */
export function metadataUrls(authority: string, tenantId: string): Record<TokenVersion, URL> {
  const url = authorityUrl(authority);
  const tenantPath = tenantPathOf(url, tenantId);
  return { '1.0': metadata(url, tenantPath), '2.0': metadata(url, `${tenantPath}/v2.0`) };
}

/** Returns the URL where people sign in to a tenant, as Excel and Power Query want it in a challenge. Throws like `metadataUrls`. */
export function authorizationUri(authority: string, tenantId: string): string {
  const url = authorityUrl(authority);
  return `${url.origin}${tenantPathOf(url, tenantId)}/oauth2/authorize`;
}

function tenantPathOf({ pathname }: URL, tenantId: string): string {
  const tenantPath = pathname
    .replace(/\/+$/, '')
    .replace(/\/v2\.0$/, '')
    .replace(tenantsInCommon, `/${tenantId}`);
  if (tenantPath === '') throw misconfigured('must have the tenant in its path');
  return tenantPath;
}

/**
 * Checks that a metadata URL or an issuer belongs to the tenant, as far as it names one by id. Throws `configuration` (misconfigured) for
 * another tenant, whose tokens would all be refused.
 */
export function checkTenant(urlOrIssuer: string, tenantId: string): void {
  const ids = urlOrIssuer
    .toLowerCase()
    .split(/[/?]/)
    .filter((segment) => guid.test(segment));
  if (ids.length > 0 && !ids.includes(tenantId.toLowerCase())) throw otherTenant();
}

function otherTenant(): CodedError {
  return new CodedError(
    'configuration',
    'The settings AppRegistration__TenantId and AppRegistration__Authority name different tenants.',
    { facts: { setting: 'AppRegistration__TenantId' } },
  );
}

function authorityUrl(authority: string): URL {
  const url = URL.parse(authority);
  if (url !== null && isSecure(url)) return url;
  throw misconfigured('must be an https URL');
}

/** Checks whether a URL is confidential: it is https, or on this machine. */
export function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname));
}

// A query stays, for `?appid=`: the keys of apps that sign with their own are listed only there.
function metadata({ origin, search }: URL, tenantPath: string): URL {
  return new URL(`${tenantPath}/.well-known/openid-configuration${search}`, origin);
}

function misconfigured(problem: string): CodedError {
  return settingError('AppRegistration__Authority', `is not usable: it ${problem}`);
}
