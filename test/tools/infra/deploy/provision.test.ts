import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type PlayedTools, playTools, runDeploy } from '../../../support/deploy-run.ts';
import { done, startAzure } from '../../../support/deploying-machines.ts';
import { az, made, quick, values } from './fixtures.ts';

const firstOfMonth = `${new Date().toISOString().slice(0, 7)}-01`;

const provision = (tools: PlayedTools, ...more: string[]) =>
  runDeploy(['provision', '-e', 'dev', ...values, ...more, ...quick], tools, { ARM_SUBSCRIPTION_ID: '' });

describe('the step provision', () => {
  test('with Bicep registers providers and creates the deployment, again while the directory lags', async () => {
    const lagging = `if (call.startsWith('deployment sub create') && before === 0) {
      console.error('PrincipalNotFound: Principal does not exist in the directory'); process.exit(1); }
      if (call.startsWith('deployment sub create')) fs.writeFileSync(__dirname + '/environment', process.env.API_CLIENT_ID + ' ' + process.env.SERVICE_API_USERNAME);`;
    const tools = playTools({ az: az(made, lagging) });
    const { code, stdout } = await provision(tools, '--set', 'greenApp=true');
    expect(code).toBe(0);
    expect(stdout).toContain('records-dev: not yet (try 1 of 8)');
    expect(readFileSync(join(tools.folder, 'environment'), 'utf8')).toBe('api service');
    expect(tools.calls()).toContain('az provider register --namespace Microsoft.App --wait');
    const creation = `az deployment sub create --name records-dev-1 --location westeurope --parameters infra/bicep/main.bicepparam --parameters budgetStartDate=${firstOfMonth} --parameters greenApp=true --output none`;
    const creations = tools.calls().filter((call) => call.includes('sub create'));
    expect(creations).toEqual([creation, creation]);
  });

  test('with Bicep shows first what would change, and deploys it when somebody says yes', async () => {
    const { azure, machine } = await startAzure();
    const words = ['provision', '-e', 'dev', ...values, '--set', 'apiClientId=api', '--wait', '0'];
    const refused = await machine()(words);
    expect(refused).toMatchObject({ code: 2, said: expect.stringContaining('Nothing was deployed') });
    expect(azure.calls.filter((call) => call.includes('sub what-if'))).toHaveLength(1);
    expect(azure.deployments).toEqual([]);
    expect(await machine({ answer: true })(words)).toMatchObject(done);
    expect(azure.deployments).toEqual([expect.objectContaining({ state: 'Succeeded' })]);
  });

  test('with Bicep keeps the first day of the budget that Azure has, which cannot be changed, also for drift and preview', async () => {
    const budget = `if (call.startsWith('rest --method get --url /subscriptions/{subscriptionId}/resourceGroups/rg-dev/')) console.log('2026-08-01T00:00:00Z'); else `;
    for (const step of ['provision', 'preview', 'drift']) {
      const tools = playTools({ az: budget + az({ ...made, APP_CONFIGURATION: [] }) });
      expect((await runDeploy([step, '-e', 'dev', ...values, ...quick], tools)).code).toBe(0);
      const [call] = tools.calls().filter((line) => /sub (create|what-if)/.test(line));
      expect(call).toContain('--parameters budgetStartDate=2026-08-01');
    }
  });

  test('drift names what differs, and leaves out what what-if reports without a difference', async () => {
    const site = '/subscriptions/s/resourceGroups/rg-dev/providers/Microsoft.Web/sites/func-dev';
    const drift = (...paths: string[]) => {
      const delta = paths.map((path) => ({ path, propertyChangeType: 'Modify' }));
      const changes = [{ resourceId: site, changeType: 'Modify', delta }];
      const whatIf = `if (call.includes('what-if') && call.includes('json')) console.log(${JSON.stringify(JSON.stringify({ changes }))});`;
      const tools = playTools({ az: az({ ...made, APP_CONFIGURATION: [] }, whatIf) });
      return runDeploy(['drift', '-e', 'dev', ...values, ...quick], tools);
    };
    expect((await drift('properties.siteConfig.minTlsVersion')).code).toBe(0);
    const { code, stdout } = await drift('properties.siteConfig.cors', 'properties.httpsOnly');
    expect({ code, said: stdout.includes(`Modify ${site}: properties.httpsOnly\n`) }).toEqual({
      code: 1,
      said: true,
    });
  });

  test('prints the role assignments when they are left to someone else', async () => {
    const listed = [{ scope: '/s', role: 'r', principalId: 'p', reason: 'Because.' }];
    const tools = playTools({
      az: az({ ...made, ROLE_ASSIGNMENTS_CREATED: false, ROLE_ASSIGNMENTS: listed }),
    });
    const { stdout } = await provision(tools, '--set', 'createRoleAssignments=false');
    expect(stdout).toContain(
      '# Because.\naz role assignment create --name 67de01c8-7be0-585d-97bf-b211545f65bd --role r --scope /s --assignee-object-id p --assignee-principal-type ServicePrincipal\n',
    );
  });

  test.each(['provision', 'preview', 'drift'])(
    'of a production without operators nothing is asked of Azure by %s',
    async (step) => {
      const tools = playTools({ az: az(made) });
      const { code, stderr } = await runDeploy([step, '-e', 'prod', ...values, ...quick], tools);
      expect({ code, refused: stderr.includes('Production needs alertEmails') }).toEqual({
        code: 2,
        refused: true,
      });
      expect(tools.calls()).toEqual([]);
    },
  );
});
