/** The values that a deployment gets: those of its profile, and the given ones over them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './context.ts';
import { inputs, type Options, optionalInputs, UsageError } from './options.ts';

export type ProfileValue = string | number | boolean | readonly unknown[] | Readonly<Record<string, unknown>>;

/** Parameters that neither a profile nor a person has to give. */
const computedNames = ['budgetStartDate', 'subscriptionId'];

/** `databaseSku` as `database_sku`. */
export const snakeCase = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();

/** The values of a profile, by their names in snake_case. */
export function profileValues(profile: string): Readonly<Record<string, ProfileValue>> {
  const file = join(root, 'infra/profiles', `${profile}.tfvars.json`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Returns the given values that are not inputs, with the types of the profile, by names in snake_case. Throws a UsageError for an unknown or
 * malformed one.
 */
export function givenValues({
  profile,
  values,
}: Pick<Options, 'profile' | 'values'>): Record<string, ProfileValue> {
  const defaults = profileValues(profile);
  const given = Object.entries(values).filter(
    ([name]) => !Object.values(inputs).includes(name) && !computedNames.includes(name),
  );
  return Object.fromEntries(
    given.map(([name, text]) => {
      const like = defaults[snakeCase(name)];
      if (like === undefined)
        throw new UsageError(`There is no parameter ${name}; infra/profiles lists them.`);
      return [snakeCase(name), typed(name, text, like)];
    }),
  );
}

/** All values of a deployment but the inputs. */
export function effectiveValues(options: Pick<Options, 'profile' | 'values'>): Record<string, ProfileValue> {
  return { ...profileValues(options.profile), ...givenValues(options) };
}

/** Throws a UsageError that lists the inputs that are missing. `apiClientId` is left out where the step entra makes it. */
export function mustBeComplete(
  values: Readonly<Record<string, string>>,
  required: readonly string[] = Object.values(inputs),
): void {
  const missing = Object.entries(inputs).filter(
    ([, name]) => required.includes(name) && !optionalInputs.includes(name) && !values[name],
  );
  if (missing.length === 0) return;
  const lines = missing.map(([variable, name]) => `  --set ${name}=...   or the variable ${variable}`);
  throw new UsageError(`Some values are missing:\n${lines.join('\n')}`);
}

function typed(name: string, text: string, like: ProfileValue): ProfileValue {
  if (typeof like === 'string') return text;
  const error = new UsageError(`--set ${name} must be ${kindOf(like)}, not "${text}".`);
  try {
    const value: ProfileValue = JSON.parse(text);
    if (kindOf(value) !== kindOf(like)) throw error;
    return value;
  } catch {
    throw error;
  }
}

function kindOf(value: ProfileValue): string {
  if (Array.isArray(value)) return 'a list, as ["one", "two"]';
  return (
    { boolean: 'true or false', number: 'a number', object: 'an object, as {"name": "value"}' }[
      typeof value as 'object'
    ] ?? 'a text'
  );
}
