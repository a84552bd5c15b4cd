/** What was asked for on the command line. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseWords, UsageError } from '../../scripts/command-line.ts';
import { type Environments, readEnvironments } from './environments.ts';

export const stackNames = ['bicep', 'terraform'] as const;
export type StackName = (typeof stackNames)[number];

export interface Options {
  readonly environment: string;
  readonly profile: string;
  readonly stack: StackName;
  readonly color: 'blue' | 'green';
  /** Values for parameters of the templates by name in camelCase: inputs of the environment, then --set. */
  readonly values: Readonly<Record<string, string>>;
  /** The same for the entra template. */
  readonly entraValues: Readonly<Record<string, string>>;
  /** The package to push, where it is not the one that npm run package makes. */
  readonly package: string | undefined;
  /** E-mail address of someone who shall be able to call the records API of an empty database. */
  readonly firstUser: string | undefined;
  /** Whether migrations install on the databases of an existing product. They remember, so that later runs need not say it. */
  readonly adopt: boolean;
  readonly backendConfig: string | undefined;
  readonly dryRun: boolean;
  readonly yes: boolean;
  /** True: what an interrupted run of the same command has done is not done again. */
  readonly resume: boolean;
  /** Minutes that one tool may take, instead of those that each step gives it. */
  readonly timeLimit: number | undefined;
  /** Attempts, and seconds between two, while roles spread and databases wake up. */
  readonly maxAttempts: number;
  readonly wait: number;
}

/** Parameters that differ with each installation, by the variable of the environment that can hold them. */
export const inputs: Readonly<Record<string, string>> = {
  AZURE_LOCATION: 'location',
  API_CLIENT_ID: 'apiClientId',
  SQL_ADMINISTRATOR_LOGIN: 'sqlAdministratorLogin',
  SQL_ADMINISTRATOR_OBJECT_ID: 'sqlAdministratorObjectId',
  SQL_ADMINISTRATOR_TYPE: 'sqlAdministratorType',
  SERVICE_API_USERNAME: 'serviceApiUsername',
  CALENDAR_SITE_URL: 'calendarSiteUrl',
};

/** Those that have a default. */
export const optionalInputs: readonly string[] = ['sqlAdministratorType', 'calendarSiteUrl'];

export { UsageError };

const definition = {
  environment: { type: 'string', short: 'e' },
  profile: { type: 'string' },
  stack: { type: 'string', default: 'bicep' },
  color: { type: 'string', default: 'blue' },
  set: { type: 'string', multiple: true },
  'entra-set': { type: 'string', multiple: true },
  package: { type: 'string' },
  'first-user': { type: 'string' },
  adopt: { type: 'boolean', default: false },
  'backend-config': { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  yes: { type: 'boolean', short: 'y', default: false },
  'max-attempts': { type: 'string', default: '8' },
  wait: { type: 'string', default: '15' },
  resume: { type: 'boolean', default: false },
  'time-limit': { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/**
 * Reads the command line: the step's name (undefined: help is wanted) and the options. Throws a UsageError. `environments` are those that
 * workflows deploy.
 */
export function readOptions(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  environments: Environments = readEnvironments(),
): { step: string; options: Options } | undefined {
  const { values, positionals } = parseWords(words, { options: definition, allowPositionals: true });
  const [step, ...rest] = positionals;
  if (values.help || step === undefined) return undefined;
  if (rest.length > 0) throw new UsageError(`There is one step at a time; "${rest.join(' ')}" is too much.`);
  const name = values.environment ?? '';
  if (!/^[a-z][a-z0-9]{1,9}$/.test(name))
    throw new UsageError('--environment must be 2 to 10 small letters and digits, for example dev.');
  if (environment['GITHUB_ACTIONS'] === 'true' && environments[name] === undefined)
    throw new UsageError(
      `Workflows deploy the environments that infra/environments.json lists with their profiles, and ${name} is not one: add "${name}": "prod", or another profile.`,
    );
  return {
    step,
    options: {
      environment: name,
      profile: profileFor(name, values.profile, environments),
      stack: oneOf('--stack', stackNames, values.stack),
      color: oneOf('--color', ['blue', 'green'], values.color),
      values: {
        ...fromEnvironment(environment),
        ...assignments([...fromVariable(environment), ...(values.set ?? [])]),
      },
      entraValues: assignments(values['entra-set'] ?? []),
      package: values.package,
      firstUser: email(values['first-user']),
      adopt: values.adopt,
      backendConfig: values['backend-config'],
      resume: values.resume,
      timeLimit: minutes(values['time-limit']),
      dryRun: values['dry-run'],
      yes: values.yes,
      maxAttempts: count('--max-attempts', values['max-attempts']),
      wait: count('--wait', values.wait),
    },
  };
}

/** The profile of infra/environments.json; else the one that was named, the one with the name of the environment, or dev. */
function profileFor(environment: string, given: string | undefined, environments: Environments): string {
  const listed = environments[environment];
  if (listed !== undefined && given !== undefined && given !== listed)
    throw new UsageError(
      `infra/environments.json gives ${environment} the profile ${listed}: change it there, since workflows read it too.`,
    );
  const profile = listed ?? given;
  if (profile !== undefined && !isProfile(profile)) throw new UsageError(`There is no profile ${profile}.`);
  return profile ?? (isProfile(environment) ? environment : 'dev');
}

const isProfile = (profile: string) =>
  existsSync(join(import.meta.dirname, '../profiles', `${profile}.tfvars.json`));

function oneOf<T extends string>(option: string, allowed: readonly T[], value: string): T {
  const found = allowed.find((item) => item === value);
  if (found === undefined)
    throw new UsageError(`${option} must be one of ${allowed.join(', ')}, not "${value}".`);
  return found;
}

function email(text: string | undefined): string | undefined {
  if (text !== undefined && !/^[^\s@']+@[^\s@']+$/.test(text))
    throw new UsageError('--first-user must be an e-mail address.');
  return text;
}

function count(option: string, text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new UsageError(`${option} must be a whole number.`);
  return Number(text);
}

function minutes(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+(\.\d+)?$/.test(text) || Number(text) === 0)
    throw new UsageError('--time-limit must be a number of minutes.');
  return Number(text);
}

/** Further values, from the variable DEPLOYMENT_SET of a pipeline: one name=value per line; a browser ends lines as Windows does. */
const fromVariable = (environment: Readonly<Record<string, string | undefined>>) =>
  (environment['DEPLOYMENT_SET'] ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function fromEnvironment(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given = Object.entries(inputs).map(
    ([variable, name]) => [name, environment[variable] ?? ''] as const,
  );
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

function assignments(list: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    list.map((assignment) => {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(assignment) ?? [];
      if (name === '') throw new UsageError(`"${assignment}" must be written name=value.`);
      return [name, value];
    }),
  );
}
