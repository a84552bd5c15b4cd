/** An environment is there once: what would make it a second time, or leave behind what it has, is refused with both values. */

import { describe, expect, test } from 'vitest';
import { defaultStack, type Environment, stackNames } from '../../../../infra/deploy/environments.ts';
import { playTools, runDeploy } from '../../../support/deploy-run.ts';
import { done, startAzure } from '../../../support/deploying-machines.ts';
import { given, made, quick } from './fixtures.ts';
import { begin } from './machines.ts';

const other = { bicep: 'terraform', terraform: 'bicep' } as const;
const hasBoth = stackNames.length === 2;
const api = ['--set', 'apiClientId=api'];

describe.each(stackNames)('with %s', (stack) => {
  test.each(['West Europe', 'WestEurope', 'WESTEUROPE'])(
    'the region %s is that of westeurope',
    async (location) => {
      const { azure, machine } = await begin();
      expect(await machine({ backend: true })(stack, 'provision', ...api)).toMatchObject(done);
      const run = machine({ backend: true });
      expect(await run(stack, 'provision', ...api, '--set', `location=${location}`)).toMatchObject(done);
      expect(azure.groups.size).toBe(1);
    },
  );

  test.each([
    ['after a deployment', undefined],
    ['after a first one that failed', 'QuotaExceeded'],
  ])('another region is refused on any machine, %s', async (_, failure) => {
    const { azure, machine } = await begin();
    const apply = /sub create --name records-dev|infra\/terraform apply/;
    if (failure !== undefined) azure.failures.push({ call: apply, words: failure });
    await machine({ backend: true })(stack, 'provision', ...api);
    for (const step of ['provision', 'entra', 'teardown']) {
      const run = await machine({ backend: true })(
        stack,
        step,
        ...(step === 'provision' ? api : []),
        '--set',
        'location=North Europe',
      );
      expect(run).toMatchObject({ code: 2 });
      expect(run.said).toMatch(/westeurope[\s\S]*northeurope/);
    }
    expect(azure.groups.size).toBe(1);
  });

  test.runIf(hasBoth).each([
    ['after a deployment', undefined],
    ['after a first one that failed', 'QuotaExceeded'],
  ])('the other stack is refused, %s', async (_, failure) => {
    const { azure, machine } = await begin();
    const apply = /sub create --name records-dev|infra\/terraform apply/;
    if (failure !== undefined) azure.failures.push({ call: apply, words: failure });
    await machine()(stack, 'provision', ...api);
    for (const step of ['provision', 'entra', 'teardown', 'push', 'migrate', 'outputs']) {
      const run = await machine()(other[stack], step, ...api);
      expect(run.code).toBe(step === 'entra' ? 0 : 2);
      if (step !== 'entra')
        expect(run.said).toMatch(new RegExp(`was made with ${stack} .*this run is one of ${other[stack]}`));
    }
    expect([...azure.groups.values()].map((group) => group.stack)).toEqual([stack]);
  });

  test('a value that was given and is forgotten is refused with both, and may be given otherwise', async () => {
    const { azure, machine } = await begin();
    const more = [
      '--set',
      'greenApp=true',
      '--set',
      'gatewaySku=BasicV2',
      '--set',
      'gatewayPublisherEmail=a@b.c',
    ];
    expect(await machine({ backend: true })(stack, 'provision', ...api, ...more)).toMatchObject(done);
    const run = machine({ backend: true });
    for (const step of ['provision', 'preview', 'drift']) {
      const { code, said } = await run(stack, step, ...api);
      expect(code).toBe(2);
      expect(said).toContain('greenApp: true; this run: false');
      expect(said).toContain('gatewaySku: BasicV2; this run: None');
    }
    const off = ['--set', 'greenApp=false', ...more.slice(2)];
    expect(await run(stack, 'provision', ...api, ...off)).toMatchObject(done);
    expect(azure.groups.size).toBe(1);
  });

  test('a registration keeps what it was made with, until a run says otherwise', async () => {
    const { machine } = await begin();
    const client = '[{"name":"importer","role":"Calendar.Author"}]';
    const clients = ['--entra-set', `calendarClients=${client}`];
    const named = ['--entra-set', 'uniqueName=records-and-calendar-dev'];
    const run = machine({ backend: true });
    expect(await run(stack, 'entra', ...clients, ...named)).toMatchObject(done);
    for (const step of ['entra', 'all']) {
      const { code, said } = await run(stack, step, ...named);
      expect({ code, said }).toEqual({
        code: 2,
        said: expect.stringContaining(`calendarClients: ${client}; this run: nothing`),
      });
    }
    const other = '--entra-set=uniqueName=other';
    expect(await run(stack, 'entra', ...clients, other)).toMatchObject({
      code: 2,
      said: expect.stringContaining('uniqueName: records-and-calendar-dev; this run: other'),
    });
    expect(await run(stack, 'entra', '--entra-set', 'calendarClients=[]', ...named)).toMatchObject(done);
    expect(await run(stack, 'entra', ...named)).toMatchObject({ code: 2 });
    expect(await run(stack, 'entra', '--entra-set', 'calendarClients=[]', ...named)).toMatchObject(done);
  });

  test('another profile is refused', async () => {
    const { machine } = await begin();
    expect(await machine({ backend: true })(stack, 'provision', ...api)).toMatchObject(done);
    const alerts = ['--set', 'alertEmails=["a@example.org"]'];
    const run = await machine({ backend: true })(stack, 'provision', ...api, '--profile', 'small', ...alerts);
    expect(run).toMatchObject({ code: 2, said: expect.stringContaining('profile: dev; this run: small') });
  });

  test('another name of what is there is refused, and one of what comes new is not', async () => {
    const { machine } = await begin();
    const named = (names: object) => ['--set', `resourceNames=${JSON.stringify(names)}`];
    const first = { app: 'func-town', sqlServer: 'sql-town' };
    const run = machine({ backend: true });
    expect(await run(stack, 'provision', ...api, ...named(first))).toMatchObject(done);
    expect(await run(stack, 'provision', ...api, ...named({ ...first, app: 'func-other' }))).toMatchObject({
      code: 2,
      said: expect.stringContaining('resourceNames.app: func-town; this run: func-other'),
    });
    expect(await run(stack, 'provision', ...api, ...named({ app: 'func-town' }))).toMatchObject({
      code: 2,
      said: expect.stringContaining('resourceNames.sqlServer: sql-town; this run: made of the environment'),
    });
    const withGreen = named({ ...first, greenApp: 'func-town-green' });
    expect(await run(stack, 'provision', ...api, ...withGreen, '--set', 'greenApp=true')).toMatchObject(done);
  });

  test('the group of somebody else is not taken over, and teardown leaves it', async () => {
    const { azure, machine } = await begin();
    azure.addGroup('rg-office', { environment: 'office' });
    azure.addGroup('rg-shop');
    for (const name of ['rg-office', 'RG-Shop']) {
      const named = ['--set', `resourceNames={"resourceGroup":"${name}"}`];
      for (const step of ['provision', 'teardown'])
        expect(await machine()(stack, step, ...api, ...named)).toMatchObject({
          code: 2,
          said: expect.stringMatching(/is there and is not one of dev/),
        });
    }
    expect(await machine()(stack, 'provision', ...api)).toMatchObject(done);
    expect(azure.groups.get('rg-office')).toMatchObject({ environment: 'office' });
    expect(azure.groups.size).toBe(3);
  });

  test('the group of another product with the tag of this environment is not taken over, nor removed', async () => {
    const { azure, machine } = await begin();
    azure.addGroup('rg-shop', { environment: 'dev' });
    for (const step of ['provision', 'teardown'])
      expect(
        await machine()(stack, step, ...api, '--set', 'resourceNames={"resourceGroup":"rg-shop"}'),
      ).toMatchObject({ code: 2, said: expect.stringMatching(/is there and is not one of dev/) });
    expect(azure.groups.get('rg-shop')).toMatchObject({ stack: null });
  });

  test('in a group that was there before it is there once too, whoever says otherwise', async () => {
    const { azure, machine } = await begin();
    azure.addGroup('rg-town');
    azure.addGroup('rg-village');
    const into = (group: string) => ['--set', `existingResourceGroupName=${group}`];
    const run = machine({ backend: true });
    expect(await run(stack, 'provision', ...api, ...into('rg-town'))).toMatchObject(done);
    const others: readonly (readonly [stack: string, ...words: string[]])[] = [
      ...(hasBoth ? [[other[stack], ...into('rg-town')] as const] : []),
      [stack, ...into('rg-town'), '--set', 'location=northeurope'],
      [stack, ...into('rg-village')],
      [stack],
    ];
    for (const [named, ...more] of others) {
      const { code, said } = await machine()(named, 'provision', ...api, ...more);
      expect({ code, said: /rg-town|westeurope/.test(said) }).toEqual({ code: 2, said: true });
    }
    expect(await run(stack, 'provision', ...api, ...into('RG-Town'))).toMatchObject({ code: 2 });
    expect(await run(stack, 'provision', ...api, ...into('rg-town'))).toMatchObject(done);
    expect([...azure.groups]).toEqual([
      ['rg-town', expect.objectContaining({ environment: null })],
      ['rg-village', expect.objectContaining({ environment: null })],
    ]);
    expect([...azure.identities.keys()]).toEqual(['rg-town/id']);
  });

  test('a value that an earlier version took, and this one no longer has, keeps nobody out', async () => {
    const { azure, machine } = await begin();
    const run = machine({ backend: true });
    expect(await run(stack, 'provision', ...api)).toMatchObject(done);
    azure.rewriteOutputs((outputs) => {
      const last = JSON.parse(String(outputs['DEPLOYED_AS']));
      const values = { ...last.values, ofVersion03: 'yes', resourceNames: '{"greenApp":"func-g"}' };
      return { ...outputs, DEPLOYED_AS: JSON.stringify({ ...last, values }) };
    });
    const named = ['--set', 'resourceNames={}'];
    expect(await run(stack, 'provision', ...api, ...named)).toMatchObject(done);
  });

  test('an environment that is there twice is named with both groups, and neither is touched', async () => {
    const { azure, machine } = await begin();
    azure.addGroup('rg-dev-aaaaaaaaaaaaa', { environment: 'dev', stack, location: 'westeurope' });
    azure.addGroup('rg-dev-bbbbbbbbbbbbb', { environment: 'dev', stack, location: 'northeurope' });
    for (const step of ['provision', 'teardown']) {
      const { code, said } = await machine()(stack, step, ...api);
      expect(code).toBe(2);
      expect(said).toMatch(/rg-dev-aaaaaaaaaaaaa \(westeurope\), rg-dev-bbbbbbbbbbbbb \(northeurope\)/);
    }
    expect(azure.groups.size).toBe(2);
  });

  test('the file of an environment goes before what the last run was told, but for what the environment is', async () => {
    const { azure, machine } = await startAzure();
    const file: Environment = {
      profile: 'dev',
      stack,
      location: 'westeurope',
      values: {
        apiClientId: 'api',
        sqlAdministratorLogin: 'admins',
        sqlAdministratorObjectId: '1',
        serviceApiUsername: 'service',
        calendarBackup: true,
        resourceNames: { app: 'func-town' },
      },
      entraValues: {},
    };
    const run = (change: Partial<Environment>) =>
      machine({ backend: true, environments: { dev: { ...file, ...change } } })([
        'provision',
        '-e',
        'dev',
        ...quick,
      ]);
    const without = { ...file.values, calendarBackup: false };
    expect(await run({})).toMatchObject(done);
    expect(await run({ values: without })).toMatchObject(done);
    expect(await run({ location: 'northeurope' })).toMatchObject({
      code: 2,
      said: expect.stringMatching(/westeurope[\s\S]*northeurope/),
    });
    expect(await run({ stack: other[stack] })).toMatchObject({ code: 2 });
    expect(await run({ values: { ...without, resourceNames: {} } })).toMatchObject({
      code: 2,
      said: expect.stringContaining('resourceNames.app: func-town; this run: made of the environment'),
    });
    expect(await run({ values: { ...without, existingResourceGroupName: 'rg-town' } })).toMatchObject({
      code: 2,
    });
    expect(azure.groups.size).toBe(1);
  });
});

test.runIf(hasBoth).each(stackNames)(
  'a group of an earlier version, which has no tag of its stack, tells it by its name: %s',
  async (stack) => {
    const { azure, machine } = await begin();
    const name = { bicep: 'rg-dev-abcdefg234567', terraform: 'rg-dev-0123456789abc' }[stack];
    azure.addGroup(name, { environment: 'dev' });
    expect(await machine()(other[stack], 'provision', ...api)).toMatchObject({
      code: 2,
      said: expect.stringContaining(`was made with ${stack} (resource group ${name})`),
    });
  },
);

test('outputs that a pipeline was given of another stack or region are refused with both values', async () => {
  const record = { stack: defaultStack, profile: 'dev', location: 'westeurope', values: {} };
  const outputs = { ...made, DEPLOYED_AS: JSON.stringify(record) };
  const run = (...more: string[]) =>
    runDeploy(['users', '-e', 'dev', '--dry-run', ...more], playTools({}), given(outputs));
  if (hasBoth)
    expect(await run('--stack', other[defaultStack])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`stack: ${defaultStack}; this run: ${other[defaultStack]}`),
    });
  expect(await run('--set', 'location=northeurope')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('location: westeurope; this run: northeurope'),
  });
});
