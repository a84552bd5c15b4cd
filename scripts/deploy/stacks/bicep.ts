/** Bicep, through the Azure CLI. */

import type { Context } from '../context.ts';
import { inputs } from '../options.ts';
import { needOutput, parseOutputs, textOutput } from '../outputs.ts';
import { retry } from '../retry.ts';
import type { Stack } from './stack.ts';

/** Resource providers that a subscription must know. Microsoft.App is needed for the network and never there by default. */
export const resourceProviders = (
  'Microsoft.App Microsoft.Web Microsoft.Storage Microsoft.Sql Microsoft.Insights Microsoft.OperationalInsights ' +
  'Microsoft.ManagedIdentity Microsoft.Network Microsoft.ApiManagement Microsoft.AlertsManagement Microsoft.Consumption'
).split(' ');

type Values = Readonly<Record<string, string>>;

/** Makes the Bicep stack. Deployments are named after the environment, so that their outputs are found again. */
export function bicepStack(context: Context): Stack {
  const { run, options } = context;
  const name = `records-${options.environment}`;
  const entraName = `records-entra-${options.environment}`;
  const show = async (deployment: string) =>
    parseOutputs(
      await run(
        'az',
        [
          'deployment',
          'sub',
          'show',
          '--name',
          deployment,
          '--query',
          'properties.outputs',
          '--output',
          'json',
        ],
        {
          quiet: true,
        },
      ),
    );
  const create = (deployment: string, file: string, environment: Values, parameters: Values) =>
    retry(context, deployment, () =>
      run(
        'az',
        [
          ...[
            'deployment',
            'sub',
            'create',
            '--name',
            deployment,
            '--location',
            options.values['location'] ?? '',
          ],
          ...['--parameters', file],
          ...Object.entries(parameters).flatMap(([key, value]) => ['--parameters', `${key}=${value}`]),
          ...(options.yes ? [] : ['--confirm-with-what-if']),
          ...['--output', 'none'],
        ],
        { environment: { AZURE_ENV_NAME: options.environment, ...environment }, show: true },
      ),
    );
  return {
    provisionEntra: async () => {
      await create(entraName, 'infra/bicep/entra/main.bicepparam', {}, options.entraValues);
    },
    entraOutputs: () => show(entraName),
    async provision(values) {
      for (const namespace of resourceProviders)
        await run('az', ['provider', 'register', '--namespace', namespace]);
      const [environment, parameters] = split(values);
      await create(name, `infra/bicep/env/${options.profile}.bicepparam`, environment, parameters);
    },
    outputs: () => show(name),
    teardown: async () => deleteGroup(context, await show(name)),
  };
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

/** Locks first, then the group, then the gateway, whose name stays taken until it is purged. */
async function deleteGroup(
  { run, options }: Context,
  outputs: ReturnType<typeof parseOutputs>,
): Promise<void> {
  const group = options.dryRun ? '<AZURE_RESOURCE_GROUP>' : needOutput(outputs, 'AZURE_RESOURCE_GROUP');
  const locks = await run('az', [
    'lock',
    'list',
    '--resource-group',
    group,
    '--query',
    '[].id',
    '--output',
    'tsv',
  ]);
  const ids = locks.split('\n').filter((id) => id.trim() !== '');
  if (ids.length > 0) await run('az', ['lock', 'delete', '--ids', ...ids]);
  await run('az', ['group', 'delete', '--name', group, '--yes']);
  const gateway = textOutput(outputs, 'GATEWAY_NAME');
  const location = options.values['location'] ?? '';
  if (gateway !== '')
    await run('az', ['apim', 'deletedservice', 'purge', '--service-name', gateway, '--location', location]);
}
