/** The Azure Developer CLI, with azure.yaml. */

import type { Context } from '../context.ts';
import { inputs } from '../options.ts';
import { parseOutputs } from '../outputs.ts';
import { retry } from '../retry.ts';
import { insideRun } from '../run-record.ts';
import { givenValues } from '../values.ts';
import { bicepStack } from './bicep.ts';
import { budgetStartDate } from './budget-start.ts';
import { groupOf, mustBeOurs, removeLocks } from './group.ts';
import { registerProviders } from './providers.ts';
import type { Stack } from './stack.ts';
import { subscriptionOf } from './subscription.ts';

/** Creates the azd stack. The app registration is made through the Azure CLI, since azd knows one template only. */
export function azdStack(context: Context): Stack {
  const { run, options } = context;
  const here = ['--environment', options.environment, '--no-prompt'];
  const { provisionEntra, entraOutputs } = bicepStack(context);
  const outputs = async () =>
    parseOutputs(await run('azd', ['env', 'get-values', ...here, '--output', 'json'], { quiet: true }));

  /** Whether azd has a record of the environment. */
  async function exists(): Promise<boolean> {
    const listed = await run('azd', ['env', 'list', '--output', 'json'], { quiet: true });
    const environments: { Name?: string }[] = JSON.parse(listed || '[]');
    return environments.some(({ Name }) => Name === options.environment);
  }

  async function open(): Promise<void> {
    if (await exists()) return;
    const place = [
      '--subscription',
      await subscriptionOf(context),
      '--location',
      options.values['location'] ?? '',
    ];
    await run('azd', ['env', 'new', options.environment, ...place, '--no-prompt']);
  }

  return {
    provisionEntra,
    entraOutputs,
    async provision(values) {
      await registerProviders(context);
      await open();
      const start = values['budgetStartDate'] ?? (await budgetStartDate(context, await outputs()));
      for (const [variable, value] of variablesFor(context, values, start))
        await run('azd', ['env', 'set', variable, value, ...here]);
      // The hook after it would do the steps that follow here anyway.
      const environment = { [insideRun]: options.environment };
      await retry(context, 'azd provision', () =>
        run('azd', ['provision', ...here], { show: true, environment, minutes: 120 }),
      );
    },
    async preview(values) {
      const before = (await exists()) ? await outputs() : new Map();
      const start = values['budgetStartDate'] ?? (await budgetStartDate(context, before));
      return bicepStack(context).preview({ ...values, budgetStartDate: start });
    },
    outputs,
    async teardown() {
      const before = await outputs();
      mustBeOurs(context, before);
      const group = await groupOf(context, before);
      if (group !== undefined) await removeLocks(context, group);
      await run('azd', ['down', '--purge', '--force', ...here], { show: true, minutes: 120 });
    },
  };
}

/** What the parameter file reads: the inputs, the profile, everything else that was given, and the first day of the budget. */
function variablesFor(
  { options }: Context,
  values: Readonly<Record<string, string>>,
  budgetStart: string,
): readonly (readonly [string, string])[] {
  const given = Object.entries(inputs).flatMap(([variable, name]) => {
    const value = values[name];
    return value === undefined ? [] : [[variable, value] as const];
  });
  return [
    ...given,
    ['DEPLOYMENT_PROFILE', options.profile],
    ['DEPLOYMENT_VALUES', JSON.stringify(givenValues({ profile: options.profile, values }))],
    ['BUDGET_START_DATE', budgetStart],
  ];
}
