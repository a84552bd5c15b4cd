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
