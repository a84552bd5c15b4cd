/** The path under which the host serves the app, and whether the settings agree with it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../shared/config.ts';
import { CodedError } from '../shared/errors.ts';

const overridingSetting = 'AzureFunctionsJobHost__extensions__http__routePrefix';

/** Returns the host's base path, such as `/api`, or `` when it has none: from host.json, or the setting that overrides it. */
export function hostBasePath(): string {
  const prefix =
    process.env[overridingSetting] ?? routePrefixOf(join(import.meta.dirname, '..', '..', 'host.json'));
  return normalized(prefix);
}

function routePrefixOf(file: string): string {
  const host = JSON.parse(readFileSync(file, 'utf8')) as { extensions?: { http?: { routePrefix?: string } } };
  return host.extensions?.http?.routePrefix ?? 'api';
}

function normalized(path: string): string {
  const bare = path.replace(/^\/+|\/+$/g, '');
  return bare === '' ? '' : `/${bare}`;
}

/** Returns the error with which every path answers while SERVICE_API_BASE_URL differs from the host's base path (specification, Errors: 404). */
export function baseUrlMismatch(config: Config, basePath: string): CodedError | undefined {
  if (normalized(config.SERVICE_API_BASE_URL) === basePath) return undefined;
  return new CodedError(
    'base-url-mismatch',
    'The setting SERVICE_API_BASE_URL differs from the path under which this service is hosted.',
    {
      hint: `Set SERVICE_API_BASE_URL to ${basePath || '/'}, or change routePrefix in host.json.`,
    },
  );
}
