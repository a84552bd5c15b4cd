/** The subscription that everything is made in. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { fileOf } from '../environments.ts';
import { UsageError } from '../options.ts';

/** Returns the id of the subscription: that of ARM_SUBSCRIPTION_ID, else the one that the Azure CLI has selected. */
export async function subscriptionOf(context: Context): Promise<string> {
  const given = context.environment['ARM_SUBSCRIPTION_ID'];
  if (given) return given;
  return context.options.dryRun ? '<subscription>' : selectedSubscription(context);
}

async function selectedSubscription({ run }: Context): Promise<string> {
  const id = await run('az', ['account', 'show', '--query', 'id', '--output', 'tsv'], { quiet: true });
  return id.trim();
}

const recordOf = ({ folder, options }: Context) => join(folder, `${options.environment}.subscription`);

const isSameId = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Throws a UsageError where the Azure CLI has another subscription selected than the environment, or Terraform, is told. Returns the selected one. */
async function mustBeSelected(context: Context): Promise<string> {
  const selected = await selectedSubscription(context);
  const { subscription, values, environment: name } = context.options;
  const said: readonly (readonly [where: string, id: string | undefined])[] = [
    [fileOf(name), subscription],
    ['--set subscriptionId', values['subscriptionId']],
    ['ARM_SUBSCRIPTION_ID', context.environment['ARM_SUBSCRIPTION_ID']],
  ];
  for (const [where, id] of said)
    if (id && !isSameId(id, selected))
      throw new UsageError(
        `${where} says the subscription ${id}, and the Azure CLI has ${selected} selected: az account set --subscription ${id}`,
      );
  return selected;
}

/** Throws a UsageError where the file of the environment names another subscription than the selected one. */
export async function mustBeTheSelected(context: Context): Promise<void> {
  if (context.options.subscription !== undefined && !context.options.dryRun) await mustBeSelected(context);
}

/**
 * Records the subscription of an environment at its first run on this machine. Throws a UsageError when a later run would create the
 * environment again in another subscription, or when Terraform works in another one than the Azure CLI.
 */
export async function mustBeItsSubscription(context: Context): Promise<void> {
  if (context.options.dryRun) return;
  const selected = await mustBeSelected(context);
  mkdirSync(context.folder, { recursive: true });
  try {
    writeFileSync(recordOf(context), selected, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const first = readFileSync(recordOf(context), 'utf8');
  if (first !== selected)
    throw new UsageError(
      `The environment ${context.options.environment} is in the subscription ${first}: az account set --subscription ${first}. For another subscription choose another --environment.`,
    );
}

/** Forgets the subscription of an environment that was removed. */
export function forgetSubscription(context: Context): void {
  rmSync(recordOf(context), { force: true });
}
