/** The part of host.json, and of the settings that override it, that decides how HTTP is served. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface HostSettings {
  /** Without slashes at its ends; empty for none. */
  readonly routePrefix: string;
  /** Requests that may be under way at once, or infinity; one more is answered 429. */
  readonly maxOutstandingRequests: number;
  readonly customHeaders: Readonly<Record<string, string>>;
  /** Largest request body in bytes; a larger one is answered 413. */
  readonly bodyLimit: number;
}

/** Reads the settings of the app in a folder. */
export function readHostSettings(folder: string, environment: NodeJS.ProcessEnv): HostSettings {
  const { extensions } = JSON.parse(readFileSync(join(folder, 'host.json'), 'utf8')) as {
    extensions?: {
      http?: {
        routePrefix?: string;
        maxOutstandingRequests?: number;
        customHeaders?: Record<string, string>;
      };
    };
  };
  const { routePrefix = 'api', maxOutstandingRequests = -1, customHeaders = {} } = extensions?.http ?? {};
  return {
    routePrefix: (environment['AzureFunctionsJobHost__extensions__http__routePrefix'] ?? routePrefix).replace(
      /^\/+|\/+$/g,
      '',
    ),
    maxOutstandingRequests: maxOutstandingRequests < 0 ? Number.POSITIVE_INFINITY : maxOutstandingRequests,
    customHeaders,
    bodyLimit: Number(environment['FUNCTIONS_REQUEST_BODY_SIZE_LIMIT'] ?? 104_857_600),
  };
}
