/** The path below which the service stands, and what keeps it from standing there. */

import type { Config } from '../config.ts';
import { CodedError, isCodedError } from '../errors.ts';
import { httpSetting } from './host-json.ts';

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

/** Returns why no path of the service can be answered: a setting that is unusable, or a route prefix of the host before the base path. Undefined where all can. */
export function serviceRefusal(config: Config, environment: NodeJS.ProcessEnv): CodedError | undefined {
  try {
    // Reading them throws while they are missing or unusable.
    void [
      config.SERVICE_API_BASE_URL,
      config.APIS,
      config.TRUST_FORWARDED_HEADERS,
      config.BODY_BYTES_IN_FLIGHT,
    ];
  } catch (error) {
    if (!isCodedError(error, 'configuration')) throw error;
    return error;
  }
  return addedPrefix(environment);
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
