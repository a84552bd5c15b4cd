/** The values that a deployment gets: those of its profile, and the given ones over them. */

import { fileOf, readProfile } from './environments.ts';
import { inputs, type Options, optionalInputs, UsageError } from './options.ts';
import { mainParameters, type Parameter, parameterFile, snakeCase } from './parameters.ts';

export type ProfileValue = string | number | boolean | readonly unknown[] | Readonly<Record<string, unknown>>;

/** Parameters that neither a profile nor a person has to give. */
const computedNames = ['budgetStartDate', 'deployedAs', 'subscriptionId'];

/** The values of a profile, by their names in snake_case. */
export const profileValues = (profile: string): Readonly<Record<string, ProfileValue>> =>
  readProfile(profile);

/**
 * Returns the given values that are not inputs, with the types of the template, by names in snake_case. Throws a UsageError for an unknown
 * name, and for a value that the template does not take.
 */
export function givenValues({
  profile,
  values,
}: Pick<Options, 'profile' | 'values'>): Record<string, ProfileValue> {
  const ofProfile = Object.keys(profileValues(profile));
  const given = Object.entries(values).filter(
    ([name]) => !Object.values(inputs).includes(name) && !computedNames.includes(name),
  );
  return Object.fromEntries(
    given.map(([name, text]) => {
      const parameter = mainParameters().get(name);
      if (parameter === undefined || !ofProfile.includes(snakeCase(name)))
        throw new UsageError(
          `There is no parameter ${name}: ${parameterFile} lists them; their names here are in camelCase.`,
        );
      return [snakeCase(name), typed(name, text, parameter)];
    }),
  );
}

/** All values of a deployment but the inputs. */
export function effectiveValues(options: Pick<Options, 'profile' | 'values'>): Record<string, ProfileValue> {
  return { ...profileValues(options.profile), ...givenValues(options) };
}

/** Throws a UsageError that lists the inputs that are missing. `apiClientId` is left out where the step entra makes it. */
export function mustBeComplete(
  { environment, hasFile }: Pick<Options, 'environment' | 'hasFile'>,
  values: Readonly<Record<string, string>>,
  required: readonly string[] = Object.values(inputs),
): void {
  const missing = Object.values(inputs).filter(
    (name) => required.includes(name) && !optionalInputs.includes(name) && !values[name],
  );
  if (missing.length === 0) return;
  throw new UsageError(
    hasFile
      ? `Some values are missing in ${fileOf(environment)}: ${missing.join(', ')}.`
      : `Some values are missing: write ${fileOf(environment)}, or give them for a trial:\n${missing.map((name) => `  --set ${name}=...`).join('\n')}`,
  );
}

function typed(name: string, text: string, parameter: Parameter): ProfileValue {
  const value = parameter.type === 'string' ? text : parsed(text);
  const wanted = unfit(value, parameter);
  if (value === undefined || wanted !== undefined)
    throw new UsageError(`${name} must be ${wanted}, not "${text}".`);
  return value;
}

/** The value of a JSON text; undefined for another text. */
function parsed(text: string): ProfileValue | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

/** What a parameter takes, where it does not take a value. */
function unfit(
  value: ProfileValue | undefined,
  { type, allowed, least, most, members }: Parameter,
): string | undefined {
  if (allowed !== undefined) return allowed.includes(value) ? undefined : `one of ${allowed.join(', ')}`;
  if (type === 'string') return undefined;
  if (type === 'bool') return typeof value === 'boolean' ? undefined : 'true or false';
  if (type === 'int') return Number.isSafeInteger(value) ? outside(Number(value), least, most) : 'a number';
  if (type === 'string[]') return areTexts(value, true) ? undefined : 'a list, as ["one", "two"]';
  if (!areTexts(value, false)) return 'an object, as {"name": "value"}';
  const unknown = Object.keys(value ?? {}).filter((member) => members?.includes(member) === false);
  return unknown.length === 0 ? undefined : `an object with the names ${members?.join(', ')}`;
}

const outside = (value: number, least: number, most: number) =>
  value >= least && value <= most ? undefined : `a number from ${least} to ${most}`;

const areTexts = (value: ProfileValue | undefined, isList: boolean) =>
  typeof value === 'object' &&
  Array.isArray(value) === isList &&
  Object.values(value).every((item) => typeof item === 'string');
