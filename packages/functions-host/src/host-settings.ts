/** The part of host.json, and of the app settings that override it, that decides how HTTP is served. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LogLevel, logLevels } from './worker/log.ts';

export interface HostSettings {
  /** Without slashes at its ends; empty for none. */
  readonly routePrefix: string;
  /** Requests that may be in flight at once, or infinity; one more is answered 429. */
  readonly maxOutstandingRequests: number;
  /** Requests that are handled at once, or infinity; the others of those in flight wait. */
  readonly maxConcurrentRequests: number;
  readonly customHeaders: Readonly<Record<string, string>>;
  /** The value of Strict-Transport-Security; none when it is off. */
  readonly hsts: string | undefined;
  /** Largest request body in bytes. */
  readonly bodyLimit: number;
  /** Milliseconds that a function may run, or infinity. */
  readonly functionTimeout: number;
  readonly workerCount: number;
  /** By category in lower case. */
  readonly logLevels: Readonly<Record<string, LogLevel>>;
  readonly homePage: boolean;
  /** Origins of other sites that may call from browsers, as the site's `cors` names them; answered by the host on Flex. */
  readonly cors: { readonly origins: readonly string[]; readonly credentials: boolean };
}

type Json = { [key: string]: Json | string | number | boolean | null };

/** Reads the settings of the app in a folder. */
export function readHostSettings(folder: string, environment: NodeJS.ProcessEnv): HostSettings {
  const file = JSON.parse(readFileSync(join(folder, 'host.json'), 'utf8')) as Json;
  const host = override(lowerKeys(file), environment);
  const http = section(section(host, 'extensions'), 'http');
  return {
    routePrefix: String(http['routeprefix'] ?? 'api').replace(/^\/+|\/+$/g, ''),
    maxOutstandingRequests: limit(http['maxoutstandingrequests']),
    maxConcurrentRequests: limit(http['maxconcurrentrequests']),
    customHeaders: texts(section(http, 'customheaders')),
    hsts: hstsValue(section(http, 'hsts')),
    bodyLimit: Number(environment['FUNCTIONS_REQUEST_BODY_SIZE_LIMIT'] || 104_857_600),
    functionTimeout: duration(String(host['functiontimeout'] ?? '00:30:00')),
    workerCount: Math.min(10, Math.max(1, Number(environment['FUNCTIONS_WORKER_PROCESS_COUNT'] || 1))),
    logLevels: readLogLevels(section(section(host, 'logging'), 'loglevel')),
    homePage: !isTrue(environment['AzureWebJobsDisableHomepage']),
    cors: {
      origins: JSON.parse(environment['WEBSITE_CORS_ALLOWED_ORIGINS'] || '[]') as string[],
      credentials: isTrue(environment['WEBSITE_CORS_SUPPORT_CREDENTIALS']),
    },
  };
}

/** Configuration of .NET knows no case, but for the keys of lists whose names are values themselves. */
function lowerKeys(json: Json): Json {
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [
      key.toLowerCase(),
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      key.toLowerCase() !== 'customheaders'
        ? lowerKeys(value)
        : value,
    ]),
  );
}

const prefix = /^AzureFunctionsJobHost(?:__|:)/i;

/** Lays the app settings `AzureFunctionsJobHost__...` over host.json, each `__` one step down. */
function override(host: Json, environment: NodeJS.ProcessEnv): Json {
  for (const [name, value] of Object.entries(environment)) {
    if (!prefix.test(name) || value === undefined) continue;
    const path = name.replace(prefix, '').split(/__|:/);
    let at = host;
    for (const [index, key] of path.entries()) {
      const name = path[index - 1]?.toLowerCase() === 'customheaders' ? key : key.toLowerCase();
      if (index === path.length - 1) at[name] = value;
      else at = at[name] = section(at, name);
    }
  }
  return host;
}

function section(json: Json, key: string): Json {
  const value = json[key];
  return typeof value === 'object' && value !== null ? value : {};
}

function texts(json: Json): Record<string, string> {
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, String(value)]));
}

/** -1, the default, is no limit. */
function limit(value: Json[string] | undefined): number {
  const number = Number(value ?? -1);
  return number < 0 ? Number.POSITIVE_INFINITY : number;
}

function isTrue(value: Json[string] | undefined): boolean {
  return String(value).toLowerCase() === 'true';
}

function hstsValue(hsts: Json): string | undefined {
  if (!isTrue(hsts['isenabled'])) return undefined;
  const seconds = Math.floor(duration(String(hsts['maxage'] ?? '30')) / 1000);
  const subdomains = isTrue(hsts['includesubdomains']) ? '; includeSubDomains' : '';
  return `max-age=${seconds}${subdomains}${isTrue(hsts['preload']) ? '; preload' : ''}`;
}

/** Reads a TimeSpan of .NET (`[days.]hours:minutes:seconds`, or days alone) in milliseconds; -1 is no end. */
function duration(text: string): number {
  if (text === '-1') return Number.POSITIVE_INFINITY;
  const match = /^(?:(\d+)|(?:(\d+)\.)?(\d+):(\d+)(?::(\d+(?:\.\d+)?))?)$/.exec(text);
  if (match === null) throw new TypeError(`Cannot read host.json: "${text}" is no duration.`);
  const [onlyDays, days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  return (
    ((((onlyDays ?? 0) + (days ?? 0)) * 24 + (hours ?? 0)) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0)) *
    1000
  );
}

function readLogLevels(json: Json): Record<string, LogLevel> {
  const entries = Object.entries(texts(json)).map(([category, level]) => {
    const matching = logLevels.find((logLevel) => logLevel === level.toLowerCase());
    if (matching === undefined) throw new TypeError(`Cannot read host.json: "${level}" is no log level.`);
    return [category, matching] as const;
  });
  return Object.fromEntries(entries);
}
