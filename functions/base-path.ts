/** The path below which the service stands, and what keeps it from standing there. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../shared/config.ts';
import { CodedError, isCodedError } from '../shared/errors.ts';

/** Returns the base path that SERVICE_API_BASE_URL names, such as `/api`; empty for none. */
export function readBasePath(config: Config): string {
  const path = settingOf(() => config.SERVICE_API_BASE_URL, 'api');
  return path === '' ? '' : `/${path}`;
}

/** Returns what a setting says; while that is unusable a fallback, since an API must stand somewhere to say so. */
export function settingOf<Value>(read: () => Value, fallback: Value): Value {
  try {
    return read();
  } catch (error) {
    if (!isCodedError(error, 'configuration')) throw error;
    return fallback;
  }
}

/** Returns why no path of the service can be answered: a base path that is unusable, or a route prefix of the host before it, which `onPrefix` is told at once. */
export function baseUrlRefusal(
  config: Config,
  onPrefix: (error: CodedError) => void,
): () => CodedError | undefined {
  const added = addedPrefix(process.env);
  if (added !== undefined) onPrefix(added);
  return () => {
    // Reading them throws while they are missing or unusable.
    void [config.SERVICE_API_BASE_URL, config.APIS, config.TRUST_FORWARDED_HEADERS];
    return added;
  };
}

const overridingSetting = /^AzureFunctionsJobHost(__|:)extensions(__|:)http(__|:)routePrefix$/i;

/** The host adds no prefix of its own: the base path is one setting, and every address of the app is ours. */
function addedPrefix(environment: NodeJS.ProcessEnv): CodedError | undefined {
  const [name, value] = Object.entries(environment).find(([key]) => overridingSetting.test(key)) ?? [];
  const prefix = value ?? routePrefixOf(join(import.meta.dirname, '..', '..', 'host.json'));
  if (prefix.replaceAll('/', '') === '') return undefined;
  const where = name === undefined ? 'host.json' : `the app setting ${name}`;
  return new CodedError(
    'base-url-mismatch',
    `The service is hosted elsewhere than SERVICE_API_BASE_URL says: ${where} puts a route prefix before every path.`,
    { hint: name === undefined ? 'Set routePrefix in host.json to "".' : `Remove ${where}.` },
  );
}

function routePrefixOf(file: string): string {
  const host = JSON.parse(readFileSync(file, 'utf8')) as { extensions?: { http?: { routePrefix?: string } } };
  return host.extensions?.http?.routePrefix ?? 'api';
}
