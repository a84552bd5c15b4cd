/** What was asked for on the command line. */

import { parseWords, UsageError } from '../../scripts/command-line.ts';
import {
  defaultStack,
  type Environment,
  type Environments,
  fileOf,
  isName,
  isProfile,
  readEnvironments,
  readProfile,
  regionOf,
  type StackName,
  stackNames,
} from './environments.ts';
import { snakeCase } from './parameters.ts';

export interface Options {
  readonly environment: string;
  /** Whether infra/environments has a file of it; without one it is a trial, and has what each run is told. */
  readonly hasFile: boolean;
  readonly profile: string;
  readonly stack: StackName;
  /** Id of the subscription that the file names. */
  readonly subscription: string | undefined;
  readonly color: 'blue' | 'green';
  /** Values for parameters of the templates by name in camelCase, as texts: those of the file, then --set. */
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

/** Parameters that differ with each installation, and have no value in a profile, by the variable from which the parameter file of Bicep reads them. */
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
  stack: { type: 'string' },
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
 * have a file.
 */
export function readOptions(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  environments?: Environments,
): { step: string; options: Options } | undefined {
  const { values, positionals } = parseWords(words, { options: definition, allowPositionals: true });
  const [step, ...rest] = positionals;
  if (values.help || step === undefined) return undefined;
  if (rest.length > 0) throw new UsageError(`There is one step at a time; "${rest.join(' ')}" is too much.`);
  const name = values.environment ?? '';
  if (!isName(name))
    throw new UsageError('--environment must be 2 to 10 small letters and digits, for example dev.');
  const file = (environments ?? readEnvironments())[name];
  if (environment['GITHUB_ACTIONS'] === 'true' && file === undefined)
    throw new UsageError(
      `Workflows deploy the environments that have a file, and there is no ${fileOf(name)}: docs/deploy.md, "The file of an environment".`,
    );
  const given: Given = {
    profile: values.profile,
    stack: values.stack === undefined ? undefined : oneOf('--stack', stackNames, values.stack),
    backendConfig: values['backend-config'],
    values: assignments(values.set ?? []),
    entraValues: assignments(values['entra-set'] ?? []),
  };
  return {
    step,
    options: {
      environment: name,
      ...(file === undefined ? ofTrial(name, given) : ofFile(name, file, given, step === 'preview')),
      color: oneOf('--color', ['blue', 'green'], values.color),
      package: values.package,
      firstUser: email(values['first-user']),
      adopt: values.adopt,
      resume: values.resume,
      timeLimit: minutes(values['time-limit']),
      dryRun: values['dry-run'],
      yes: values.yes,
      maxAttempts: count('--max-attempts', values['max-attempts']),
      wait: count('--wait', values.wait),
    },
  };
}

/** What the words of a command line say of an environment. */
type Given = Pick<Options, 'backendConfig' | 'values' | 'entraValues'> & {
  readonly profile: string | undefined;
  readonly stack: StackName | undefined;
};
type OfEnvironment = Pick<
  Options,
  'hasFile' | 'profile' | 'stack' | 'subscription' | 'backendConfig' | 'values' | 'entraValues'
>;

/** An environment without a file is what it is told to be; its profile is the one that was named, the one of its name, or dev. */
function ofTrial(name: string, given: Given): OfEnvironment {
  const { profile = isProfile(name) ? name : 'dev', stack = defaultStack, values } = given;
  if (!isProfile(profile)) throw new UsageError(`There is no profile ${profile}.`);
  return {
    ...given,
    hasFile: false,
    profile,
    stack,
    subscription: undefined,
    values: withOneSpelling(values),
  };
}

/** What an environment with a file is; `isPreview`: other values may be tried. Throws a UsageError with both values for words that say otherwise. */
function ofFile(name: string, file: Environment, given: Given, isPreview: boolean): OfEnvironment {
  const values = withOneSpelling({ ...textsOf(file.values), location: file.location });
  const entraValues = textsOf(file.entraValues);
  const profile = textsOf(readProfile(file.profile));
  const differing = [
    ...differs('--profile', file.profile, given.profile),
    ...differs('--stack', file.stack, given.stack),
    ...differs('--backend-config', file.backendConfig, given.backendConfig),
    ...Object.entries(isPreview ? {} : withOneSpelling(given.values)).flatMap(([parameter, value]) =>
      differs(`--set ${parameter}`, values[parameter] ?? profile[snakeCase(parameter)], value),
    ),
    ...Object.entries(given.entraValues).flatMap(([parameter, value]) =>
      differs(`--entra-set ${parameter}`, entraValues[parameter], value),
    ),
  ];
  if (differing.length > 0)
    throw new UsageError(
      [
        ...differing.map(
          ([option, said, ofOption]) => `${fileOf(name)} says ${said}; ${option} is ${ofOption}.`,
        ),
        'Change the file, which every machine and the workflows read, or leave the option out.',
      ].join('\n'),
    );
  return {
    hasFile: true,
    profile: file.profile,
    stack: file.stack,
    subscription: file.subscription,
    backendConfig: file.backendConfig,
    values: { ...values, ...withOneSpelling(given.values) },
    entraValues,
  };
}

/** An option and both values, where it was given and says otherwise. */
function differs(
  option: string,
  ofFile: string | undefined,
  given: string | undefined,
): [option: string, ofFile: string, given: string][] {
  if (given === undefined || (ofFile !== undefined && canonical(given) === canonical(ofFile))) return [];
  return [[option, ofFile ?? 'nothing of it', given === '' ? 'empty' : given]];
}

/** A text that is JSON without blanks between its words, and with the names of an object in order. */
function canonical(text: string): string {
  try {
    const sorted = (_: string, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
        : value;
    return JSON.stringify(JSON.parse(text), sorted);
  } catch {
    return text;
  }
}

const textsOf = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );

const withOneSpelling = ({
  location,
  ...values
}: Readonly<Record<string, string>>): Record<string, string> =>
  location === undefined ? values : { location: regionOf(location), ...values };

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

function assignments(list: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    list.map((assignment) => {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(assignment) ?? [];
      if (name === '') throw new UsageError(`"${assignment}" must be written name=value.`);
      return [name, value];
    }),
  );
}
