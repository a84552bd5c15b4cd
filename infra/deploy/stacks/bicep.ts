/** Bicep, through the Azure CLI. */

import type { Context } from '../context.ts';
import { registeredAs } from '../deployed-as.ts';
import { inputs, UsageError } from '../options.ts';
import { retry } from '../retry.ts';
import { timeLimits } from '../time-limits.ts';
import { givenValues } from '../values.ts';
import { budgetStartDate } from './budget-start.ts';
import { deploymentsOf, mustKeepItsNames, nextRun, outputsOfLast } from './deployments.ts';
import { differencesIn } from './drift.ts';
import { removeGroup } from './group.ts';
import { registerProviders } from './providers.ts';
import type { Stack } from './stack.ts';

type Values = Readonly<Record<string, string>>;

/** Creates the Bicep stack. Deployments are named after the environment and counted, so that a failed one leaves the outputs of the last good one. */
export function bicepStack(context: Context): Stack {
  const { options } = context;
  const name = `records-${options.environment}`;
  const entraName = `records-entra-${options.environment}`;
  const callForMain = async (values: Values) => {
    const [variables, parameters] = split(await withBudgetStart(context, name, values));
    return callFor(context, 'infra/bicep/main.bicepparam', variables, parameters);
  };
  return {
    provisionEntra: () =>
      create(
        context,
        entraName,
        callFor(
          context,
          'infra/bicep/entra/main.bicepparam',
          { DEPLOYED_AS: registeredAs(options) },
          options.entraValues,
        ),
      ),
    entraOutputs: () => outputsOfLast(context, entraName),
    async provision(values) {
      givenValues({ profile: options.profile, values });
      await mustKeepItsNames(context, name);
      await registerProviders(context);
      await create(context, name, await callForMain(values));
    },
    preview: async (values) => preview(context, await callForMain(values)),
    outputs: () => outputsOfLast(context, name),
    teardown: () => remove(context, name),
  };
}

/** What az is told of a template: words of the command, and variables of the environment. */
interface Call {
  readonly words: readonly string[];
  readonly environment: Values;
}

function callFor({ options }: Context, file: string, variables: Values, parameters: Values): Call {
  return {
    words: [
      '--location',
      options.values['location'] ?? '',
      '--parameters',
      file,
      ...Object.entries(parameters).flatMap(([key, value]) => ['--parameters', `${key}=${value}`]),
    ],
    environment: {
      AZURE_ENV_NAME: options.environment,
      DEPLOYMENT_PROFILE: options.profile,
      ...variables,
    },
  };
}

async function create(context: Context, deployment: string, call: Call): Promise<void> {
  const { words, environment } = call;
  await mustBeWanted(context, call);
  await retry(context, deployment, async () => {
    const name = await nextRun(context, deployment);
    const creation = ['deployment', 'sub', 'create', '--name', name, ...words, '--output', 'none'];
    await context.run('az', creation, {
      environment,
      show: true,
      minutes: timeLimits.provision,
      once: true,
    });
  });
}

/**
 * Shows what a deployment would change, and asks whether it is wanted: before others at work are looked for, since a person may think for
 * long. Throws a UsageError on a refusal, and where nobody can be asked.
 */
async function mustBeWanted(context: Context, call: Call): Promise<void> {
  const { say, ask, options } = context;
  if (options.yes) return;
  await show(context, call);
  say(
    'This shows the modules access, blue, green, calendar and gateway in part: they get ids that are known only afterwards.',
  );
  if (options.dryRun || (await ask('Deploy it? (y/n)'))) return;
  throw new UsageError('Nothing was deployed: somebody must answer yes, or --yes be given.');
}

/** By default what-if wants the right to write each resource, which whoever may only read has not. */
const asReader = ['--validation-level', 'ProviderNoRbac'];

const show = ({ run }: Context, { words, environment }: Call) =>
  run('az', ['deployment', 'sub', 'what-if', ...words, ...asReader], {
    environment,
    show: true,
    minutes: timeLimits.preview,
  });

async function preview(context: Context, call: Call): Promise<boolean> {
  const { words, environment } = call;
  await show(context, call);
  const asData = [
    'deployment',
    'sub',
    'what-if',
    ...words,
    ...asReader,
    '--no-pretty-print',
    '--output',
    'json',
  ];
  const said = await context.run('az', asData, { environment, quiet: true, minutes: timeLimits.preview });
  const differences = differencesIn(said);
  for (const line of differences) context.say(line);
  return differences.length > 0;
}

async function withBudgetStart(context: Context, deployment: string, values: Values): Promise<Values> {
  const budgetStart = await budgetStartDate(context, await outputsOfLast(context, deployment));
  return { budgetStartDate: budgetStart, ...values };
}

/** What the parameter files read from variables of the environment, and the rest, which is given as parameters. */
function split(values: Values): [environment: Values, parameters: Values] {
  const ofFile = { ...inputs, DEPLOYED_AS: 'deployedAs' };
  const variables = new Map(Object.entries(ofFile).map(([variable, name]) => [name, variable]));
  const entries = Object.entries(values);
  return [
    Object.fromEntries(entries.flatMap(([name, value]) => ofVariable(variables.get(name), value))),
    Object.fromEntries(entries.filter(([name]) => !variables.has(name))),
  ];
}

const ofVariable = (variable: string | undefined, value: string) => (variable ? [[variable, value]] : []);

/** The group first; last the records of it all, which are read before. */
async function remove(context: Context, deployment: string): Promise<void> {
  await removeGroup(context, await outputsOfLast(context, deployment));
  for (const { name } of await deploymentsOf(context, deployment))
    await context.run('az', ['deployment', 'sub', 'delete', '--name', name]);
}
