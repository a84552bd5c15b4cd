/** What can be known before anything is changed. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Context, root, ToolFailure } from '../context.ts';

/** Checks that the tools are there, that someone is signed in, and that the region runs our Node. Throws an error that says what is wrong. */
export async function preflight(context: Context): Promise<void> {
  const { stack } = context.options;
  await context.run(stack === 'bicep' ? 'az' : stack, ['version'], { quiet: true });
  await mustBeSignedIn(context);
  if (stack === 'azd') await mustBeSignedInToAzd(context);
  await mustRunOurNode(context);
  await mustHaveZones(context);
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

/** azd has a sign-in of its own. */
async function mustBeSignedInToAzd({ run }: Context): Promise<void> {
  try {
    await run('azd', ['auth', 'login', '--check-status'], { quiet: true });
  } catch (error) {
    if (error instanceof ToolFailure)
      throw new Error('Nobody is signed in to azd: run azd auth login.', { cause: error });
    throw error;
  }
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
