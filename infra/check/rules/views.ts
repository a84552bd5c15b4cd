/** Plans as the rules of meaning look at them: those of Bicep, with which those of Terraform must be the same. */

import type { Finding, Project } from '../model.ts';
import { type Data, textOf } from '../plan/data.ts';
import { type Plan, type PlannedResource, planOf } from '../plan/plan.ts';
import { plannedStacks, sets } from '../plan/sets.ts';

/** One plan, and the values that it was made with. */
export interface View {
  readonly set: string;
  /** The name of the environment. */
  readonly environment: string;
  readonly plan: Plan;
  /** The value of a parameter, by its name in snake_case. */
  readonly value: (parameter: string) => Data;
}

type Message = string;

/** Applies a rule to the plan of every set of parameters of the main template; messages name the set. */
export function overPlans(project: Project, rule: (view: View) => readonly Message[]): Finding[] {
  return project.plans.flatMap((planned) => {
    const { name } = planned;
    const plan = planOf(planned);
    const set = sets[name];
    if (!set || plan instanceof Error) return [];
    const value = (parameter: string) =>
      set.values[parameter] ?? project.profiles[set.profile]?.[parameter] ?? null;
    return rule({ set: name, environment: set.environment, plan, value }).map((message) => ({
      file: `infra/${plannedStacks[0]}`,
      message: `${name}: ${message}`,
    }));
  });
}

/** Whether the SQL server belongs to someone else: then nothing of it is planned. */
export const hasExistingServer = ({ value }: View): boolean => textOf(value('existing_sql_server_id')) !== '';

/** Whether the calendar has a separate app. */
export const hasCalendarApp = ({ value }: View): boolean => value('calendar_app') === true;

/** The host name of one's own; '': none. */
export const domainOf = ({ value }: View): string =>
  (value('custom_domain') as { name?: string } | null)?.name ?? '';

/** Whether there is a second app for blue/green releases. */
export const hasGreenApp = ({ value }: View): boolean => value('green_app') === true;

/** Whether there is a gateway. */
export const hasGateway = ({ value }: View): boolean => value('gateway_sku') !== 'None';

/** Whether a pipeline deploys, as an identity of its own. */
export const hasPipeline = ({ value }: View): boolean => value('github_repository') !== '';

/** Whether there is a runner inside of the network. */
export const hasRunner = ({ value }: View): boolean => Object.keys(value('runner') ?? {}).length > 0;

/** Whether the calendar has an account for backups. */
export const hasBackup = ({ value }: View): boolean => value('calendar_backup') === true;

/** Whether a workflow writes backups of the calendar. */
export const hasBackupWorkflow = (view: View): boolean => hasBackup(view) && hasPipeline(view);

/** Whether storage and databases are reached through the network alone. */
export const isPrivate = ({ value }: View): boolean => value('private_networking') === true;

/** Whether the app is, too. */
export const isClosed = (view: View): boolean => isPrivate(view) && view.value('app_public_access') === false;

/** Whether the gateway stands in the network. */
export const isInside = (view: View): boolean =>
  isPrivate(view) && view.value('gateway_sku') === 'StandardV2';

/** The name of a resource: the one that people have given it, by what it is, else the prefix of ours. */
export const nameGiven = ({ value }: View, kind: string, prefix: string): string =>
  (value('resource_names') as Readonly<Record<string, string>>)[kind] ?? prefix;

/** A list in a plan; empty: none. */
export const listAt = (value: Data): Data[] => (Array.isArray(value) ? value : []);

/** The resources of one type. */
export const ofType = ({ plan }: View, type: string): PlannedResource[] =>
  plan.resources.filter((resource) => resource.type === type);

/** The value at a path (`properties.tls.validateCertificateChain`) of a resource; null: none. */
export function bodyAt(resource: Pick<PlannedResource, 'body'> | undefined, path: string): Data {
  let here: Data = resource ? { ...resource.body } : null;
  for (const step of path.split('.')) {
    if (Array.isArray(here)) here = here[Number(step)] ?? null;
    else if (typeof here === 'object' && here !== null)
      here = (here as { [name: string]: Data })[step] ?? null;
    else return null;
  }
  return here;
}

/** The last part of an id. */
export const nameOf = (id: Data): string => textOf(id).split('/').at(-1) ?? '';

/** The kind of a resource by its name's prefix: `sthost...` is `sthost`, `<id-dev-1:clientId>` is `<id:clientId>`. */
export function role(value: Data): string {
  return Object.values(sets).reduce(
    (text, { environment }) => text.replaceAll(new RegExp(`-${environment}-[0-9a-f]{13}`, 'g'), ''),
    textOf(value).replaceAll(/(sthost|stdata|stcal|stbackup)[0-9a-f]{13}/g, '$1'),
  );
}

/** A message where a value is another one than it must be. */
export function mustBe(what: string, found: Data, wanted: Data): Message[] {
  return JSON.stringify(found) === JSON.stringify(wanted)
    ? []
    : [`${what} is ${JSON.stringify(found)}; it must be ${JSON.stringify(wanted)}`];
}
