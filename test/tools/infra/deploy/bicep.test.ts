/** What Bicep alone does: deployments that Azure keeps as records, of which each run has one of its own, and what-if. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { playTools, runDeploy } from '../../../support/deploy-run.ts';
import { done, startAzure } from '../../../support/deploying-machines.ts';
import { azOfBicep, changesIn, groupOfDev, groupsListed, made, quick, values } from './fixtures.ts';
import { begin } from './machines.ts';

const stack = 'bicep';
const inBicep = (step: string, ...more: string[]) => [
  step,
  '-e',
  'dev',
  '--stack',
  stack,
  ...values,
  ...more,
  ...quick,
];
const firstOfMonth = `${new Date().toISOString().slice(0, 7)}-01`;

test('the step entra makes the registration, with what --entra-set says', async () => {
  const tools = playTools({ az: '' });
  const words = 'entra -e dev --stack bicep --set location=x --entra-set redirectUris=[] --wait 0 --yes';
  expect((await runDeploy(words, tools)).code).toBe(0);
  const creations = tools.calls().filter((call) => call.includes(' create '));
  expect(creations).toEqual([
    'az deployment sub create --name records-entra-dev-1 --location x --parameters infra/bicep/entra/main.bicepparam --parameters redirectUris=[] --output none',
  ]);
});

describe('the step provision', () => {
  test('registers providers and creates the deployment, again while the directory lags', async () => {
    const lagging = `if (call.startsWith('deployment sub create') && before === 0) {
      console.error('PrincipalNotFound: Principal does not exist in the directory'); process.exit(1); }
      if (call.startsWith('deployment sub create')) fs.writeFileSync(__dirname + '/environment', process.env.API_CLIENT_ID + ' ' + process.env.SERVICE_API_USERNAME);`;
    const tools = playTools({ az: azOfBicep(made, lagging) });
    const { code, stdout } = await runDeploy(inBicep('provision', '--set', 'greenApp=true'), tools);
    expect(code).toBe(0);
    expect(stdout).toContain('records-dev: not yet (try 1 of 8)');
    expect(readFileSync(join(tools.folder, 'environment'), 'utf8')).toBe('api service');
    expect(tools.calls()).toContain('az provider register --namespace Microsoft.App --wait');
    const creation = `az deployment sub create --name records-dev-1 --location westeurope --parameters infra/bicep/main.bicepparam --parameters budgetStartDate=${firstOfMonth} --parameters greenApp=true --output none`;
    const creations = tools.calls().filter((call) => call.includes('sub create'));
    expect(creations).toEqual([creation, creation]);
  });

  test('shows first what would change, and deploys it when somebody says yes', async () => {
    const { azure, machine } = await startAzure();
    const words = inBicep('provision', '--set', 'apiClientId=api').filter((word) => word !== '--yes');
    const refused = await machine()(words);
    expect(refused).toMatchObject({ code: 2, said: expect.stringContaining('Nothing was deployed') });
    expect(azure.calls.filter((call) => call.includes('sub what-if'))).toHaveLength(1);
    expect(azure.deployments).toEqual([]);
    expect(await machine({ answer: true })(words)).toMatchObject(done);
    expect(azure.deployments).toEqual([expect.objectContaining({ state: 'Succeeded' })]);
  });

  test('keeps the first day of the budget that Azure has, which cannot be changed, also for drift and preview', async () => {
    const budget = `if (call.startsWith('rest --method get --url /subscriptions/{subscriptionId}/resourceGroups/rg-dev/')) console.log('2026-08-01T00:00:00Z'); else `;
    for (const step of ['provision', 'preview', 'drift']) {
      const tools = playTools({ az: budget + azOfBicep({ ...made, APP_CONFIGURATION: [] }) });
      expect((await runDeploy(inBicep(step), tools)).code).toBe(0);
      const [call] = tools.calls().filter((line) => /sub (create|what-if)/.test(line));
      expect(call).toContain('--parameters budgetStartDate=2026-08-01');
    }
  });
});

test('drift names what differs, and leaves out what what-if reports without a difference', async () => {
  const site = '/subscriptions/s/resourceGroups/rg-dev/providers/Microsoft.Web/sites/func-dev';
  const drift = (...paths: string[]) => {
    const delta = paths.map((path) => ({ path, propertyChangeType: 'Modify' }));
    const changes = [{ resourceId: site, changeType: 'Modify', delta }];
    const whatIf = `if (call.includes('what-if') && call.includes('json')) console.log(${JSON.stringify(JSON.stringify({ changes }))});`;
    const tools = playTools({ az: azOfBicep({ ...made, APP_CONFIGURATION: [] }, whatIf) });
    return runDeploy(inBicep('drift'), tools);
  };
  expect((await drift('properties.siteConfig.minTlsVersion')).code).toBe(0);
  const { code, stdout } = await drift('properties.siteConfig.cors', 'properties.httpsOnly');
  expect({ code, said: stdout.includes(`Modify ${site}: properties.httpsOnly\n`) }).toEqual({
    code: 1,
    said: true,
  });
});

test('goes on with an environment that azd has made', async () => {
  const { azure, machine } = await begin();
  const run = machine();
  azure.makeByOtherTool('dev', '2025-11-01');
  expect((await run(stack, 'outputs')).said).toContain('run the step provision first');
  for (const step of ['provision', 'outputs', 'push', 'all', 'teardown']) {
    expect(await run(stack, step)).toMatchObject(done);
    if (step !== 'teardown')
      expect([...azure.groups.values()]).toEqual([expect.objectContaining({ budgetStart: '2025-11-01' })]);
  }
  expect(azure.groups.size).toBe(0);
});

test('counts on from its own runs, among what people and other environments have deployed', async () => {
  const { azure, machine } = await begin();
  const run = machine();
  expect(await run(stack, 'provision', '--set', 'apiClientId=api')).toMatchObject(done);
  const [{ outputs = null } = {}] = azure.deployments.splice(0);
  const past = (name: string, state: string, day: string, group: string) =>
    azure.deployments.push({
      name,
      state,
      time: `2026-01-${day}T09:00:00Z`,
      outputs: state === 'Succeeded' ? { ...outputs, AZURE_RESOURCE_GROUP: group } : null,
    });
  past('records-dev', 'Succeeded', '02', 'rg-of-version-0-3');
  past('records-dev-20260103T080000', 'Succeeded', '03', 'rg-by-time');
  past('records-dev-9', 'Succeeded', '04', 'rg-of-run-9');
  past('records-dev-10', 'Succeeded', '05', 'rg-of-run-10');
  past('records-dev-11', 'Failed', '06', '');
  past('records-dev2-40', 'Succeeded', '07', 'rg-of-dev2');
  past('records-dev-by-hand-50', 'Succeeded', '07', 'rg-by-hand');
  past('records-dev-20260107090000123456', 'Succeeded', '07', 'rg-by-another-tool');
  expect((await run(stack, 'outputs')).said).toContain('rg-of-run-10');
  expect(await run(stack, 'provision', '--set', 'apiClientId=api')).toMatchObject(done);
  expect(azure.deployments.at(-1)).toMatchObject({ name: 'records-dev-12', state: 'Succeeded' });
});

test('a run of another machine that never ends is named, with how to end it, and nothing is deployed', async () => {
  const { azure, machine } = await begin();
  azure.begin('records-dev-4');
  const run = await machine()(stack, 'provision', '--set', 'apiClientId=api');
  expect(run).toMatchObject({ code: 1, said: expect.stringContaining('records-dev-4 is Running') });
  expect(run.said).toContain('az deployment sub cancel --name records-dev-4');
  expect(azure.deployments).toHaveLength(1);
});

test.each(['Accepted', 'Validating', 'Running'])(
  'waits for a run of another machine, whatever its name, in the state %s',
  async (state) => {
    const { azure, machine } = await begin();
    azure.begin('records-dev-20260120T080000', state);
    let listed = 0;
    azure.whenListed = () => {
      listed += 1;
      if (listed > 8) azure.end('records-dev-20260120T080000');
    };
    expect(await machine()(stack, 'all')).toMatchObject({
      ...done,
      said: expect.stringContaining('another deployment is at work'),
    });
  },
);

test('of two runs that begin at once on two machines one waits, though neither has seen the other', async () => {
  const { azure, machine } = await begin();
  const words = [stack, 'provision', '--set', 'apiClientId=api'] as const;
  // Another machine, which has looked at the same time, is the first to begin.
  azure.whenCreated = (name) => {
    azure.whenCreated = () => {};
    azure.begin(name);
    let looks = 0;
    azure.whenListed = () => {
      looks += 1;
      if (looks > 2) azure.end(name);
    };
  };
  expect(await machine()(...words)).toMatchObject({
    ...done,
    said: expect.stringContaining('another deployment is at work'),
  });
  expect(await machine()(...words)).toMatchObject(done);
  expect(azure.deployments.map(({ name, state }) => `${name} ${state}`)).toEqual([
    'records-dev-1 Failed',
    'records-dev-2 Succeeded',
    'records-dev-3 Succeeded',
  ]);
});

test('an environment whose names an earlier version made of "West Europe" is not made a second time', async () => {
  const outputs = { ...made, AZURE_RESOURCE_GROUP: 'rg-dev-abcdefg234567' };
  const { DEPLOYED_AS: _, ...earlier } = outputs;
  const group = { name: 'rg-dev-abcdefg234567', location: 'westeurope', environment: 'dev', stack: null };
  const spelled = (location: string) => {
    const parameter = `if (call.includes('properties.parameters.location.value')) { console.log('"${location}"'); return; }`;
    return playTools({ az: `${parameter}\n${azOfBicep(earlier, groupsListed(group))}` });
  };
  const tools = spelled('West Europe');
  const { code, stderr } = await runDeploy(inBicep('provision'), tools);
  expect(code).toBe(2);
  expect(stderr).toContain('was deployed with location=West Europe');
  expect(tools.calls().filter((call) => call.includes('sub create'))).toEqual([]);
  const same = spelled('westeurope');
  expect((await runDeploy(inBicep('provision'), same)).code).toBe(0);
});

test('the step teardown removes the records of its own runs, and none of others', async () => {
  const names = [
    'records-dev-1',
    'records-dev',
    'records-dev2-1',
    'records-dev-by-hand-5',
    'records-entra-dev-1',
  ];
  const listed = names.map((name) => ({ name, state: 'Succeeded', time: '2026-01-31T09:12:00Z' }));
  const list = `if (call.startsWith('deployment sub list')) { console.log(${JSON.stringify(JSON.stringify(listed))}); return; }`;
  const tools = playTools({ az: `${list}\n${azOfBicep(made, groupsListed(groupOfDev))}` });
  expect((await runDeploy(inBicep('teardown'), tools)).code).toBe(0);
  expect(changesIn(tools.calls())).toEqual([
    'az group delete --name rg-dev --yes',
    'az deployment sub delete --name records-dev-1',
    'az deployment sub delete --name records-dev',
  ]);
});
