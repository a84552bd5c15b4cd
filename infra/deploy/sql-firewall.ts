/** The firewall of the SQL server: a rule that lasts as long as the step, and rules that earlier runs have left. */

import { type Context, commandLine, TimeLimit, ToolFailure } from './context.ts';
import { needOutput, type Outputs, textOutput } from './outputs.ts';
import { retry } from './retry.ts';
import { noteRule, openRules } from './run-record.ts';

/** Rules of ours are `deploy-<environment>-<time>`; what else there is belongs to others, who may use the server too. */
const prefix = 'deploy-';
/** Milliseconds after which a rule of another machine is stale: no step takes that long. */
const oldest = 2 * 60 * 60_000;

/** The address in the message of error 40615: a client that the firewall does not know. Undefined for other errors. */
export function refusedAddress(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const [, ip] = /IP address '([\d.]+)' is not allowed/.exec(error.message) ?? [];
  return ip ?? refusedAddress(error.cause);
}

/** Waking up, overloaded or moving: numbers and messages that pass by themselves. */
const transient =
  /\b(40613|40197|40501|49918|49919|49920)\b|not currently available|Failed to connect|ETIMEOUT/;
const isPassing = (error: unknown) =>
  error instanceof Error && !(error instanceof ToolFailure) && transient.test(error.message);

/**
 * Does work on the server, after stale rules of killed runs are removed. When the firewall rejects this machine, opens it for the one
 * address, and closes it again afterwards in any case.
 */
export async function throughFirewall(
  context: Context,
  outputs: Outputs,
  work: () => Promise<void>,
): Promise<void> {
  await sweepRules(context, outputs);
  try {
    await retry(context, 'database', work, isPassing);
  } catch (error) {
    const ip = refusedAddress(error);
    if (ip === undefined) throw error;
    await withRule(context, outputs, ip, () =>
      retry(context, 'firewall', work, (again) => isPassing(again) || refusedAddress(again) !== undefined),
    );
  }
}

const ruleParameters = (outputs: Outputs, action: string, ...more: string[]) => [
  'sql',
  'server',
  'firewall-rule',
  action,
  '--resource-group',
  textOutput(outputs, 'SQL_SERVER_RESOURCE_GROUP') || needOutput(outputs, 'AZURE_RESOURCE_GROUP'),
  '--server',
  needOutput(outputs, 'SQL_SERVER_NAME'),
  ...more,
];

/** The name says for which environment, and since when. */
const ruleName = ({ options }: Context, now: Date) =>
  `${prefix}${options.environment}-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;

/** Removes rules that runs of this machine have left, and ones of others that are too old to be in use. */
async function sweepRules(context: Context, outputs: Outputs): Promise<void> {
  const recorded = openRules(context);
  let names: string[];
  try {
    const list = ruleParameters(
      outputs,
      'list',
      '--query',
      `[?starts_with(name, '${prefix}')].name`,
      '--output',
      'tsv',
    );
    names = (await context.run('az', list, { quiet: true })).match(/\bdeploy-[\w-]+/g) ?? [];
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    // A pipeline may have no right to look at rules; it makes none either.
    names = [...recorded];
  }
  for (const name of names)
    if (recorded.includes(name) || isOld(context, name)) await removeRule(context, outputs, name);
}

/** Whether a rule is one of the environment that no run can still need. */
function isOld({ options }: Context, name: string): boolean {
  const ours = new RegExp(
    `^${prefix}${options.environment}-(\\d{4})(\\d\\d)(\\d\\d)T(\\d\\d)(\\d\\d)\\d\\dZ$`,
  );
  const [, year, month, day, hour, minute] = ours.exec(name) ?? [];
  if (year === undefined) return false;
  return Date.now() - Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`) > oldest;
}

async function withRule(
  context: Context,
  outputs: Outputs,
  ip: string,
  work: () => Promise<void>,
): Promise<void> {
  const name = ruleName(context, new Date());
  const addresses = ['--start-ip-address', ip, '--end-ip-address', ip];
  // Noted first: a run that is killed while the rule is made leaves one, too.
  noteRule(context, name, true);
  try {
    await context.run(
      'az',
      ruleParameters(outputs, 'create', '--name', name, ...addresses, '--output', 'none'),
    );
    await work();
  } finally {
    await removeRule(context, outputs, name);
  }
}

/** Removes a rule, also when the run shall end. One that stays is named, and tried again by the next run. */
async function removeRule(context: Context, outputs: Outputs, name: string): Promise<void> {
  const parameters = ruleParameters(outputs, 'delete', '--name', name);
  try {
    await context.run('az', parameters, { cleanup: true, minutes: 2 });
    noteRule(context, name, false);
  } catch (error) {
    if (!(error instanceof ToolFailure || error instanceof TimeLimit)) throw error;
    context.say(
      `The firewall rule ${name} could not be removed. Remove it: ${commandLine('az', parameters)}`,
    );
  }
}
