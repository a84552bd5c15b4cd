/** The help of the command. */

import { inputs } from './options.ts';
import { steps } from './steps.ts';

const column = (text: string) => text.padEnd(24);

/** What `npm run deploy -- --help` prints. */
export const help = `Brings one environment to Azure.

  npm run deploy -- <step> --environment <name> [--stack bicep|terraform] [options]

Steps
  ${column('all')}the steps with a *, in this order
${Object.entries(steps)
  .map(([name, { summary, isDefault }]) => `  ${column(`${name}${isDefault ? ' *' : ''}`)}${summary}`)
  .join('\n')}

Options
  ${column('-e, --environment')}name of the environment: dev, prod or another (2 to 10 characters)
  ${column('--stack')}bicep (default) or terraform
  ${column('--profile')}dev, small or prod: the values in infra/profiles; default: the one in infra/environments.json, of that name, or dev
  ${column('--set name=value')}a parameter of the templates, by its name in infra/bicep/main.bicep
  ${column('--entra-set name=value')}a parameter of the entra template
  ${column('--adopt')}install on the databases of an existing product, once: the step migrate creates only what is ours and missing
  ${column('--first-user')}e-mail address of someone to add to an empty main database, so that the smoke test has a user
  ${column('--color')}blue (default) or green: the app that push and smoke are about
  ${column('--package')}a package to push instead of app.zip, which npm run package makes
  ${column('--backend-config')}a file that says where Terraform keeps its state
  ${column('--dry-run')}print the commands instead of running them
  ${column('-y, --yes')}do not ask before changes
  ${column('--max-attempts, --wait')}how often (8) and after how many seconds (15) to try again what is not ready yet
  ${column('--resume')}with all: leave out the steps that an interrupted run of the same command has done
  ${column('--time-limit')}minutes that one command of a tool may take, instead of those that each step gives it
  ${column('-h, --help')}print this

Values that must be given, with --set or in a variable of the environment:
${Object.entries(inputs)
  .map(([variable, name]) => `  ${column(name)}${variable}`)
  .join('\n')}

apiClientId comes from the step entra when it is not given. Sign in first: az login.
docs/deploy.md tells how, docs/reference.md which rights are needed and what it costs, docs/run.md what to do when something fails.`;
