/** The settings that decide where the service stands and what it serves, and what keeps it from standing there. */

import type { ApiName } from '../config/parsers.ts';
import { type Config, settingGroup } from '../config.ts';
import { CodedError } from '../errors.ts';
import { httpSetting } from './host-json.ts';

/** The settings of the whole service, with defaults in place of those that are unusable. */
export interface ServiceSettings {
  /** Path below which the service stands, such as `/api`; empty for none. */
  readonly basePath: string;
  readonly apis: readonly ApiName[];
  readonly corsOrigins: readonly string[];
  /** Whether a gateway in front says by which address a request came, and from whom. */
  readonly trustsForwarded: boolean;
  /** Bytes of bodies in flight, at most; 0: what fits the heap. */
  readonly bodyBytesInFlight: number;
  /** Whether people find pages. */
  readonly hasPages: boolean;
  /** Why no path of the service can be answered, but for what it says of itself: a setting that is unusable. Undefined where all can. */
  readonly settingsRefusal: CodedError | undefined;
  /** Why no path of the service can be answered at all: a route prefix of the host. Undefined where all can. */
  readonly prefixRefusal: CodedError | undefined;
}

/** Reads the settings of the service. */
export function readServiceSettings(config: Config, environment: NodeJS.ProcessEnv): ServiceSettings {
  const placement = settingGroup(
    config,
    ['SERVICE_API_BASE_URL', 'APIS', 'TRUST_FORWARDED_HEADERS', 'BODY_BYTES_IN_FLIGHT'],
    { SERVICE_API_BASE_URL: 'api' },
  );
  // Unusable, it stops only calls from browsers.
  const others = settingGroup(config, ['CORS_ORIGINS']);
  const path = placement.values.SERVICE_API_BASE_URL;
  return {
    basePath: path === '' ? '' : `/${path}`,
    apis: placement.values.APIS,
    corsOrigins: others.values.CORS_ORIGINS,
    trustsForwarded: placement.values.TRUST_FORWARDED_HEADERS,
    bodyBytesInFlight: placement.values.BODY_BYTES_IN_FLIGHT,
    hasPages: config.PAGES,
    settingsRefusal: placement.errors[0],
    prefixRefusal: addedPrefix(environment),
  };
}

/**
 * Returns the number of proxies that append to X-Forwarded-For before a request reaches the app: the front end of Azure, which no request
 * can bypass, and the gateway of TRUST_FORWARDED_HEADERS.
 */
export function trustedProxies(
  { trustsForwarded }: Pick<ServiceSettings, 'trustsForwarded'>,
  { WEBSITE_SITE_NAME }: NodeJS.ProcessEnv,
): number {
  const frontEnd = WEBSITE_SITE_NAME === undefined ? 0 : 1;
  return frontEnd + (trustsForwarded ? 1 : 0);
}

/** The host adds no prefix: the base path is one setting, and every address of the app is ours. */
function addedPrefix(environment: NodeJS.ProcessEnv): CodedError | undefined {
  const { value: prefix = 'api', override } = httpSetting(environment, 'routePrefix');
  if (String(prefix).replaceAll('/', '') === '') return undefined;
  const settingName = override === undefined ? 'host.json' : `the app setting ${override}`;
  return new CodedError(
    'base-url-mismatch',
    `The service is hosted elsewhere than SERVICE_API_BASE_URL says: ${settingName} puts a route prefix before every path.`,
    { hint: override === undefined ? 'Set routePrefix in host.json to "".' : `Remove ${settingName}.` },
  );
}
