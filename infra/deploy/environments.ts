/** The environments that workflows deploy, and the profile of each: infra/environments.json, such as `{ "dev": "dev", "prod": "small" }`. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from '../../scripts/command-line.ts';

/** Profiles by the names of environments. */
export type Environments = Readonly<Record<string, string>>;

const read = (file: string) => JSON.parse(readFileSync(join(import.meta.dirname, '..', file), 'utf8'));

/** Reads infra/environments.json. */
export const readEnvironments = (): Environments => read('environments.json');

/** The names of the environments; with a parameter, of those whose profile turns it on. */
export function environmentNames(environments: Environments, parameter?: string): string[] {
  return Object.entries(environments)
    .filter(
      ([, profile]) => parameter === undefined || read(`profiles/${profile}.tfvars.json`)[parameter] === true,
    )
    .map(([name]) => name);
}

if (import.meta.main) {
  const { positionals } = readArguments({
    command: 'npm run environments',
    help: `Prints the names of the environments in infra/environments.json as JSON, a matrix for workflows.

  npm run --silent environments                     all of them
  npm run --silent environments -- <parameter>      those whose profile has the parameter true, such as calendar_backup

  --help           this text`,
    allowPositionals: true,
  });
  console.log(JSON.stringify(environmentNames(readEnvironments(), positionals[0])));
}
