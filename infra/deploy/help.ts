/** The help of the command. */

import { stackNames } from './environments.ts';
import { inputs, optionalInputs } from './options.ts';
import { parameterFile } from './parameters.ts';
import { steps } from './steps.ts';

const column = (text: string) => text.padEnd(24);

/** What `npm run deploy -- --help` prints. */
export const help = `Brings one environment to Azure.

  npm run deploy -- <step> --environment <name> [--stack ${stackNames.join('|')}] [options]

Steps
  ${column('all')}the steps with a *, in this order
${Object.entries(steps)
  .map(([name, { summary, isDefault }]) => `  ${column(`${name}${isDefault ? ' *' : ''}`)}${summary}`)
  .join('\n')}

Options
  ${column('-e, --environment')}name of the environment: dev, prod or another (2 to 10 characters)
  ${column('--stack')}of a trial: ${stackNames.join(' (default) or ')}
  ${column('--profile')}of a trial: dev, small or prod, the values in infra/profiles; default: the one of that name, or dev
  ${column('--set name=value')}of a trial: a parameter of the templates, by its name in ${parameterFile}, in camelCase
  ${column('--entra-set name=value')}of a trial: a parameter of the entra template
  ${column('--adopt')}install on the databases of an existing product, once: the step migrate creates only what is ours and missing
  ${column('--first-user')}e-mail address of someone to add to an empty main database, so that the smoke test has a user
  ${column('--color')}blue (default) or green: the app that push and smoke are about
  ${column('--package')}a package to push instead of app.zip, which npm run package makes
  ${column('--backend-config')}a file that says where Terraform keeps its state
  ${column('--dry-run')}print the commands instead of running them
  ${column('-y, --yes')}do not ask before changes
  ${column('--max-attempts, --wait')}how often (8) and after how many seconds (15) to try again what is not ready yet
  ${column('--resume')}with all: leave out what an interrupted run of the same command has done, unless files or options have changed since
  ${column('--time-limit')}minutes that one command of a tool may take, instead of those that each step gives it
  ${column('-h, --help')}print this

An environment has a file, infra/environments/<name>.json: its profile, stack, location and values. What an option says otherwise is refused,
but for the values of preview. One without a file is a trial, and has what each run is told.
These values must be given: ${Object.values(inputs)
  .filter((name) => !optionalInputs.includes(name))
  .join(', ')}.
apiClientId comes from the step entra when it is not given. Sign in first: az login.
docs/deploy.md tells how, docs/reference.md which rights are needed and what it costs, docs/run.md what to do when something fails.`;
