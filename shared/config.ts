/** The environment, read once and typed. */

import type { ApiName, Variable } from './config/parsers.ts';
import { calendarVariables, recordsVariables, variables } from './config/variables.ts';
import { CodedError, isCodedError } from './errors.ts';

type Variables = typeof variables;

export type SettingName = keyof Variables;

/** The settings by variable name. Reading one that is missing or unusable throws an error that names it, unless its default counts then. */
export type Config = {
  readonly [Name in keyof Variables]: Variables[Name] extends Variable<infer T> ? T : never;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings from an environment. Each is parsed when it is first used, so that an unusable setting stops only what needs it, and is
 * cached, since requests read settings too.
 */
export function readConfig(environment: Environment): Config {
  const config = {};
  for (const [name, definition] of Object.entries(variables) as [SettingName, Variable<unknown>][]) {
    Object.defineProperty(config, name, {
      enumerable: true,
      configurable: true,
      get() {
        const value = readLeniently(name, definition, environment[name]);
        Object.defineProperty(config, name, { enumerable: true, value });
        return value;
      },
    });
  }
  return config as Config;
}

/** The settings that one API alone has. */
const variablesOf: Readonly<Record<ApiName, object>> = {
  records: recordsVariables,
  calendar: calendarVariables,
};

/** Returns the errors of all settings that are missing or unusable, but for those of APIs that are not served. */
export function settingErrors(environment: Environment, served: readonly ApiName[]): CodedError[] {
  const isServed = (name: string) =>
    (Object.keys(variablesOf) as ApiName[]).every(
      (api) => served.includes(api) || !Object.hasOwn(variablesOf[api], name),
    );
  return (Object.entries(variables) as [SettingName, Variable<unknown>][]).flatMap(([name, definition]) => {
    if (!isServed(name)) return [];
    try {
      readSetting(name, definition, environment[name]);
      return [];
    } catch (error) {
      if (!isCodedError(error)) throw error;
      return [error];
    }
  });
}

/** The values of some settings, and the errors of those that are missing or unusable. */
export interface SettingGroup<Name extends SettingName> {
  readonly values: Pick<Config, Name>;
  readonly errors: readonly CodedError[];
}

/**
 * Reads settings together. The value of one that is missing or unusable is its default, since what tells its error must itself stand
 * somewhere. `defaults` has those that are others here, and those of settings that have none.
 */
export function settingGroup<const Name extends SettingName>(
  config: Config,
  names: readonly Name[],
  defaults: Partial<Pick<Config, Name>> = {},
): SettingGroup<Name> {
  const errors: CodedError[] = [];
  const values = names.map((name) => {
    try {
      return [name, config[name]] as const;
    } catch (error) {
      if (!isCodedError(error, variables[name].code)) throw error;
      errors.push(error);
      return [name, defaults[name] ?? (variables[name] as Variable<unknown>).fallback] as const;
    }
  });
  return { values: Object.fromEntries(values) as Pick<Config, Name>, errors };
}

function readLeniently(name: SettingName, definition: Variable<unknown>, value: string | undefined): unknown {
  try {
    return readSetting(name, definition, value);
  } catch (error) {
    if (!definition.isLenient) throw error;
    return definition.fallback;
  }
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
