/** The identities of workflows: Azure must trust the tokens that GitHub gives, letter by letter. */

import { describe, expect, test } from 'vitest';
import { defaultStack, type Environment } from '../../../../infra/deploy/environments.ts';
import roles from '../../../../infra/facts/roles.json' with { type: 'json' };
import { playTools, runDeploy } from '../../../support/deploy-run.ts';
import { done, startAzure } from '../../../support/deploying-machines.ts';

const town: Environment = {
  profile: 'small',
  stack: defaultStack,
  location: 'westeurope',
  values: {
    apiClientId: 'api',
    sqlAdministratorLogin: 'admins',
    sqlAdministratorObjectId: '1',
    serviceApiUsername: 'service',
    alertEmails: ['operators@example.org'],
    githubRepository: 'Town/Calendar',
  },
  entraValues: {},
};
const words = (step: string) => [step, '-e', 'town', '--yes', '--wait', '0'];
const jobs = ['town', 'town-provision', 'town-drift', 'town-backup', 'town-preview'];

/** A town whose environment is there, with its repository. */
async function begin(more: { immutable?: boolean; claims?: readonly string[] } = {}) {
  const { azure, machine } = await startAzure();
  const repository = azure.github.add('Town/Calendar', more);
  const run = machine({ backend: true, environments: { town } });
  expect(await run(words('provision'))).toMatchObject(done);
  return { azure, repository, machine, run };
}

/** The GitHub environments whose jobs cannot sign in: no identity has their client id and trusts their token. */
function refused({ azure, repository }: Pick<Awaited<ReturnType<typeof begin>>, 'azure' | 'repository'>) {
  return jobs.filter((job) => {
    const clientId = repository.environments.get(job)?.variables.get('AZURE_CLIENT_ID');
    const identity = [...azure.identities.values()].find((one) => one.clientId === clientId);
    return ![...(identity?.trusted.values() ?? [])].includes(azure.github.subject('Town/Calendar', job));
  });
}

describe('the step identities', () => {
  test.each([
    ['with ids in their subjects', { immutable: true }],
    ['with names alone', { immutable: false }],
    ['of a template of the repository', { immutable: true, claims: ['repo', 'context'] }],
    ['of a template with other claims', { immutable: true, claims: ['context', 'repo'] }],
  ])('lets the tokens of a repository sign in: %s', async (_, more) => {
    const state = await begin(more);
    expect(await state.run(words('identities'))).toMatchObject(done);
    expect(refused(state)).toEqual([]);
    expect(await state.run(words('identities'))).toMatchObject(done);
    expect(refused(state)).toEqual([]);
  });

  test('makes both forms, so that a repository may change to ids later', async () => {
    const state = await begin({ immutable: false });
    expect(await state.run(words('identities'))).toMatchObject(done);
    state.repository.immutable = true;
    expect(refused(state)).toEqual([]);
  });

  test('gives each job its variables, and outputs to those that may read no deployment', async () => {
    const { repository, run } = await begin();
    expect(await run(words('identities'))).toMatchObject(done);
    const variables = jobs.map((job) => [
      job,
      [...(repository.environments.get(job)?.variables.keys() ?? [])],
    ]);
    const always = ['AZURE_CLIENT_ID', 'AZURE_TENANT_ID', 'AZURE_SUBSCRIPTION_ID'];
    expect(Object.fromEntries(variables)).toEqual({
      town: [...always, 'DEPLOYMENT_OUTPUTS'],
      'town-provision': always,
      'town-drift': always,
      'town-backup': [...always, 'DEPLOYMENT_OUTPUTS'],
      'town-preview': always,
    });
    const branches = jobs.map((job) => repository.environments.get(job)?.branches);
    expect(branches).toEqual([['main'], ['main'], ['main'], ['main'], []]);
  });

  test('leaves a GitHub environment that is there as it is, and says what it lacks', async () => {
    const { repository, run } = await begin();
    repository.environments.set('town', { branches: ['release'], variables: new Map(), policy: {} });
    repository.environments.set('town-drift', { branches: [], variables: new Map(), policy: null });
    const { code, said } = await run(words('identities'));
    expect(code).toBe(0);
    expect(repository.environments.get('town')?.branches).toEqual(['release']);
    expect(said).toContain('The GitHub environment town-drift takes jobs of every branch');
    expect(said).not.toContain('The GitHub environment town takes');
  });

  test('finds a GitHub environment by its name, whatever the case, and however many there are', async () => {
    const { repository, run } = await begin();
    const of = (branches: string[]) => ({ branches, variables: new Map<string, string>(), policy: {} });
    for (let number = 0; number < 120; number += 1) repository.environments.set(`pr-${number}`, of([]));
    repository.environments.set('Town-Provision', of(['main', 'release']));
    expect(await run(words('identities'))).toMatchObject(done);
    expect(repository.environments.get('Town-Provision')?.branches).toEqual(['main', 'release']);
    expect(repository.environments.has('town-provision')).toBe(false);
  });

  test('goes on where a run was ended between a GitHub environment and its branch', async () => {
    const { azure, repository, run } = await begin();
    azure.github.failures.push(/POST .*town-provision/);
    expect(await run([...words('identities'), '--max-attempts', '1'])).toMatchObject({ code: 1 });
    expect(repository.environments.get('town-provision')?.branches).toEqual([]);
    expect(await run(words('identities'))).toMatchObject(done);
    expect(repository.environments.get('town-provision')?.branches).toEqual(['main']);
  });

  test('goes on where Azure and GitHub refuse the first of each call for a moment', async () => {
    const state = await begin();
    state.azure.firstAnswers = [
      '(TooManyRequests) 429',
      'gh: Bad Gateway (HTTP 502)',
      '(InternalServerError) 500',
    ];
    expect(await state.run(words('identities'))).toMatchObject(done);
    expect(refused(state)).toEqual([]);
  });

  test('lets a repository that was renamed sign in, and no other repository of the subscription', async () => {
    const { azure, machine, repository, run } = await begin();
    const of = (githubRepository: string) =>
      machine({
        backend: true,
        environments: { town: { ...town, values: { ...town.values, githubRepository } } },
      });
    expect(await run(words('identities'))).toMatchObject(done);
    azure.github.add('Town/Shop');
    const trusted = () => [...azure.identities.values()].map((one) => [...one.trusted.values()]);
    const before = trusted();
    const shop = await of('Town/Shop')(words('identities'));
    expect(shop).toMatchObject({ code: 2, said: expect.stringContaining('is that of another repository') });
    expect(trusted()).toEqual(before);
    azure.github.repositories.delete('Town/Calendar');
    azure.github.repositories.set('Town/Events', repository);
    const renamed = of('Town/Events');
    expect(await renamed(words('identities'))).toMatchObject(done);
    expect(azure.identities.get('rg-pipelines/id-town-preview')?.trusted.values()).toContain(
      azure.github.subject('Town/Events', 'town-preview'),
    );
  });

  test('gives environments whose rights end at different groups, or subscriptions, roles of their own', async () => {
    const { azure, machine } = await startAzure();
    azure.github.add('Town/Calendar');
    const within = (group: string): Environment => ({
      ...town,
      values: { ...town.values, existingResourceGroupName: group },
    });
    azure.addGroup('rg-one');
    azure.addGroup('rg-two');
    const environments = { one: within('rg-one'), two: within('rg-two'), far: town };
    const run = machine({ backend: true, environments });
    const identities = (name: string) => run(['identities', '-e', name, '--yes', '--wait', '0']);
    expect(await identities('one')).toMatchObject(done);
    expect(await identities('two')).toMatchObject(done);
    azure.subscription = 'sub-2';
    expect(await identities('far')).toMatchObject(done);
    expect(await identities('far')).toMatchObject(done);
    expect([...azure.ownRoles.keys()].filter((name) => name.startsWith('Deployment previewer'))).toEqual([
      'Deployment previewer (sub-1, rg-one)',
      'Deployment previewer (sub-1, rg-two)',
      'Deployment previewer (sub-2)',
    ]);
  });

  test('gives each identity what it needs and no more', async () => {
    const { azure, run } = await begin();
    expect(await run(words('identities'))).toMatchObject(done);
    const granted = (name: string) => {
      const { principalId = '' } = azure.identities.get(`rg-pipelines/${name}`) ?? {};
      return azure.roles
        .filter((line) => line.startsWith(`${principalId}: `))
        .map((line) => line.split(': ')[1]);
    };
    const scope = ' on /subscriptions/sub-1';
    expect(granted('id-town-provision')).toEqual([
      `Contributor${scope}`,
      `Locks Contributor${scope}`,
      `Role Based Access Control Administrator${scope}`,
    ]);
    expect(granted('id-town-drift')).toEqual([`Deployment drift reader (sub-1)${scope}`]);
    expect(granted('id-town-preview')).toEqual([`Deployment previewer (sub-1)${scope}`]);
    expect(azure.members).toEqual([
      `admins: ${azure.identities.get('rg-pipelines/id-town-provision')?.principalId}`,
    ]);
    const condition = azure.calls.find((call) => call.includes('--condition ')) ?? '';
    for (const name of ['Owner', 'Contributor', 'User Access Administrator'] as const)
      expect(condition).not.toContain(roles.roles[name]);
    expect(condition).toContain(roles.roles['Storage Table Data Contributor']);
    expect(JSON.parse(azure.ownRoles.get('Deployment previewer (sub-1)') ?? '{}').Actions).toEqual([
      '*/read',
      'Microsoft.Resources/deployments/validate/action',
      'Microsoft.Resources/deployments/whatIf/action',
    ]);
  });

  test('can come before the first deployment, and says what is left', async () => {
    const { azure, machine } = await startAzure();
    azure.github.add('Town/Calendar');
    const { code, said } = await machine({ backend: true, environments: { town } })(words('identities'));
    expect(code).toBe(0);
    expect(said).toContain('come with provision (githubRepository); run this step again');
    expect([...azure.identities.keys()]).toEqual([
      'rg-pipelines/id-town-provision',
      'rg-pipelines/id-town-drift',
      'rg-pipelines/id-town-preview',
    ]);
  });

  test.each([
    ['town/calendar', /GitHub calls the repository Town\/Calendar; githubRepository is town\/calendar/],
    ['', /Name the repository whose workflows deploy/],
    ['Town/Calender', /GitHub knows no repository Town\/Calender/],
    ['https://github.com/Town/Calendar', /write githubRepository as owner\/name/],
  ])('refuses the repository "%s", and makes nothing', async (githubRepository, said) => {
    const { azure, machine } = await startAzure();
    azure.github.add('Town/Calendar');
    const other = { ...town, values: { ...town.values, githubRepository } };
    const run = await machine({ backend: true, environments: { town: other } })(words('identities'));
    expect(run).toMatchObject({ code: 2, said: expect.stringMatching(said) });
    expect(azure.identities.size).toBe(0);
  });

  test('refuses subjects that no credential can name, with the way back', async () => {
    const { azure, run } = await begin({ claims: ['repo', 'job_workflow_ref'] });
    const before = azure.identities.size;
    const { code, said } = await run(words('identities'));
    expect({ code, made: azure.identities.size - before }).toEqual({ code: 2, made: 0 });
    expect(said).toContain('have the claim job_workflow_ref in their subject');
    expect(said).toContain('--field use_default=true');
  });

  test('prints what it would do in a dry run', async () => {
    const tools = playTools({});
    const { code, stdout } = await runDeploy([...words('identities'), '--dry-run'], tools, {}, { town });
    expect({ code, calls: tools.calls() }).toEqual({ code: 0, calls: [] });
    expect(stdout).toContain('--subject repo:Town/Calendar:environment:town-provision');
  });
});

describe('the step preflight', () => {
  test('says where the identity of the pipeline does not trust the tokens that GitHub gives', async () => {
    const { run } = await begin();
    const warning =
      'Warning: tokens of Town/Calendar have the subject repo:Town@123456/Calendar@456789:environment:town; id-pipeline trusts repo:Town/Calendar:environment:town.';
    expect(await run(words('preflight'))).toMatchObject({ code: 0, said: expect.stringContaining(warning) });
    expect(await run(words('identities'))).toMatchObject(done);
    expect((await run(words('preflight'))).said).not.toContain('Warning: tokens');
  });

  test('says where GitHub cannot be asked, and refuses a name that it writes otherwise', async () => {
    const { azure, run, machine } = await begin();
    azure.github.signedIn = false;
    expect(await run(words('preflight'))).toMatchObject({
      code: 0,
      said: expect.stringContaining('GitHub was not asked'),
    });
    azure.github.signedIn = true;
    const preflight = (githubRepository: string) => {
      const other = { ...town, values: { ...town.values, githubRepository } };
      return machine({ backend: true, environments: { town: other } })(words('preflight'));
    };
    expect(await preflight('town/Calendar')).toMatchObject({ code: 2 });
    // Who is signed in may not see one that is private.
    expect(await preflight('Town/Calender')).toMatchObject({
      code: 0,
      said: expect.stringContaining('Warning: GitHub knows no repository Town/Calender'),
    });
  });
});
