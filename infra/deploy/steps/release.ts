/** Code: pushing it, proving that it works, taking it back. */

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type ApiName, appsOf, basePathOf, type DeployedApp } from '../apps.ts';
import { type Context, commandLine, TimeLimit } from '../context.ts';
import { askHealth, type Health } from '../health.ts';
import { listOutput, needOutput, type Outputs, textOutput } from '../outputs.ts';
import { forgetNewestPackage, isPackage, keepPackage, newestPackage, previousPackage } from '../packages.ts';
import { type Published, PublishFailure, publish } from '../publish.ts';
import { mayGoAway, pause, retry } from '../retry.ts';
import { root } from '../root.ts';
import { smokeTest } from '../smoke.ts';
import { outputsOf } from '../stacks/index.ts';

/** The path of the package: the one that is named, else the one that npm run package makes. */
const packagePath = ({ options, packageFolder = root }: Context) =>
  resolve(packageFolder, options.package ?? 'app.zip');

/** Builds the package, unless one is named. */
export async function pack(context: Context): Promise<void> {
  if (context.options.package === undefined)
    await context.run('npm', ['run', 'package'], { show: true, minutes: 15 });
}

/** Pushes the package. The first push may be refused until the app's new role has spread. */
export async function push(context: Context): Promise<void> {
  const { package: file = 'app.zip', dryRun } = context.options;
  const path = packagePath(context);
  if (!existsSync(path) && !dryRun)
    throw new Error(`There is no package ${file}: make one with npm run package.`);
  if (!dryRun && !isPackage(readFileSync(path)))
    throw new Error(
      `${file} is no package of an app, which has host.json at its top: make one with npm run package.`,
    );
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

/** Pushes one package to every app, and says how each is afterwards. */
async function pushFile(context: Context, file: string): Promise<void> {
  const outputs = await outputsOf(context);
  const group = needOutput(outputs, 'AZURE_RESOURCE_GROUP');
  const remarks = new Map<DeployedApp, string | undefined>();
  const apps = appsOf(context, outputs);
  for (const app of apps) {
    const push = () => pushOnce(context, outputs, app, group, file);
    try {
      remarks.set(app, (await retry(context, 'push', push, mayPass)).remark);
    } catch (error) {
      if (remarks.size > 0) sayHalf(context, apps, remarks.size, file);
      throw error;
    }
  }
  for (const [app, remark] of remarks) {
    if (remark !== undefined) context.say(`The push to ${app.name} ended with a remark: ${remark}`);
    await sayHealth(context, outputs, app, remark !== undefined);
  }
}

/** Says which apps have the new package after a push that failed half way, and the command that makes them equal again. */
function sayHalf(context: Context, apps: readonly DeployedApp[], pushed: number, file: string): void {
  const names = (list: readonly DeployedApp[]) => list.map(({ name }) => name).join(', ');
  context.say(
    `${names(apps.slice(0, pushed))} has the new package; ${names(apps.slice(pushed))} keeps the one before.`,
  );
  const push = ['run', 'deploy', '--', 'push', '--environment', context.options.environment, '--package'];
  const command = (path: string) => commandLine('npm', [...push, path]);
  context.say(`Forward, with the new one for all: ${command(file)}`);
  const before = newestPackage(folderOf(context));
  if (before !== undefined) context.say(`Back, with the one before for all: ${command(before)}`);
}

/** The name of an app that was just made may not have spread. */
const mayPass = (error: unknown) =>
  mayGoAway(error) || (error instanceof PublishFailure && error.unreachable);

/** Publishes a package; of a push that does not end the app itself says how it is. */
async function pushOnce(
  context: Context,
  outputs: Outputs,
  app: DeployedApp,
  group: string,
  file: string,
): Promise<Published> {
  try {
    return await publish(context, group, app.name, file);
  } catch (error) {
    if (error instanceof TimeLimit)
      context.say(`After the push: ${(await healthOf(context, outputs, app)).said}`);
    throw error;
  }
}

/** What the health address of an app says. */
function healthOf(context: Context, outputs: Outputs, { url }: DeployedApp): Promise<Health> {
  return askHealth(url === '' ? '' : `${url}${basePathOf(outputs)}/health`, context.signal);
}

/**
 * Prints the state of an app after a push. An app that answers, but could not be loaded, is a failure, which no other message shows; so is
 * one without an answer when the end of the push is unknown.
 */
async function sayHealth(
  context: Context,
  outputs: Outputs,
  app: DeployedApp,
  mustAnswer: boolean,
): Promise<void> {
  const { dryRun, maxAttempts, wait } = context.options;
  if (dryRun) return;
  for (let attempt = 1; ; attempt += 1) {
    const { said, loaded, status } = await healthOf(context, outputs, app);
    if (loaded || (status === 0 && !mustAnswer) || attempt >= maxAttempts) {
      context.say(`After the push: ${said}`);
      if (!loaded && (status !== 0 || mustAnswer))
        throw new Error(`${app.name} does not work after the push: ${said}`);
      return;
    }
    await pause(context, wait);
  }
}

/** Pushed packages are kept here, apart for each environment and color. */
function folderOf({ options, folder }: Context): string {
  return join(folder, `${options.environment}-${options.color}`);
}

/** An address to call, and which of the APIs must answer there. */
interface Place {
  readonly baseUrl: string;
  readonly apis: readonly ApiName[];
}

/** Calls each app itself, and then all of them through the gateway where there is one, as a client does, with a token for the deployer. */
export async function smoke(context: Context): Promise<void> {
  const outputs = await outputsOf(context);
  const token = await apiToken(context, outputs);
  const calendarPath = needOutput(outputs, 'CALENDAR_BASE_PATH');
  const { dryRun, maxAttempts, wait } = context.options;
  for (const { baseUrl, apis } of placesOf(context, outputs)) {
    context.say(`${dryRun ? '# ' : ''}calls ${baseUrl}`);
    const origins = listOutput(outputs, 'CORS_ORIGINS');
    if (!dryRun)
      await smokeTest({
        baseUrl,
        apis,
        calendarPath,
        token,
        origins,
        maxAttempts,
        wait,
        say: context.say,
        signal: context.signal,
      });
  }
}

/** The gateway leads to the blue app and the calendar's, and so does a name of one's own: the green one is called directly only. */
function placesOf(context: Context, outputs: Outputs): Place[] {
  const base = basePathOf(outputs);
  const gateway = context.options.color === 'blue' ? textOutput(outputs, 'GATEWAY_NAME') : '';
  const direct = appsOf(context, outputs).map(({ name, url, apis }) => {
    if (url === '')
      throw new Error(`The deployment has no address of ${name}: run the step provision first.`);
    return { baseUrl: `${url}${base}`, apis };
  });
  // The name of one's own is that of the app that comes last: the calendar's where it has one.
  const domain = context.options.color === 'blue' ? textOutput(outputs, 'CUSTOM_DOMAIN') : '';
  const named =
    domain === '' ? [] : [{ baseUrl: `https://${domain}${base}`, apis: direct.at(-1)?.apis ?? [] }];
  if (gateway === '') return [...direct, ...named];
  return [
    ...direct,
    ...named,
    { baseUrl: `https://${gateway}.azure-api.net${base}`, apis: ['records', 'calendar'] },
  ];
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
