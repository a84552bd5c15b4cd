/** What an environment was deployed as. A run that says otherwise would make a second one beside it, or leave behind what it was not told of. */

import type { Context } from './context.ts';
import { fileOf, isProfile } from './environments.ts';
import { type Options, UsageError } from './options.ts';
import { type Outputs, textOutput } from './outputs.ts';
import { mainParameters, snakeCase } from './parameters.ts';
import { profileValues } from './values.ts';

interface Deployed {
  readonly stack: string;
  readonly profile: string;
  readonly location: string;
  /** The values that were given beside the profile, as texts. */
  readonly values: Readonly<Record<string, string>>;
}

/** The text that the templates keep in the output DEPLOYED_AS: the same for the same words, whatever their order. */
export function deployedAs({ stack, profile, values }: Options): string {
  const { location = '', ...given } = values;
  const sorted = Object.fromEntries(Object.entries(given).sort(([one], [other]) => (one < other ? -1 : 1)));
  return JSON.stringify({ stack, profile, location, values: sorted } satisfies Deployed);
}

/** The same of the registration, whose template keeps it too. */
export const registeredAs = ({ entraValues }: Options): string => inOrder(entraValues);

const inOrder = (values: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1))));

/**
 * Throws a UsageError with both values where a registration would be made a second time, or lose what this run does not say: clients of the
 * calendar, and who calls without asking for consent.
 */
export function mustKeepRegistration({ options }: Pick<Context, 'options'>, outputs: Outputs): void {
  const text = textOutput(outputs, 'DEPLOYED_AS');
  if (text === '') return;
  const last: Readonly<Record<string, string>> = JSON.parse(text);
  const { hasFile, entraValues: now } = options;
  const isMeant = (name: string) => name !== 'uniqueName' && (hasFile || now[name] !== undefined);
  const differing = [...new Set(['uniqueName', ...Object.keys(last)])]
    .filter((name) => !isMeant(name))
    .map((name) => ({ what: name, before: last[name] ?? '', now: now[name] ?? '' }))
    .filter(({ before, now }) => before !== now);
  refuse(options, differing, '--entra-set');
}

/** Undefined where nothing was deployed, or by plain tools, or by an earlier version. */
function lastOf(outputs: Outputs): Deployed | undefined {
  const text = textOutput(outputs, 'DEPLOYED_AS');
  return text === '' ? undefined : (JSON.parse(text) as Deployed);
}

interface Difference {
  readonly what: string;
  readonly before: string;
  readonly now: string;
}

/** What makes an environment another one, with both values. */
function otherEnvironment({ stack, values }: Options, last: Deployed): Difference[] {
  const { location } = values;
  return [
    { what: 'stack', before: last.stack, now: stack },
    { what: 'location', before: last.location, now: location ?? last.location },
  ].filter(({ before, now }) => before !== now);
}

/** Throws a UsageError with both values where outputs are those of another stack or region than the environment has now. */
export function mustAgree({ options }: Pick<Context, 'options'>, outputs: Outputs): void {
  const last = lastOf(outputs);
  if (last !== undefined) refuse(options, otherEnvironment(options, last));
}

/** What is there already, and would be a second one under another name. */
const lasting = ['existingResourceGroupName', 'existingSqlServerId'];

/** The parameter that asks for what a name of resourceNames is of; what is not listed is always made. */
const askedBy: Readonly<Record<string, string>> = {
  greenPlan: 'green_app',
  greenApp: 'green_app',
  calendarIdentity: 'calendar_app',
  calendarHostAccount: 'calendar_app',
  calendarPlan: 'calendar_app',
  calendarApp: 'calendar_app',
  backupIdentity: 'calendar_backup',
  backupAccount: 'calendar_backup',
  network: 'private_networking',
  gateway: 'gateway_sku',
  pipelineIdentity: 'github_repository',
  runnerIdentity: 'runner',
  runnerEnvironment: 'runner',
  runnerJob: 'runner',
};

const isOff = (value: unknown) =>
  value === false ||
  value === '' ||
  value === 'None' ||
  (typeof value === 'object' && Object.keys(value ?? {}).length === 0);

/**
 * Throws a UsageError with both values where a deployment would make another environment of the last one: in the names of what is there; and,
 * without a file, where something was given then of which this run says nothing.
 */
export function mustGoOn({ options }: Pick<Context, 'options'>, outputs: Outputs): void {
  const last = lastOf(outputs);
  if (last === undefined) return;
  const differing = [
    ...otherEnvironment(options, last),
    ...renamed(options, last),
    ...lasting.map((what) => ({
      what,
      before: last.values[what] ?? '',
      now: options.values[what] ?? '',
    })),
    ...(options.hasFile ? [] : forgotten(options, last)),
  ].filter(({ before, now }) => before !== now);
  refuse(options, [...new Map(differing.map((item) => [item.what, item])).values()]);
}

function renamed({ values }: Options, last: Deployed): Difference[] {
  const before = namesIn(last.values);
  const now = namesIn(values);
  const wasMade = valuesOf(last);
  return [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((name) => !(name in askedBy) || !isOff(wasMade[askedBy[name] ?? '']))
    .map((name) => ({
      what: `resourceNames.${name}`,
      before: before[name] ?? ofEnvironment,
      now: now[name] ?? ofEnvironment,
    }));
}

/** What it was made with, by names in snake_case; a profile or a parameter of an earlier version may be gone since. */
function valuesOf({ profile, values }: Deployed): Readonly<Record<string, unknown>> {
  const given = Object.entries(values).map(([name, text]) => [snakeCase(name), orText(text)]);
  return { ...(isProfile(profile) ? profileValues(profile) : {}), ...Object.fromEntries(given) };
}

function orText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const ofEnvironment = 'made of the environment';

const namesIn = (values: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  JSON.parse(values['resourceNames'] ?? '{}');

/** What was given for a trial before, and is not now: its value would be that of the profile. */
function forgotten({ profile, values }: Options, last: Deployed): Difference[] {
  const ofProfile = profileValues(profile);
  const value = (name: string) => {
    const found = ofProfile[snakeCase(name)] ?? '';
    return typeof found === 'string' ? found : JSON.stringify(found);
  };
  return [
    { what: 'profile', before: last.profile, now: profile },
    ...Object.entries(last.values)
      // What a newer version no longer has, nobody can give.
      .filter(([name]) => values[name] === undefined && mainParameters().has(name))
      .map(([what, before]) => ({ what, before, now: value(what) })),
  ];
}

function refuse({ environment, hasFile }: Options, differing: readonly Difference[], option = '--set'): void {
  if (differing.length === 0) return;
  const lines = differing.map(
    ({ what, before, now }) => `  ${what}: ${before || 'nothing'}; this run: ${now || 'nothing'}`,
  );
  throw new UsageError(
    [
      `${environment} was deployed otherwise than this run says, which would make it a second time, or leave behind what it has.`,
      ...lines,
      hasFile
        ? `Write into ${fileOf(environment)} what it was deployed as; for another one choose another --environment.`
        : `Give the same values, or the other one with ${option} where it is meant; ${fileOf(environment)} keeps them for all machines.`,
    ].join('\n'),
  );
}
