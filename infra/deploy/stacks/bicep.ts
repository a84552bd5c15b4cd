/** Bicep, through the Azure CLI. */

import type { Context } from '../context.ts';
import { inputs } from '../options.ts';
import { retry } from '../retry.ts';
import { givenValues } from '../values.ts';
import { budgetStartDate } from './budget-start.ts';
import { deploymentsOf, mustBeIdle, outputsOfLast, runName } from './deployments.ts';
import { differencesIn } from './drift.ts';
import { removeGroup } from './group.ts';
import { registerProviders } from './providers.ts';
import type { Stack } from './stack.ts';

type Values = Readonly<Record<string, string>>;

/** Creates the Bicep stack. Deployments are named after the environment and the time, so that a failed one leaves the outputs of the last good one. */
export function bicepStack(context: Context): Stack {
  const { options } = context;
  const name = `records-${options.environment}`;
  const entraName = `records-entra-${options.environment}`;
  return {
    provisionEntra: async () => {
      await create(context, entraName, 'infra/bicep/entra/main.bicepparam', {}, options.entraValues);
    },
    entraOutputs: () => outputsOfLast(context, entraName),
    async provision(values) {
      givenValues({ profile: options.profile, values });
      await registerProviders(context);
      const [environment, parameters] = split(await withBudgetStart(context, name, values));
      await create(context, name, 'infra/bicep/main.bicepparam', environment, parameters);
    },
    preview: async (values) => preview(context, await withBudgetStart(context, name, values)),
    outputs: () => outputsOfLast(context, name),
    teardown: () => remove(context, name),
  };
}

async function create(
  context: Context,
  deployment: string,
  file: string,
  variables: Values,
  parameters: Values,
): Promise<void> {
  const { run, options } = context;
  if (!options.yes)
    context.say(
      'The preview shows the modules access, blue, green, calendar and gateway in part: they get ids that are known only afterwards.',
    );
  const words = [
    'deployment',
    'sub',
    'create',
    '--name',
    runName(context, deployment),
    '--location',
    options.values['location'] ?? '',
    '--parameters',
    file,
    ...Object.entries(parameters).flatMap(([key, value]) => ['--parameters', `${key}=${value}`]),
    ...(options.yes ? [] : ['--confirm-with-what-if']),
    '--output',
    'none',
  ];
  const environment = {
    AZURE_ENV_NAME: options.environment,
    DEPLOYMENT_PROFILE: options.profile,
    ...variables,
  };
  await retry(context, deployment, async () => {
    await mustBeIdle(context, deployment);
    await run('az', words, { environment, show: true, minutes: 120 });
  });
}

async function preview(context: Context, values: Values): Promise<boolean> {
  const { run, options } = context;
  const [variables, parameters] = split(values);
  const environment = {
    AZURE_ENV_NAME: options.environment,
    DEPLOYMENT_PROFILE: options.profile,
    ...variables,
  };
  const words = [
    'deployment',
    'sub',
    'what-if',
    '--location',
    options.values['location'] ?? '',
    '--parameters',
    'infra/bicep/main.bicepparam',
    ...Object.entries(parameters).flatMap(([key, value]) => ['--parameters', `${key}=${value}`]),
  ];
  await run('az', words, { environment, show: true, minutes: 30 });
  const said = await run('az', [...words, '--no-pretty-print', '--output', 'json'], {
    environment,
    quiet: true,
    minutes: 30,
  });
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
  const variables = new Map(Object.entries(inputs).map(([variable, name]) => [name, variable]));
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
