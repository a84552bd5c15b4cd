/**
 * The files of environments, infra/environments/<name>.json: what `npm run deploy`, through it both stacks, and the workflows know of each.
 * Workflows read them before anything is installed, so this needs nothing but Node.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { orUsage, readArguments, UsageError } from '../../scripts/command-line.ts';
import { mainParameters, snakeCase } from './parameters.ts';

export type StackName = 'bicep' | 'terraform';
/** The stacks that this repository has: `npm run keep-stack` leaves one. */
export const stackNames: readonly StackName[] = (['bicep', 'terraform'] as const).filter((name) =>
  existsSync(join(import.meta.dirname, '..', name)),
);
/** The stack of an environment that names none. */
export const defaultStack: StackName = stackNames[0] ?? 'bicep';

/** A value of a parameter, as JSON has it. */
type Value = string | number | boolean | readonly unknown[] | Readonly<Record<string, unknown>>;
type Values = Readonly<Record<string, Value>>;

/** What the file of an environment says. */
export interface Environment {
  readonly profile: string;
  readonly stack: StackName;
  /** Azure region. */
  readonly location: string;
  /** Id of the subscription; undefined: the one of the first run on each machine. */
  readonly subscription?: string;
  /** The file that says where Terraform keeps its state, from the root of the repository. */
  readonly backendConfig?: string;
  /** The label of a runner of one's own; undefined: that of the parameter runner, or GitHub's machine. */
  readonly runsOn?: string;
  /** Parameters over those of the profile, by their names in infra/bicep/main.bicep. */
  readonly values: Values;
  /** Parameters of the entra template. */
  readonly entraValues: Values;
}

/** Environments by name. */
export type Environments = Readonly<Record<string, Environment>>;

const infra = join(import.meta.dirname, '..');
const folder = join(infra, 'environments');

/** The file of an environment, from the root of the repository. */
export const fileOf = (name: string): string => `infra/environments/${name}.json`;

/** How an environment may be called: its name stands in those of its resources. */
export const isName = (name: string): boolean => /^[a-z][a-z0-9]{1,9}$/.test(name);

/** A region in the one spelling that names are made of: "West Europe" is `westeurope`. */
export const regionOf = (location: string): string => location.toLowerCase().replaceAll(' ', '');

/** Checks whether there is a profile of a name. */
export const isProfile = (profile: string): boolean =>
  existsSync(join(infra, 'profiles', `${profile}.tfvars.json`));

/** The values of a profile, by their names in snake_case. */
export const readProfile = (profile: string): Readonly<Record<string, Value>> =>
  JSON.parse(readFileSync(join(infra, 'profiles', `${profile}.tfvars.json`), 'utf8'));

/** Reads the files of all environments. Throws a UsageError for one that cannot be used. */
export function readEnvironments(place = folder): Environments {
  const files = readdirSync(place).filter((file) => file.endsWith('.json'));
  return Object.fromEntries(
    files.map((file) => {
      const name = file.slice(0, -'.json'.length);
      return [name, readEnvironment(name, readFileSync(join(place, file), 'utf8'))];
    }),
  );
}

const texts = ['profile', 'stack', 'location', 'subscription', 'backendConfig', 'runsOn'] as const;
const needed: readonly string[] = ['profile', 'stack', 'location'];
const groups = ['values', 'entraValues'] as const;

/** Reads the file of an environment. Throws a UsageError that names the file, and what is wrong with it. */
export function readEnvironment(name: string, json: string): Environment {
  const refuse = (what: string): never => {
    throw new UsageError(`${fileOf(name)}: ${what}`);
  };
  const file = parsed(json) ?? refuse('it must be an object in JSON.');
  if (!isName(name)) refuse('a name has 2 to 10 small letters and digits.');
  for (const key of Object.keys(file))
    if (![...texts, ...groups].some((known) => known === key))
      refuse(`there is no ${key}; there are ${[...texts, ...groups].join(', ')}.`);
  for (const key of texts) {
    const value = file[key];
    if (value === undefined ? needed.includes(key) : typeof value !== 'string' || value === '')
      refuse(`${key} must be a text.`);
  }
  for (const key of groups)
    if (file[key] !== undefined && !isObject(file[key])) refuse(`${key} must be an object.`);
  const environment = { values: {}, entraValues: {}, ...file } as unknown as Environment;
  const { stack, profile, values } = environment;
  if (!stackNames.includes(stack)) refuse(`stack must be one of ${stackNames.join(', ')}, not "${stack}".`);
  if (!isProfile(profile)) refuse(`there is no profile ${profile}.`);
  for (const key of ['location', 'environmentName', 'subscriptionId'])
    if (key in values) refuse(`${key} is none of the values: the file has a place for it, or its name.`);
  for (const [key, value] of Object.entries({ ...values, ...environment.entraValues }))
    if (value === null) refuse(`${key} must have a value; what is left out has that of the profile.`);
  for (const [key, value] of Object.entries(values))
    if (mainParameters().get(key)?.type === 'string' && typeof value === 'object')
      refuse(`${key} must be a text.`);
  if (name.startsWith('prod') && readProfile(profile)['production'] !== true && values['production'] !== true)
    refuse(`an environment of this name is a production, and the profile ${profile} is none.`);
  return environment;
}

function parsed(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** All that an environment is deployed with, by the names in infra/profiles: its profile, and its own values over it. */
export function valuesOf({ profile, location, values }: Environment): Values {
  const own = Object.entries({ ...values, location }).map(([name, value]) => [snakeCase(name), value]);
  return { ...readProfile(profile), ...Object.fromEntries(own) };
}

/** What a workflow asks of an environment. */
export interface EnvironmentOfWorkflow {
  readonly name: string;
  readonly stack: StackName;
  /** The label of the machines from which its databases can be reached. */
  readonly runner: string;
}

/** The machines of GitHub, from which everything that is public can be reached. */
const anyRunner = 'ubuntu-24.04';

/** An environment of the workflow sandbox, which is there while that runs: no other workflow looks for it by itself. */
const isSandbox = (name: string) => name.startsWith('sandbox');

/** Returns what workflows ask of environments; with a parameter, of those in which it is true. Sandboxes are left out. */
export function environmentsOfWorkflows(
  environments: Environments,
  parameter?: string,
): EnvironmentOfWorkflow[] {
  return Object.entries(environments)
    .filter(
      ([name, environment]) =>
        !isSandbox(name) && (parameter === undefined || valuesOf(environment)[snakeCase(parameter)] === true),
    )
    .map(([name, environment]) => ({
      name,
      stack: environment.stack,
      runner: runnerOf(name, environment),
    }));
}

function runnerOf(name: string, environment: Environment): string {
  const isMade = Object.keys(valuesOf(environment)['runner'] ?? {}).length > 0;
  return environment.runsOn ?? (isMade ? `inside-${name}` : anyRunner);
}

const help = `Prints what the files in infra/environments say, as JSON.

  npm run --silent environments                    a list of all: name, stack and runner of each, for a matrix of workflows
  npm run --silent environments -- <parameter>     those in which a parameter is true, such as calendarBackup
  npm run --silent environments -- --stack bicep   those of one stack
  npm run --silent environments -- --values <name> all values of one, for plain tools
  npm run --silent environments -- --runner <name> the label of the machines from which its databases can be reached, as it is

  --help           this text`;

function print(): void {
  const command = 'npm run environments';
  const { values, positionals } = readArguments({
    command,
    help,
    allowPositionals: true,
    options: { runner: { type: 'string' }, stack: { type: 'string' }, values: { type: 'string' } },
  });
  const found = orUsage(command, () => {
    const environments = readEnvironments();
    const named = (name: string) => environments[name] ?? missing(name);
    if (values.values !== undefined) return JSON.stringify(valuesOf(named(values.values)));
    if (values.runner !== undefined) return runnerOf(values.runner, named(values.runner));
    const list = environmentsOfWorkflows(environments, positionals[0]);
    return JSON.stringify(list.filter(({ stack }) => values.stack === undefined || stack === values.stack));
  });
  console.log(found);
}

function missing(name: string): never {
  throw new UsageError(`There is no ${fileOf(name)}.`);
}

if (import.meta.main) print();
