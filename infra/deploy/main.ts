/** `npm run deploy -- <step>`: brings one environment to Azure, step by step. */

import { createContext, ToolFailure } from './context.ts';
import { inputs, readOptions, UsageError } from './options.ts';
import { steps, stepsFor } from './steps.ts';

const column = (text: string) => text.padEnd(24);

const help = `Brings one environment to Azure.

  npm run deploy -- <step> --environment <name> [--stack bicep|terraform|azd] [options]

Steps
  ${column('all')}the steps with a *, in this order
${Object.entries(steps)
  .map(([name, { summary, usual }]) => `  ${column(`${name}${usual ? ' *' : ''}`)}${summary}`)
  .join('\n')}

Options
  ${column('-e, --environment')}name of the environment: dev, prod or another (2 to 10 characters)
  ${column('--stack')}bicep (default), terraform or azd
  ${column('--profile')}dev or prod: the values in infra/profiles; default: the one of that name, else dev
  ${column('--set name=value')}a parameter of the templates, by its name in infra/bicep/main.bicep
  ${column('--entra-set name=value')}a parameter of the entra template
  ${column('--first-user')}e-mail address of someone to add to an empty main database, so that the smoke test has a user
  ${column('--color')}blue (default) or green: the app that push and smoke are about
  ${column('--package')}a package to push instead of app.zip, which npm run package makes
  ${column('--backend-config')}a file that says where Terraform keeps its state
  ${column('--dry-run')}print the commands instead of running them
  ${column('-y, --yes')}do not ask before changes
  ${column('--tries, --wait')}how often (8) and after how many seconds (15) to try again what is not ready yet
  ${column('-h, --help')}print this

Values that must be given, with --set or in a variable of the environment:
${Object.entries(inputs)
  .map(([variable, name]) => `  ${column(name)}${variable}`)
  .join('\n')}

apiClientId comes from the step entra when it is not given. Sign in first: az login.
docs/operations.md tells which rights are needed, what it costs, and what to do when something fails.`;

async function deploy(words: readonly string[]): Promise<void> {
  const read = readOptions(words, process.env);
  if (read === undefined) return console.log(help);
  const context = createContext(read.options);
  for (const [name, step] of stepsFor(read.step)) {
    context.say(`== ${name}: ${step.summary}`);
    await step.run(context);
  }
}

try {
  await deploy(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error.message);
  if (error instanceof UsageError) console.error('npm run deploy -- --help lists steps and options.');
  else if (!(error instanceof ToolFailure))
    console.error('The steps that were done before stay done; run the failed one again.');
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
