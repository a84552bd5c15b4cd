/** Code: pushing it, proving that it works, taking it back. */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Context, root } from '../context.ts';
import { needOutput, type Outputs, textOutput } from '../outputs.ts';
import { forgetNewestPackage, keepPackage, previousPackage } from '../packages.ts';
import { retry } from '../retry.ts';
import { smokeTest } from '../smoke.ts';
import { outputsOf } from '../stacks/index.ts';

const basePath = '/api';

/** Makes the package, unless one is named. */
export async function pack(context: Context): Promise<void> {
  if (context.options.package === undefined) await context.run('npm', ['run', 'package'], { show: true });
}

/** Pushes the package. The first push may be refused until the app's new role has spread. */
export async function push(context: Context): Promise<void> {
  const { package: file = 'app.zip', dryRun } = context.options;
  const path = resolve(root, file);
  if (!existsSync(path) && !dryRun)
    throw new Error(`There is no package ${file}: make one with npm run package.`);
  await pushFile(context, path);
  if (!dryRun) context.say(`Kept a copy in ${keepPackage(folderOf(context), path, new Date())}.`);
}

/** Pushes the package before the last one. */
export async function rollback(context: Context): Promise<void> {
  const folder = folderOf(context);
  const previous = context.options.dryRun ? '<previous package>' : previousPackage(folder);
  await pushFile(context, previous);
  if (!context.options.dryRun) forgetNewestPackage(folder);
}

async function pushFile(context: Context, file: string): Promise<void> {
  const outputs = await outputsOf(context);
  await retry(context, 'push', () =>
    context.run('az', [
      ...['functionapp', 'deployment', 'source', 'config-zip', '--src', file],
      ...['--resource-group', needOutput(outputs, 'AZURE_RESOURCE_GROUP')],
      ...['--name', needOutput(outputs, colored(context, 'FUNCTION_APP_NAME'))],
      ...['--output', 'none'],
    ]),
  );
}

/** Pushed packages are kept here, apart for each environment and color. */
function folderOf({ options }: Context): string {
  return join(root, '.deployments', `${options.environment}-${options.color}`);
}

const colored = ({ options }: Context, output: string) =>
  options.color === 'green' ? `GREEN_${output}` : output;

/** Calls the app itself, and then through the gateway where there is one, as a client does, with a token for the deployer. */
export async function smoke(context: Context): Promise<void> {
  const outputs = await outputsOf(context);
  const token = await apiToken(context, outputs);
  const calendarPath = needOutput(outputs, 'CALENDAR_BASE_PATH');
  const { dryRun, tries, wait } = context.options;
  for (const baseUrl of addressesOf(context, outputs)) {
    context.say(`${dryRun ? '# ' : ''}calls ${baseUrl}`);
    if (!dryRun) await smokeTest({ baseUrl, calendarPath, token, tries, wait, say: context.say });
  }
}

/** Base addresses to call. The gateway leads to the blue app, so the green one is called directly only. */
function addressesOf(context: Context, outputs: Outputs): string[] {
  const direct = needOutput(outputs, colored(context, 'FUNCTION_APP_URL'));
  const gateway = context.options.color === 'blue' ? textOutput(outputs, 'GATEWAY_NAME') : '';
  const hosts = [direct, ...(gateway === '' ? [] : [`https://${gateway}.azure-api.net`])];
  return hosts.map((host) => `${host}${basePath}`);
}

async function apiToken(context: Context, outputs: Outputs): Promise<string> {
  const audience = needOutput(outputs, 'API_CLIENT_ID');
  const parameters = [
    'account',
    'get-access-token',
    '--resource',
    audience,
    '--query',
    'accessToken',
    '--output',
    'tsv',
  ];
  return (await context.run('az', parameters, { quiet: true })).trim();
}
