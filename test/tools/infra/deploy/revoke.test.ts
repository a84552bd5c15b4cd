/** Rights that stay: what `drift` says of them, what `revoke` takes away, and what it must leave. */

import { describe, expect, test } from 'vitest';
import { defaultStack, stackNames } from '../../../../infra/deploy/environments.ts';
import { startAzure } from '../../../support/deploying-machines.ts';
import type { RememberedAzure } from '../../../support/remembered-azure.ts';
import { quick, values } from './fixtures.ts';

const known = ['-e', 'dev', '--max-attempts', '2', '--set', 'apiClientId=api', ...values, ...quick];
const ownCalendar = ['--set', 'calendarApp=true'];
const done = { code: 0, failure: '' };

/** An environment, on whose only group the test looks. */
async function begin(stack: string) {
  const { azure, machine } = await startAzure();
  const run = machine({ backend: true });
  const deploy = (step: string, ...more: string[]) => run([step, '--stack', stack, ...known, ...more]);
  expect(await deploy('provision')).toMatchObject(done);
  const [[name, group] = []] = [...azure.groups];
  if (name === undefined || group === undefined) throw new Error('Nothing was made.');
  const scope = `/subscriptions/sub-1/resourceGroups/${name}/providers/Microsoft.Storage/storageAccounts/stdata`;
  return { azure, machine, deploy, name, group, scope };
}

const removals = ({ calls }: RememberedAzure) =>
  calls.filter((call) => /^az (?:role assignment|lock) (?:delete|create) /.test(call));

describe.each(stackNames)('with %s', (stack) => {
  test('a right that the templates no longer give is told, and taken away from below its lock', async () => {
    const { azure, deploy, group, name, scope } = await begin(stack);
    const calendar = `${scope}/tableServices/default/tables/calendar`;
    const locks = [...group.locks];
    const provision = await deploy('provision', ...ownCalendar);
    if (stack === 'bicep') expect(provision).toMatchObject(done);
    else
      expect(provision).toMatchObject({ code: 1, said: expect.stringContaining('deploy -- revoke takes') });
    expect(await deploy('drift', ...ownCalendar)).toMatchObject({
      code: 1,
      said: expect.stringContaining(`id: has the role contributor on ${calendar}, which no template lists`),
    });
    expect(await deploy('revoke', ...ownCalendar)).toMatchObject(done);
    expect(azure.groups.get(name)?.assignments.map(({ role }) => role)).toEqual(['publisher']);
    expect(azure.groups.get(name)?.locks).toEqual(locks);
    expect(await deploy('provision', ...ownCalendar)).toMatchObject(done);
    expect(await deploy('drift', ...ownCalendar)).toMatchObject(done);
    const before = removals(azure).length;
    expect(await deploy('revoke', ...ownCalendar)).toMatchObject(done);
    expect(removals(azure)).toHaveLength(before);
  });

  test('a right that somebody has given by hand is told and taken away, without a touch of locks', async () => {
    const { azure, deploy, group, scope } = await begin(stack);
    const host = scope.replace('stdata', 'sthost');
    group.assignments.push({ scope: host, role: 'owner', principalId: 'p' });
    expect(await deploy('drift')).toMatchObject({
      code: 1,
      said: expect.stringContaining(`owner on ${host}`),
    });
    expect(await deploy('revoke')).toMatchObject(done);
    expect(removals(azure)).toEqual([
      `az role assignment delete --ids ${host}/providers/Microsoft.Authorization/roleAssignments/owner-p`,
    ]);
    expect(await deploy('drift')).toMatchObject(done);
  });

  test('leaves what others have, and what the identities have elsewhere', async () => {
    const { azure, deploy, group, name, scope } = await begin(stack);
    const trusted = new Map<string, string>();
    const identities = {
      person: undefined,
      ofProd: { 'azd-env-name': 'prod', 'deployed-with': stack },
      ofOtherProduct: { 'azd-env-name': 'dev' },
      untagged: {},
    };
    for (const [principalId, tags] of Object.entries(identities)) {
      if (tags !== undefined)
        azure.identities.set(`${name}/${principalId}`, { clientId: '', principalId, tags, trusted });
      group.assignments.push({ scope, role: 'owner', principalId });
    }
    group.assignments.push(
      { scope: '/subscriptions/sub-1', role: 'reader', principalId: 'p' },
      { scope: `/subscriptions/sub-1/resourceGroups/${name}-2/x`, role: 'reader', principalId: 'p' },
    );
    const there = [...group.assignments];
    expect(await deploy('drift')).toMatchObject(done);
    expect(await deploy('revoke')).toMatchObject(done);
    expect({ there: group.assignments, removals: removals(azure) }).toEqual({ there, removals: [] });
  });

  test.each(['--dry-run', 'no answer', 'a lock of others', 'another subscription', 'two environments'])(
    'takes nothing away: %s',
    async (reason) => {
      const { azure, deploy, machine, group, scope } = await begin(stack);
      group.assignments.push({ scope, role: 'owner', principalId: 'p' });
      const there = [...group.assignments];
      if (reason === 'a lock of others')
        group.locks.push(`${scope}/providers/Microsoft.Authorization/locks/of-audit`);
      if (reason === 'two environments')
        azure.addGroup('rg-dev-bbbbbbbbbbbbb', { environment: 'dev', stack, location: 'westeurope' });
      const words = ['revoke', '--stack', stack, ...known];
      const { code, said } =
        reason === 'no answer'
          ? await machine({ backend: true })(words.filter((word) => word !== '--yes'))
          : reason === '--dry-run'
            ? await deploy('revoke', '--dry-run')
            : reason === 'another subscription'
              ? await deploy('revoke', '--set', 'subscriptionId=sub-2')
              : await deploy('revoke');
      expect({ code, there: group.assignments, removals: removals(azure) }).toEqual({
        code: reason === '--dry-run' ? 0 : 2,
        there,
        removals: [],
      });
      if (reason === 'a lock of others') expect(said).toContain('locks/of-audit. Ask who made them.');
    },
  );

  test('takes away and puts back in the bad moments of Azure too', async () => {
    const { azure, deploy, group, name, scope } = await begin(stack);
    group.assignments.push({ scope, role: 'owner', principalId: 'p' });
    const locks = [...group.locks];
    azure.firstAnswers = ['(TooManyRequests) 429', '(InternalServerError) 500'];
    expect(await deploy('revoke')).toMatchObject(done);
    expect(azure.groups.get(name)?.assignments.map(({ role }) => role)).not.toContain('owner');
    expect(azure.groups.get(name)?.locks).toEqual(locks);
  });

  test('puts the lock back where taking away fails, and says which command goes on', async () => {
    const { azure, deploy, group, scope } = await begin(stack);
    group.assignments.push({ scope, role: 'owner', principalId: 'p' });
    const locks = [...group.locks];
    azure.failures.push({ call: /role assignment delete/, words: '(AuthorizationFailed) no right' });
    const { code, said } = await deploy('revoke');
    expect({ code, locks: group.locks }).toEqual({ code: 1, locks });
    expect(said).toContain('go on with: npm run deploy -- revoke');
  });
});

test('says which lock is not there again, and how it is put back, where Azure does not take it', async () => {
  const { azure, deploy, group, scope } = await begin('bicep');
  group.assignments.push({ scope, role: 'owner', principalId: 'p' });
  azure.failures.push({ call: /lock create/, words: '(AuthorizationFailed) no right' });
  const { code, said } = await deploy('revoke');
  expect({ code, locks: group.locks }).toEqual({ code: 1, locks: [] });
  expect(said).toContain(
    `The lock keep-calendar may be missing. Put it back: az lock create --name keep-calendar --lock-type CanNotDelete --resource ${scope} --notes Why.`,
  );
});

test('takes nothing away where the last deployment lists no roles', async () => {
  const { azure, deploy, group } = await begin(defaultStack);
  azure.dropOutput('ROLE_ASSIGNMENTS');
  const there = [...group.assignments];
  const { code, said } = await deploy('revoke');
  expect({ code, there: group.assignments }).toEqual({ code: 2, there });
  expect(said).toContain('The last deployment lists no roles');
});
