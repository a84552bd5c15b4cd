import { describe, expect, test } from 'vitest';
import { stackNames } from '../../../../infra/deploy/environments.ts';
import { playTools, runDeploy } from '../../../support/deploy-run.ts';
import { changesIn, forgetting, groupOfDev, groupsListed, made, quick, toolsOf } from './fixtures.ts';

describe('the step teardown', () => {
  test('asks to be sure', async () => {
    const tools = playTools(toolsOf(made));
    const { code, stderr } = await runDeploy(['teardown', '-e', 'dev'], tools);
    expect({ code, calls: tools.calls() }).toEqual({ code: 2, calls: [] });
    expect(stderr).toContain('This deletes the databases and the calendar of dev: add --yes');
  });

  const removals = (calls: readonly string[]) => calls.filter((call) => / (?:delete|purge) /.test(call));
  const group = 'rg-of-others';
  const ofDev = '/subscriptions/s/resourceGroups/rg-dev';
  const lockOn = (scope: string, name: string) => ({
    id: `${scope}/providers/Microsoft.Authorization/locks/${name}`,
    name,
    level: 'CanNotDelete',
    notes: null,
  });
  const data = lockOn(`${ofDev}/providers/Microsoft.Storage/storageAccounts/stdata`, 'keep-calendar');
  const backups = lockOn(`${ofDev}/providers/Microsoft.Storage/storageAccounts/stbackup`, 'keep-backups');
  const lists = (call: string, ...items: readonly object[]) =>
    `if (call.startsWith('${call} list')) console.log(${JSON.stringify(JSON.stringify(items))});`;
  const locksListed = (...locks: readonly object[]) => lists('lock', ...locks);
  const deletedIn = (group: string) =>
    lists('apim deletedservice', {
      location: 'West Europe',
      service: `/subscriptions/s/resourceGroups/${group}/providers/Microsoft.ApiManagement/service/apim-dev`,
    });
  const gateway = locksListed(data, backups) + deletedIn('RG-dev');

  describe.each(stackNames)('with %s', (stack) => {
    const words = ['teardown', '-e', 'dev', '--stack', stack, ...quick];

    test('removes locks, then the group, then the name of the gateway, then what the stack knows of it', async () => {
      const there = groupsListed(groupOfDev);
      const tools = playTools(toolsOf({ ...made, GATEWAY_NAME: 'apim-dev' }, gateway + there));
      expect((await runDeploy(words, tools)).code).toBe(0);
      expect(changesIn(tools.calls())).toEqual([
        `az lock delete --ids ${data.id} ${backups.id}`,
        'az group delete --name rg-dev --yes',
        'az apim deletedservice purge --service-name apim-dev --location West Europe',
        ...forgetting[stack],
      ]);
    });

    test('tries again while Azure holds the subnet of the app, which is gone already', async () => {
      const groupStays = `${groupsListed(groupOfDev)}
        if (call.startsWith('group delete') && !fs.existsSync(__dirname + '/asked')) {
          fs.writeFileSync(__dirname + '/asked', '');
          console.error('(InUseSubnetCannotBeDeleted) Subnet snet-app is in use by serviceAssociationLinks/legionservicelink');
          process.exit(1);
        }`;
      const tools = playTools(toolsOf(made, groupStays));
      expect((await runDeploy(words, tools)).code).toBe(0);
      expect(removals(tools.calls()).filter((call) => call.includes('group delete'))).toHaveLength(2);
    });

    test('goes on where an earlier one stopped', async () => {
      const gone = groupsListed();
      const tools = playTools(toolsOf({ ...made, GATEWAY_NAME: 'apim-dev' }, gateway + gone));
      expect((await runDeploy(words, tools)).code).toBe(0);
      expect(changesIn(tools.calls())).toEqual([
        'az apim deletedservice purge --service-name apim-dev --location West Europe',
        ...forgetting[stack],
      ]);
    });

    const locks = locksListed(data);

    test.each([
      ['the outputs say so', { ...made, AZURE_RESOURCE_GROUP: group, RESOURCE_GROUP_MADE: false }, []],
      ['the values name it', {}, ['--set', `existingResourceGroupName=${group}`]],
      [
        'the values name another',
        { ...made, GATEWAY_NAME: 'apim' },
        ['--set', 'existingResourceGroupName=rg-2'],
      ],
    ])('leaves a group that was there before, with its locks: %s', async (_, outputs, more) => {
      const there = groupsListed({ ...groupOfDev, name: group }, groupOfDev);
      const tools = playTools(toolsOf(outputs, there + locks));
      const { code, stderr } = await runDeploy([...words, ...more], tools);
      expect({ code, removed: removals(tools.calls()) }).toEqual({ code: 2, removed: [] });
      expect(stderr).toMatch(/was there before this deployment and stays|is in the resource group/);
    });

    test.each([
      ['of another environment', 'prod'],
      ['without its tag', null],
    ])('leaves the group of its outputs where Azure says that it is one %s', async (_, environment) => {
      const there = groupsListed({ ...groupOfDev, environment });
      const tools = playTools(toolsOf(made, there + locks));
      const { code, stderr } = await runDeploy(words, tools);
      expect({ code, removed: removals(tools.calls()) }).toEqual({ code: 2, removed: [] });
      expect(stderr).toContain(
        `rg-dev is not one of dev: its tag azd-env-name is ${environment ?? 'missing'}. Nothing was removed.`,
      );
    });

    test.each([
      ['on the group', lockOn(ofDev, 'of-audit')],
      ['on the subscription', lockOn('/subscriptions/s', 'keep-calendar')],
      ['in the group', lockOn(`${ofDev}/providers/Microsoft.Sql/servers/sql`, 'of-audit')],
    ])('leaves an environment that somebody else has locked, with its own locks: %s', async (_, other) => {
      const there = groupsListed(groupOfDev) + locksListed(data, other);
      const tools = playTools(toolsOf(made, there));
      const { code, stderr } = await runDeploy(words, tools);
      expect({ code, removed: removals(tools.calls()) }).toEqual({ code: 2, removed: [] });
      expect(stderr).toContain(`hold rg-dev: ${other.id}. Ask who made them. Nothing was removed.`);
    });

    test('leaves the deleted gateway of somebody else, which could be brought back, though it has the name', async () => {
      const there = groupsListed(groupOfDev) + deletedIn('rg-dev2');
      const outputs = { ...made, GATEWAY_NAME: 'apim-dev' };
      const tools = playTools(toolsOf(outputs, there));
      expect((await runDeploy(words, tools)).code).toBe(0);
      expect(removals(tools.calls()).filter((call) => call.includes(' purge '))).toEqual([]);
    });

    test('leaves groups that others have given the same tag, and says so', async () => {
      const there = groupsListed({ ...groupOfDev, name: 'rg-shop-dev' });
      const tools = playTools({ az: `${there}${locks}`, terraform: '' });
      const { stdout } = await runDeploy(words, tools);
      expect(removals(tools.calls()).filter((call) => call.startsWith('az'))).toEqual([]);
      const named = [...words, '--set', 'resourceNames={"resourceGroup":"rg-shop-dev"}'];
      const ofNamed = playTools({ az: `${there}${locks}`, terraform: '' });
      expect((await runDeploy(named, ofNamed)).code).toBe(2);
      expect(removals(ofNamed.calls())).toEqual([]);
      if (stack === 'bicep')
        expect(stdout).toContain(
          'Left alone, since their names are not those of the templates: rg-shop-dev.',
        );
    });
  });
});
