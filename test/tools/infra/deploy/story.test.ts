/** What befalls a team over months: steps that fail and are repaired, another month, another machine, an end. */

import { describe, expect, test } from 'vitest';
import { stackNames } from '../../../../infra/deploy/environments.ts';
import { done } from '../../../support/deploying-machines.ts';
import { begin } from './machines.ts';

/** The call of each step of `all` that is made to fail. */
const calls: Readonly<Record<string, RegExp>> = {
  preflight: /account show --query name/,
  entra: /sub create --name records-entra|terraform\/entra apply/,
  provision: /sub create --name records-dev|infra\/terraform apply/,
  migrate: /npm run migrate/,
  accounts: /sql .*tUserSettings \(usrPropID/s,
  users: /sql .*CREATE USER/s,
  package: /npm run package/,
  push: /az resource show/,
  smoke: /get-access-token --resource api/,
};
const nextMonth = new Date('2026-02-03T09:00:00Z');

describe.each(stackNames)('with %s', (stack) => {
  test.each(Object.keys(calls))(
    'a run that fails in the step %s can run again, and in the next month leaves the other steps what they need',
    async (step) => {
      const { azure, machine } = await begin();
      const run = machine();
      const fail = () => azure.failures.push({ call: calls[step] ?? /^$/, words: 'Something is refused.' });
      fail();
      expect(await run(stack, 'all')).toMatchObject({ code: 1 });
      expect(await run(stack, 'all')).toMatchObject(done);
      azure.today = nextMonth;
      fail();
      expect(await run(stack, 'all')).toMatchObject({ code: 1 });
      expect(azure.failures).toEqual([]);
      for (const later of ['outputs', 'migrate', 'push', 'smoke', 'rollback'])
        expect(await run(stack, later)).toMatchObject(done);
      expect(await run(stack, 'all')).toMatchObject(done);
    },
  );

  test('another machine goes on with what the first one made', async () => {
    const { azure, machine } = await begin();
    expect(await machine({ backend: true })(stack, 'all')).toMatchObject(done);
    azure.today = nextMonth;
    const other = machine({ backend: true });
    for (const step of ['outputs', 'push', 'all', 'teardown'])
      expect(await other(stack, step)).toMatchObject(done);
    expect([...azure.groups.keys()]).toEqual([]);
  });

  test('a first run that failed can be torn down, also when that stops half way, and begun again', async () => {
    const { azure, machine } = await begin();
    const run = machine();
    azure.failures.push({ call: calls['provision'] ?? /^$/, words: 'QuotaExceeded' });
    expect(await run(stack, 'all')).toMatchObject({ code: 1 });
    const outputs = await run(stack, 'outputs');
    expect(outputs).toMatchObject({ code: 1 });
    expect(outputs.said).toContain('No deployment of dev has succeeded');
    azure.failures.push({ call: /group delete/, words: 'Something is refused.' });
    expect(await run(stack, 'teardown')).toMatchObject({ code: 1 });
    expect(await run(stack, 'teardown')).toMatchObject(done);
    expect({ groups: azure.groups.size, taken: azure.deletedGateways }).toEqual({ groups: 0, taken: [] });
    expect(await run(stack, 'teardown')).toMatchObject(done);
    azure.today = nextMonth;
    expect(await run(stack, 'all')).toMatchObject(done);
  });
});

test('Bicep goes on with an environment that azd has made', async () => {
  const { azure, machine } = await begin();
  const run = machine();
  azure.makeByOtherTool('dev', '2025-11-01');
  expect((await run('bicep', 'outputs')).said).toContain('run the step provision first');
  for (const step of ['provision', 'outputs', 'push', 'all', 'teardown']) {
    expect(await run('bicep', step)).toMatchObject(done);
    if (step !== 'teardown')
      expect([...azure.groups.values()]).toEqual([expect.objectContaining({ budgetStart: '2025-11-01' })]);
  }
  expect(azure.groups.size).toBe(0);
});

test('Bicep counts on from its own runs, among what people and other environments have deployed', async () => {
  const { azure, machine } = await begin();
  const run = machine();
  expect(await run('bicep', 'provision', '--set', 'apiClientId=api')).toMatchObject(done);
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
  expect((await run('bicep', 'outputs')).said).toContain('rg-of-run-10');
  expect(await run('bicep', 'provision', '--set', 'apiClientId=api')).toMatchObject(done);
  expect(azure.deployments.at(-1)).toMatchObject({ name: 'records-dev-12', state: 'Succeeded' });
});

test('a run of another machine that never ends is named, with how to end it, and nothing is deployed', async () => {
  const { azure, machine } = await begin();
  azure.begin('records-dev-4');
  const run = await machine()('bicep', 'provision', '--set', 'apiClientId=api');
  expect(run).toMatchObject({ code: 1, said: expect.stringContaining('records-dev-4 is Running') });
  expect(run.said).toContain('az deployment sub cancel --name records-dev-4');
  expect(azure.deployments).toHaveLength(1);
});

test.each(['Accepted', 'Validating', 'Running'])(
  'Bicep waits for a run of another machine, whatever its name, in the state %s',
  async (state) => {
    const { azure, machine } = await begin();
    azure.begin('records-dev-20260120T080000', state);
    let listed = 0;
    azure.whenListed = () => {
      listed += 1;
      if (listed > 8) azure.end('records-dev-20260120T080000');
    };
    expect(await machine()('bicep', 'all')).toMatchObject({
      ...done,
      said: expect.stringContaining('another deployment is at work'),
    });
  },
);

test('of two runs with Bicep that begin at once on two machines one waits, though neither has seen the other', async () => {
  const { azure, machine } = await begin();
  const words = ['bicep', 'provision', '--set', 'apiClientId=api'] as const;
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
