/** The identities of the workflows: what GitHub's tokens say, what Azure trusts, and what GitHub is told of both. */

import known from '../../facts/roles.json' with { type: 'json' };
import { type Context, Interrupted, ToolFailure } from '../context.ts';
import { type Repository, repositoryOf, UnknownRepository } from '../github.ts';
import { UsageError } from '../options.ts';
import { type Outputs, textOutput } from '../outputs.ts';
import { isCalled, ownNames, resourceGroups } from '../resource-groups.ts';
import { retry } from '../retry.ts';
import { outputsOf } from '../stacks/index.ts';
import { mustBeItsSubscription, subscriptionOf } from '../stacks/subscription.ts';
import { effectiveValues } from '../values.ts';

/** An identity, with the GitHub environment whose jobs may act as it. */
interface Identity {
  readonly group: string;
  readonly name: string;
  readonly clientId: string;
  readonly principalId: string;
  readonly environment: string;
}

/** The group of the identities that have more rights than anything that a deployment makes. */
const pipelines = 'rg-pipelines';

const reads = [
  '*/read',
  'Microsoft.Resources/deployments/validate/action',
  'Microsoft.Resources/deployments/whatIf/action',
];
/** Roles that Azure does not have: what each may do. A directory has one role of a name, so each scope has its own. */
const ownRoles = {
  'Deployment previewer': { does: 'Reads, and asks what a deployment would change.', actions: reads },
  'Deployment drift reader': {
    does: 'Reads what a deployment has set, settings of apps too, and asks what one would change.',
    // Terraform reads the keys of accounts and workspaces, which are off.
    actions: [
      ...reads,
      'Microsoft.Web/sites/config/list/action',
      'Microsoft.Storage/storageAccounts/listKeys/action',
      'Microsoft.OperationalInsights/workspaces/sharedKeys/action',
    ],
  },
} as const;
type OwnRole = keyof typeof ownRoles;

/** The repository of the environment. Throws a UsageError without one. */
function repositoryName({ options }: Context): string {
  const name = String(effectiveValues(options)['github_repository'] ?? '');
  if (name === '')
    throw new UsageError('Name the repository whose workflows deploy: githubRepository, as owner/name.');
  return name;
}

/**
 * Makes the identities of the workflows, lets each trust the tokens that GitHub gives to jobs of its environment, in both forms of subjects,
 * and tells GitHub their ids. Those that the templates make are added when `provision` has made them. It may run again.
 */
export async function makeIdentities(context: Context): Promise<void> {
  const { say, options } = context;
  const repository = await repositoryOf(context, repositoryName(context));
  await mustBeItsSubscription(context);
  const outputs = await outputsOf(context);
  const scope = await scopeOf(context);
  await makeGroup(context);
  const name = options.environment;
  const provisioner = await made(context, `id-${name}-provision`, `${name}-provision`);
  const watcher = await made(context, `id-${name}-drift`, `${name}-drift`);
  const previewer = await made(context, `id-${name}-preview`, `${name}-preview`);
  for (const identity of [provisioner, watcher, previewer])
    await mustBeOfRepository(context, identity, repository);
  const ofTemplates = await madeByTemplates(context, outputs);
  const identities = [provisioner, watcher, previewer, ...ofTemplates];
  for (const identity of identities) await trust(context, identity, repository);
  await letProvision(context, provisioner, scope);
  await grantOwnRole(context, watcher, 'Deployment drift reader', scope);
  await grantOwnRole(context, previewer, 'Deployment previewer', scope);
  await tellGithub(context, identities, repository, outputs);
  if (ofTemplates.length === 0)
    say(
      `The identities of deploy and backup come with provision (githubRepository); run this step again afterwards.`,
    );
}

/** The group that was there before, where the deployer has rights on one group alone; else the subscription. */
async function scopeOf(context: Context): Promise<string> {
  const scope = `/subscriptions/${await subscriptionOf(context)}`;
  const { existingGroup } = ownNames(context);
  return existingGroup === '' ? scope : `${scope}/resourceGroups/${existingGroup}`;
}

async function makeGroup(context: Context): Promise<void> {
  const all = await resourceGroups(context);
  if (all.some((group) => isCalled(group, pipelines))) return;
  const { location = '' } = context.options.values;
  if (location === '' && !context.options.dryRun)
    throw new UsageError('location is missing: the region of the identities.');
  await context.run('az', [
    'group',
    'create',
    '--name',
    pipelines,
    '--location',
    location,
    '--output',
    'none',
  ]);
}

async function made({ run, options }: Context, name: string, environment: string): Promise<Identity> {
  const words = ['identity', 'create', '--resource-group', pipelines, '--name', name, '--output', 'json'];
  const said = await run('az', words);
  const { clientId, principalId } = options.dryRun
    ? { clientId: `<client id of ${name}>`, principalId: `<object id of ${name}>` }
    : (JSON.parse(said) as Identity);
  return { group: pipelines, name, clientId, principalId, environment };
}

/** The identities of deploy and backup, which the templates make; they are found by the ids in the outputs. */
async function madeByTemplates({ run, options }: Context, outputs: Outputs): Promise<Identity[]> {
  const group = textOutput(outputs, 'AZURE_RESOURCE_GROUP');
  if (group === '' || options.dryRun) return [];
  const query = '[].{name: name, clientId: clientId, principalId: principalId}';
  const words = ['identity', 'list', '--resource-group', group, '--query', query, '--output', 'json'];
  const there: readonly Identity[] = JSON.parse((await run('az', words, { quiet: true })).trim() || '[]');
  const environments = { PIPELINE: options.environment, BACKUP: `${options.environment}-backup` };
  return Object.entries(environments).flatMap(([output, environment]) => {
    const clientId = textOutput(outputs, `${output}_IDENTITY_CLIENT_ID`);
    const identity = there.find((one) => clientId !== '' && one.clientId === clientId);
    return identity === undefined ? [] : [{ ...identity, group, environment }];
  });
}

/**
 * Throws a UsageError where an identity of this name trusts another repository and not this one: it would take it over, with its rights, from
 * another product in the same subscription.
 */
async function mustBeOfRepository(
  context: Context,
  identity: Identity,
  { fullName, isOurs }: Repository,
): Promise<void> {
  const trusted = await trustedBy(context, identity);
  if (trusted.length === 0 || trusted.some(isOurs)) return;
  throw new UsageError(
    `The identity ${identity.name} in ${pipelines} is that of another repository: it trusts ${trusted.join(', ')}. Two repositories need two subscriptions; where it was ${fullName} under another name, delete its credentials (az identity federated-credential delete).`,
  );
}

/** Credentials of one identity are made one after the other: Azure refuses two at once, and two of the same subject. */
async function trust(context: Context, identity: Identity, repository: Repository): Promise<void> {
  const { group, name, environment } = identity;
  const there = await trustedBy(context, identity);
  for (const { name: credential, subject } of repository.subjects(environment)) {
    if (there.includes(subject)) continue;
    const place = ['--resource-group', group, '--identity-name', name, '--name', credential];
    const trusted = ['--issuer', 'https://token.actions.githubusercontent.com', '--subject', subject];
    const words = [...place, ...trusted, '--audiences', 'api://AzureADTokenExchange', '--output', 'none'];
    await context.run('az', ['identity', 'federated-credential', 'create', ...words]);
  }
}

/** The subjects that an identity trusts. */
async function trustedBy({ run }: Context, { group, name }: Identity): Promise<readonly string[]> {
  const place = ['--resource-group', group, '--identity-name', name];
  const list = ['list', ...place, '--query', '[].subject', '--output', 'json'];
  return JSON.parse(
    (await run('az', ['identity', 'federated-credential', ...list], { quiet: true })).trim() || '[]',
  );
}

const roleAssignment = (
  { principalId }: Identity,
  scope: string,
  role: string,
  more: readonly string[] = [],
) => [
  'role',
  'assignment',
  'create',
  '--assignee-object-id',
  principalId,
  '--assignee-principal-type',
  'ServicePrincipal',
  '--scope',
  scope,
  '--role',
  role,
  ...more,
  '--output',
  'none',
];

/** The rights of a deployer: it may assign the roles of the templates, and none by which it could take all. */
async function letProvision(context: Context, identity: Identity, scope: string): Promise<void> {
  const ids = Object.entries(known.roles)
    .filter(([name]) => !known.tooBroad.includes(name))
    .map(([, id]) => id)
    .join(', ');
  const actions = ['write', 'delete'].map(
    (verb) => `!(ActionMatches{'Microsoft.Authorization/roleAssignments/${verb}'})`,
  );
  const compared = ['@Request', '@Resource'].map(
    (side) =>
      `${side}[Microsoft.Authorization/roleAssignments:RoleDefinitionId] ForAnyOfAnyValues:GuidEquals {${ids}}`,
  );
  const condition = `((${actions.join(' AND ')}) OR (${compared.join(' OR ')}))`;
  const limited = ['--condition-version', '2.0', '--condition', condition];
  const grant = (role: string, more: readonly string[] = []) =>
    retry(context, `the role ${role}`, () =>
      context.run('az', roleAssignment(identity, scope, role, more), { once: true }),
    );
  await grant('Contributor');
  await grant('Locks Contributor');
  await grant('Role Based Access Control Administrator', limited);
  await joinAdministrators(context, identity);
}

/** Whoever provisions migrates too, as one of the group that administers the databases. */
async function joinAdministrators(context: Context, { principalId, name }: Identity): Promise<void> {
  const { sqlAdministratorLogin: group, sqlAdministratorType: type = 'Group' } = context.options.values;
  if (group === undefined || type !== 'Group')
    return context.say(
      `Let ${name} administer the databases: sqlAdministratorLogin is not a group that it could join.`,
    );
  const member = ['--group', group, '--member-id', principalId];
  const said = await context.run('az', [
    'ad',
    'group',
    'member',
    'check',
    ...member,
    '--query',
    'value',
    '--output',
    'tsv',
  ]);
  if (said.trim() === 'true') return;
  await retry(context, 'the group of administrators', () =>
    context.run('az', ['ad', 'group', 'member', 'add', ...member], { once: true }),
  );
}

async function grantOwnRole(
  context: Context,
  identity: Identity,
  role: OwnRole,
  scope: string,
): Promise<void> {
  const { does, actions } = ownRoles[role];
  // The parts of the scope that differ: the subscription, and the group where it is one.
  const name = `${role} (${scope
    .split('/')
    .filter((_, index) => index > 0 && index % 2 === 0)
    .join(', ')})`;
  const list = ['role', 'definition', 'list', '--name', name, '--query', '[].roleName', '--output', 'tsv'];
  const there = await context.run('az', list, { quiet: true });
  const definition = { Name: name, Description: does, AssignableScopes: [scope], Actions: actions };
  if (there.trim() === '')
    await context.run('az', [
      'role',
      'definition',
      'create',
      '--role-definition',
      JSON.stringify(definition),
      '--output',
      'none',
    ]);
  await retry(context, `the role ${role}`, () =>
    context.run('az', roleAssignment(identity, scope, name), { once: true }),
  );
}

/** Makes the GitHub environments that are missing, open to the main branch alone, and sets their variables. */
async function tellGithub(
  context: Context,
  identities: readonly Identity[],
  { fullName, mainBranch }: Repository,
  outputs: Outputs,
): Promise<void> {
  const { run, options, say } = context;
  const tenant = (
    await run('az', ['account', 'show', '--query', 'tenantId', '--output', 'tsv'], { quiet: true })
  ).trim();
  const subscription = await subscriptionOf(context);
  for (const { environment, clientId } of identities) {
    const found = await environmentOf(context, fullName, environment);
    // Pull requests of every branch are previewed.
    const isOpen = environment === `${options.environment}-preview`;
    if (found === undefined)
      await makeEnvironment(context, fullName, environment, isOpen ? undefined : mainBranch);
    else if (!isOpen && found.deployment_branch_policy === null)
      say(
        `The GitHub environment ${environment} takes jobs of every branch: let it take ${mainBranch} alone, in the settings of ${fullName}.`,
      );
    // As a run that was ended in between has left it.
    else if (!isOpen && found.branches === 0) await allowBranch(context, fullName, environment, mainBranch);
    const isGivenOutputs = [options.environment, `${options.environment}-backup`].includes(environment);
    const variables = {
      AZURE_CLIENT_ID: clientId,
      AZURE_TENANT_ID: tenant || '<tenant>',
      AZURE_SUBSCRIPTION_ID: subscription,
      ...(isGivenOutputs ? { DEPLOYMENT_OUTPUTS: JSON.stringify(Object.fromEntries(outputs)) } : {}),
    };
    for (const [name, body] of Object.entries(variables))
      await run('gh', ['variable', 'set', name, '--repo', fullName, '--env', environment, '--body', body]);
  }
}

/** What GitHub says of an environment. */
interface GithubEnvironment {
  readonly deployment_branch_policy: { readonly custom_branch_policies?: boolean } | null;
  /** How many branches are named whose jobs it takes; undefined where none need be named. */
  readonly branches?: number;
}

/** An environment of a repository, by its name alone: the list has the first hundred, and making one that is there takes its rules away. */
async function environmentOf(
  { run, options }: Context,
  repository: string,
  environment: string,
): Promise<GithubEnvironment | undefined> {
  if (options.dryRun) return undefined;
  const place = `repos/${repository}/environments/${environment}`;
  try {
    const found: GithubEnvironment = JSON.parse(await run('gh', ['api', place], { quiet: true }));
    if (found.deployment_branch_policy?.custom_branch_policies !== true) return found;
    const said = await run('gh', ['api', `${place}/deployment-branch-policies`], { quiet: true });
    return { ...found, branches: JSON.parse(said).total_count };
  } catch (error) {
    if (error instanceof ToolFailure && /\b404\b/.test(error.complaint)) return undefined;
    throw error;
  }
}

async function makeEnvironment(
  context: Context,
  repository: string,
  environment: string,
  branch: string | undefined,
): Promise<void> {
  const place = `repos/${repository}/environments/${environment}`;
  if (branch === undefined)
    return void (await context.run('gh', ['api', '--silent', '--method', 'PUT', place]));
  const policy = ['protected_branches]=false', 'custom_branch_policies]=true'].flatMap((field) => [
    '--field',
    `deployment_branch_policy[${field}`,
  ]);
  await context.run('gh', ['api', '--silent', '--method', 'PUT', ...policy, place]);
  await allowBranch(context, repository, environment, branch);
}

async function allowBranch(
  { run }: Context,
  repository: string,
  environment: string,
  branch: string,
): Promise<void> {
  const place = `repos/${repository}/environments/${environment}/deployment-branch-policies`;
  await run('gh', ['api', '--silent', '--method', 'POST', '--field', `name=${branch}`, place]);
}

/** Says where the identity of a pipeline does not trust the tokens that GitHub gives now; where GitHub cannot be asked it says that. */
export async function compareSubjects(context: Context): Promise<void> {
  const { options, say } = context;
  const name = String(effectiveValues(options)['github_repository'] ?? '');
  if (name === '' || options.dryRun) return;
  let repository: Repository;
  try {
    repository = await repositoryOf(context, name);
  } catch (error) {
    if (error instanceof UnknownRepository) return say(`Warning: ${error.message}`);
    if (error instanceof UsageError || error instanceof Interrupted) throw error;
    return say('GitHub was not asked what the tokens of its workflows say: gh auth login lets it be asked.');
  }
  const outputs = await outputsOf(context);
  for (const identity of await madeByTemplates(context, outputs)) {
    const trusted = await trustedBy(context, identity);
    const subject = repository.subjectNow(identity.environment);
    if (!trusted.includes(subject))
      say(
        `Warning: tokens of ${name} have the subject ${subject}; ${identity.name} trusts ${trusted.join(', ') || 'none'}. Its workflows cannot sign in (AADSTS700213) until: npm run deploy -- identities --environment ${options.environment}`,
      );
  }
}
