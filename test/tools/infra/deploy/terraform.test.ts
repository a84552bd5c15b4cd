/** What Terraform alone does: workspaces, and a state that may be elsewhere. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../../../infra/deploy/root.ts';
import { resourceProviders } from '../../../../infra/deploy/stacks/providers.ts';
import { playTools, runDeploy } from '../../../support/deploy-run.ts';
import { done } from '../../../support/deploying-machines.ts';
import { changesIn, groupOfDev, groupsListed, quick, values } from './fixtures.ts';
import { begin } from './machines.ts';

const subscription = `if (call.startsWith('account show --query id')) console.log('sub-1');`;

test('provision selects the workspace and applies, in the selected subscription', async () => {
  const terraform = `if (call.includes('apply')) fs.writeFileSync(__dirname + '/subscription', process.env.ARM_SUBSCRIPTION_ID);
    if (call.endsWith('entra output -json')) console.log('{"API_CLIENT_ID":{"value":"api"}}');
    else if (call.endsWith('output -json')) console.log('{}');`;
  const tools = playTools({ terraform, az: subscription });
  const more = ['-e', 'prod', '--stack', 'terraform', '--set', 'alertEmails=["a@example.org"]'];
  expect((await runDeploy(['provision', ...values, ...more, ...quick], tools)).code).toBe(0);
  expect(readFileSync(join(tools.folder, 'subscription'), 'utf8')).toBe('sub-1');
  const calls = tools.calls().filter((call) => call.startsWith('terraform'));
  const apply = calls.findIndex((call) => call.includes(' apply '));
  expect(calls.slice(apply - 2, apply)).toEqual([
    'terraform -chdir=infra/terraform init -input=false',
    'terraform -chdir=infra/terraform workspace select -or-create=true prod',
  ]);
  expect(calls[apply]).toBe(
    'terraform -chdir=infra/terraform apply -auto-approve -var-file=../profiles/prod.tfvars.json -var=location=westeurope -var=sql_administrator_login=admins -var=sql_administrator_object_id=1 -var=service_api_username=service -var=calendar_site_url=https://example.org -var=alert_emails=["a@example.org"] -var=api_client_id=api -var=deployed_as={"stack":"terraform","profile":"prod","location":"westeurope","values":{"alertEmails":"[\\"a@example.org\\"]","calendarSiteUrl":"https://example.org","serviceApiUsername":"service","sqlAdministratorLogin":"admins","sqlAdministratorObjectId":"1"}} -var=environment_name=prod',
  );
});

test('the step entra makes the registration, with what --entra-set says', async () => {
  const tools = playTools({ terraform: '', az: subscription });
  const words = 'entra -e dev --stack terraform --set location=x --entra-set redirectUris=[] --wait 0 --yes';
  expect((await runDeploy(words, tools)).code).toBe(0);
  expect(changesIn(tools.calls())).toEqual([
    'terraform -chdir=infra/terraform/entra apply -auto-approve -var=redirect_uris=[] -var=deployed_as={"redirectUris":"[]"} -var=environment_name=dev -var=subscription_id=sub-1',
  ]);
});

describe('the step teardown', () => {
  const inTerraform = 'teardown -e dev --stack terraform --yes';
  const forgotten = [
    'terraform -chdir=infra/terraform workspace select default',
    'terraform -chdir=infra/terraform workspace delete -force dev',
  ];

  test('removes the group, which Terraform itself may not, and then its state', async () => {
    const terraform = `if (call.includes('output')) console.log('{"AZURE_RESOURCE_GROUP":{"value":"rg-dev"}}');
      if (call.includes('state list')) console.log('azurerm_resource_group.main');`;
    const lock = '/s/resourceGroups/rg-dev/x/providers/Microsoft.Authorization/locks/keep-calendar';
    const locks = JSON.stringify([{ id: lock, name: 'keep-calendar' }]);
    const locked = `${groupsListed(groupOfDev)} if (call.startsWith('lock list')) console.log('${locks}');`;
    const tools = playTools({ terraform, az: locked });
    expect((await runDeploy(inTerraform, tools)).code).toBe(0);
    expect(tools.calls().filter((call) => / delete |select default/.test(call))).toEqual([
      `az lock delete --ids ${lock}`,
      'az group delete --name rg-dev --yes',
      ...forgotten,
    ]);
  });

  test('removes nothing where there is nothing', async () => {
    const tools = playTools({ terraform: '', az: '' });
    expect((await runDeploy(inTerraform, tools)).code).toBe(0);
    expect(tools.calls().filter((call) => / delete |select default/.test(call))).toEqual(forgotten);
  });

  test('touches nothing while the Azure CLI looks into another subscription', async () => {
    const tools = playTools({ terraform: '', az: `console.log('sub-1')` });
    const other = { ARM_SUBSCRIPTION_ID: 'sub-2' };
    const { code, stderr } = await runDeploy(inTerraform, tools, other);
    expect({ code, calls: tools.calls().length }).toEqual({ code: 2, calls: 1 });
    expect(stderr).toContain('az account set --subscription sub-2');
  });

  test('touches nothing where Terraform would work in another subscription than the one of the file', async () => {
    const tools = playTools({ terraform: '', az: `console.log('SUB-1')` });
    const town = { profile: 'dev', stack: 'terraform', location: 'x', values: {}, entraValues: {} } as const;
    const run = (file: { subscription: string }, variable: string) =>
      runDeploy(inTerraform, tools, { ARM_SUBSCRIPTION_ID: variable }, { dev: { ...town, ...file } });
    for (const [subscription, variable] of [
      ['sub-1', 'sub-2'],
      ['sub-2', 'sub-1'],
    ] as const) {
      const { code, stderr } = await run({ subscription }, variable);
      expect({ code, said: stderr.includes('says the subscription sub-2') }).toEqual({ code: 2, said: true });
    }
    expect(tools.calls().filter((call) => !call.startsWith('az account show'))).toEqual([]);
  });

  test('keeps everything where the state is elsewhere', async () => {
    const tools = playTools({
      terraform: '',
      az: groupsListed({ ...groupOfDev, name: 'rg-dev-0123456789abc' }),
    });
    const { code, stderr } = await runDeploy(inTerraform, tools);
    expect(code).toBe(1);
    expect(stderr).toContain('its resource group rg-dev-0123456789abc is there');
    expect(tools.calls().some((call) => call.includes(' delete '))).toBe(false);
  });
});

test('a machine without the state of the first machine says so, and removes nothing', async () => {
  const { azure, machine } = await begin();
  expect(await machine()('terraform', 'all')).toMatchObject(done);
  const other = machine();
  const provisioned = await other('terraform', 'all');
  expect(provisioned.code).toBe(1);
  expect(provisioned.said).toContain('give the state with --backend-config');
  expect((await other('terraform', 'teardown')).code).toBe(1);
  expect(azure.groups.size).toBe(1);
});

test('registers the resource providers that the script registers for Bicep', () => {
  const text = readFileSync(join(root, 'infra/terraform/versions.tf'), 'utf8');
  const list = /resource_providers_to_register = \[([^\]]*)\]/.exec(text)?.[1] ?? '';
  const names = [...list.matchAll(/"([\w.]+)"/g)].map(([, name]) => name);
  expect(names.sort()).toEqual([...resourceProviders].sort());
});
