/** The environment, read once and typed. */

import type { Variable } from './config/parsers.ts';
import { variables } from './config/variables.ts';
import { CodedError } from './errors.ts';

type Variables = typeof variables;

export type SettingName = keyof Variables;

/** The settings by variable name. Reading one that is missing or unusable throws an error that names it. */
export type Config = {
  readonly [Name in keyof Variables]: Variables[Name] extends Variable<infer T> ? T : never;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings from an environment. Each is read and checked when it is first used, so that one that is unusable stops only what needs it, and is cached: requests read settings too. */
export function readConfig(environment: Environment): Config {
  const config = {};
  for (const [name, definition] of Object.entries(variables) as [SettingName, Variable<unknown>][]) {
    Object.defineProperty(config, name, {
      enumerable: true,
      configurable: true,
      get() {
        const value = readSetting(name, definition, environment[name]);
        Object.defineProperty(config, name, { enumerable: true, value });
        return value;
      },
    });
  }
  return config as Config;
}

function readSetting(name: SettingName, definition: Variable<unknown>, value: string | undefined): unknown {
  const { parse, fallback } = definition;
  if (value === undefined || value === '') {
    if (fallback !== undefined) return fallback;
    throw settingError(name, 'is missing');
  }
  try {
    return parse(value);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw settingError(name, `is not usable: it ${cause.message}`, { cause });
  }
}

/** Creates the error of a setting that is missing or unusable. `found` completes "The setting ...", and never holds its value. */
export function settingError(
  name: SettingName,
  found: string,
  options: { readonly hint?: string; readonly cause?: unknown } = {},
): CodedError {
  return new CodedError(variables[name].code, `The setting ${name} ${found}.`, {
    ...options,
    facts: { setting: name },
  });
}
