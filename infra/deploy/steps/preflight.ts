/** What can be known before anything is changed. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Context, ToolFailure } from '../context.ts';
import { mustBeBindable } from '../domain.ts';
import { hasRunner, mustBeAllowed, stepsInside } from '../guards.ts';
import { inputs, UsageError } from '../options.ts';
import { root } from '../root.ts';
import { mustBeItsSubscription } from '../stacks/subscription.ts';
import { effectiveValues, mustBeComplete, type ProfileValue } from '../values.ts';
import { compareSubjects } from './identities.ts';

/** The oldest tools that will do: Bicep knows every resource type of the templates from 0.45 on. */
const oldest = { 'Azure CLI': [2, 76], Bicep: [0, 45], Terraform: [1, 9] } as const;

/** Checks that the values are allowed, the tools there, someone signed in, and that the region runs our Node. Throws an error that says what is wrong. */
export async function preflight(context: Context): Promise<void> {
  const { stack } = context.options;
  const values = effectiveValues(context.options);
  mustBeAllowed(values);
  if (!context.options.dryRun)
    mustBeComplete(
      context.options,
      context.options.values,
      Object.values(inputs).filter((name) => name !== 'apiClientId'),
    );
  sayWhatNeedsTheNetwork(context, values);
  await mustBeRecent(context, 'Azure CLI', ['az', 'version', '--output', 'json'], 'az upgrade');
  if (stack === 'terraform')
    await mustBeRecent(context, 'Terraform', ['terraform', 'version', '-json'], 'install a later one');
  else await mustBeRecent(context, 'Bicep', ['az', 'bicep', 'version'], 'az bicep upgrade');
  await mustBeSignedIn(context);
  if (!context.options.dryRun) await mustBeItsSubscription(context);
  await compareSubjects(context);
  await mustBeBindable(context);
  await mustBeARegion(context);
  await mustRunOurNode(context);
  await mustHaveZones(context);
}

/** In a private deployment most steps work from inside the network only: better known now than after provisioning. */
function sayWhatNeedsTheNetwork(
  { say, options }: Context,
  values: Readonly<Record<string, ProfileValue>>,
): void {
  const steps = stepsInside(values);
  if (steps.length === 0) return;
  const closed = values['app_public_access'] === false;
  say(`These steps work from inside the network only: ${steps.join(', ')}.`);
  say(
    hasRunner(values)
      ? `A runner inside of it does them, inside-${options.environment}: start the workflows provision and deploy.`
      : 'Run them on a machine inside of it: a runner (the parameter runner makes one), or one that a VPN leads to.',
  );
  if (closed && values['gateway_sku'] === 'None' && values['public_base_url'] === '')
    say('Warning: the app has no public address, so there is no availability test; watch it from inside.');
}

/** Throws an error when a tool is older than the templates need. A tool that does not tell its version is no reason to stop. */
async function mustBeRecent(
  { run, say, options }: Context,
  tool: keyof typeof oldest,
  [command, ...words]: readonly [string, ...string[]],
  cure: string,
): Promise<void> {
  const said = await run(command, words, { quiet: true }).catch((error: unknown) => {
    if (error instanceof ToolFailure) return '';
    throw error;
  });
  if (options.dryRun) return;
  const version = /\d+\.\d+\.\d+/.exec(
    /"(?:azure-cli|terraform_version)": *"[^"]+"/.exec(said)?.[0] ?? said,
  )?.[0];
  if (version === undefined) return say(`The version of ${tool} is not known.`);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldest[tool];
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor))
    throw new Error(`${tool} ${version} is too old, ${oldest[tool].join('.')} is needed: ${cure}.`);
}

async function mustBeSignedIn({ run, say }: Context): Promise<void> {
  try {
    const name = await run('az', ['account', 'show', '--query', 'name', '--output', 'tsv'], { quiet: true });
    say(`Subscription: ${name.trim()}`);
  } catch (error) {
    if (error instanceof ToolFailure) throw new Error('Nobody is signed in: run az login.', { cause: error });
    throw error;
  }
}

/** A region that there is not is refused by Azure late, or found by nobody where a list is empty. An empty answer says nothing. */
async function mustBeARegion({ run, options }: Context): Promise<void> {
  const { location } = options.values;
  if (location === undefined) return;
  const list = ['account', 'list-locations', '--query', '[].name', '--output', 'tsv'];
  const names = (await run('az', list, { quiet: true })).split(/\s+/).filter(Boolean);
  if (names.length > 0 && !names.includes(location))
    throw new UsageError(
      `There is no region ${location} for this subscription; there are ${names.sort().join(', ')}.`,
    );
}

/** Azure accepts any version, and the app is then dead; so the region is asked. An empty answer says nothing. */
async function mustRunOurNode({ run, say, options }: Context): Promise<void> {
  const location = options.values['location'];
  if (location === undefined) return;
  const wanted = options.values['nodeVersion'] ?? readFileSync(join(root, '.nvmrc'), 'utf8').trim();
  const query = ['--location', location, '--runtime', 'node', '--query', '[].version', '--output', 'tsv'];
  const list = await run('az', ['functionapp', 'list-flexconsumption-runtimes', ...query], { quiet: true });
  const versions = list.split(/\s+/).filter(Boolean);
  if (versions.length === 0) return say(`The region ${location} does not tell its versions of Node.`);
  if (!versions.includes(wanted))
    throw new Error(`The region ${location} runs Node ${versions.join(', ')}, not ${wanted}.`);
}

/** Where a region cannot spread apps over zones, the plan is refused without saying so; so the region is asked. */
async function mustHaveZones({ run, options }: Context): Promise<void> {
  const { location, zoneRedundant } = options.values;
  if (location === undefined || zoneRedundant !== 'true') return;
  const query = ['--zone-redundant=true', '--query', '[].name', '--output', 'tsv'];
  const list = await run('az', ['functionapp', 'list-flexconsumption-locations', ...query], { quiet: true });
  const plain = (name: string) => name.toLowerCase().replaceAll(/\s/g, '');
  if (!options.dryRun && !list.split('\n').map(plain).includes(plain(location)))
    throw new Error(
      `The region ${location} cannot spread the app over zones; others can: ${list.trim().split('\n').join(', ')}.`,
    );
}
