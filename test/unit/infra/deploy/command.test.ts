import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { fakeTools, runScript } from '../../../support/fake-tools.ts';

const root = join(import.meta.dirname, '../../../..');
const script = join(root, 'infra/deploy/main.ts');
const quick = ['--wait', '0', '--yes'];
const values = [
  ...['--set', 'location=westeurope', '--set', 'sqlAdministratorLogin=admins'],
  ...['--set', 'sqlAdministratorObjectId=1', '--set', 'serviceApiUsername=service'],
  ...['--set', 'calendarSiteUrl=https://example.org'],
];

const armOutputs = (outputs: Record<string, unknown>) =>
  JSON.stringify(Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, { value }])));

/** An az that knows both deployments, gives the token `the-token`, and then runs more JavaScript. */
const az = (outputs: Record<string, unknown>, more = '') => `
if (call.startsWith('deployment sub show --name records-entra-')) console.log(${JSON.stringify(armOutputs({ API_CLIENT_ID: 'api' }))});
else if (call.startsWith('deployment sub show')) console.log(${JSON.stringify(armOutputs(outputs))});
else if (call.startsWith('account get-access-token')) console.log('the-token');
${more}`;

const made = {
  AZURE_RESOURCE_GROUP: 'rg-dev',
  FUNCTION_APP_NAME: 'func-dev',
  GREEN_FUNCTION_APP_NAME: 'func-dev-g',
  API_CLIENT_ID: 'api',
  CALENDAR_BASE_PATH: 'events/v1',
};

describe('npm run deploy', () => {
  test('prints help, and refuses what it does not know', async () => {
    const tools = fakeTools({});
    const help = await runScript(script, ['--help'], tools);
    expect({ code: help.code, named: /all .*\n\s+preflight \*/.test(help.stdout) }).toEqual({
      code: 0,
      named: true,
    });
    const unknown = await runScript(script, ['deploy', '-e', 'dev'], tools);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('There is no step deploy; there are: all, preflight, entra, provision');
  });

  test.each(['bicep', 'terraform', 'azd'])(
    'prints every command of %s in a dry run, and runs none',
    async (stack) => {
      const tools = fakeTools({ az: '', terraform: '', azd: '', npm: '' });
      const { code, stdout } = await runScript(
        script,
        ['all', '-e', 'dev', '--stack', stack, '--dry-run'],
        tools,
      );
      expect({ code, calls: tools.calls() }).toEqual({ code: 0, calls: [] });
      const steps = [...stdout.matchAll(/^== (\w+):/gm)].map(([, name]) => name);
      expect(steps).toEqual([
        'preflight',
        'entra',
        'provision',
        'migrate',
        'accounts',
        'users',
        'package',
        'push',
        'smoke',
      ]);
      expect(stdout).toContain(
        stack === 'bicep' ? 'az deployment sub create --name records-dev' : `${stack} `,
      );
      expect(stdout).toContain('TYPE = E;');
    },
  );

  test('says what is missing before it changes anything', async () => {
    const tools = fakeTools({ az: az(made) });
    const { code, stderr } = await runScript(
      script,
      ['provision', '-e', 'dev', '--set', 'location=x'],
      tools,
    );
    expect(code).toBe(2);
    expect(stderr).toContain('--set serviceApiUsername=...   or the variable SERVICE_API_USERNAME');
    expect(tools.calls().filter((call) => !call.includes(' show '))).toEqual([]);
  });

  test('names a tool that is not there', async () => {
    const tools = fakeTools({});
    const { code, stderr } = await runScript(script, ['smoke', '-e', 'dev'], tools, { PATH: tools.folder });
    expect({ code, stderr: stderr.split('\n')[0] }).toEqual({
      code: 1,
      stderr: 'Cannot run az: it is not on the PATH. Install the Azure CLI (https://aka.ms/azure-cli).',
    });
  });
});

describe('the step preflight', () => {
  const preflight = (...more: string[]) => [
    'preflight',
    '-e',
    'dev',
    '--set',
    'location=westeurope',
    ...more,
  ];
  const region = (versions: string) =>
    `if (call.startsWith('account show')) console.log('Team'); else if (call.includes('runtimes')) console.log(${JSON.stringify(versions)});`;

  test('passes where the region runs our Node', async () => {
    const tools = fakeTools({ az: region('20\n22\n24') });
    const { code, stdout } = await runScript(script, preflight(), tools);
    expect({ code, said: stdout.includes('Subscription: Team') }).toEqual({ code: 0, said: true });
  });

  test('stops where it does not', async () => {
    const { code, stderr } = await runScript(script, preflight(), fakeTools({ az: region('20\n22') }));
    expect(code).toBe(1);
    expect(stderr).toContain('The region westeurope runs Node 20, 22, not 24.');
  });

  test('stops when nobody is signed in', async () => {
    const az = `if (call.startsWith('account show')) { console.error('Please run az login'); process.exit(1); }`;
    const { stderr } = await runScript(script, preflight(), fakeTools({ az }));
    expect(stderr).toContain('Nobody is signed in: run az login.');
  });

  test('stops where the region cannot spread the app over zones, and only when that is asked for', async () => {
    const zones = (list: string) =>
      `${region('24')} if (call.includes('--zone-redundant')) console.log('${list}');`;
    const asked = ['--set', 'zoneRedundant=true'];
    const { code, stderr } = await runScript(
      script,
      preflight(...asked),
      fakeTools({ az: zones('eastus\\nuksouth') }),
    );
    expect({ code, stderr: stderr.split('\n')[0] }).toEqual({
      code: 1,
      stderr: 'The region westeurope cannot spread the app over zones; others can: eastus, uksouth.',
    });
    expect((await runScript(script, preflight(...asked), fakeTools({ az: zones('West Europe') }))).code).toBe(
      0,
    );
    expect((await runScript(script, preflight(), fakeTools({ az: zones('eastus') }))).code).toBe(0);
  });

  test('stops when nobody is signed in to azd, which has a sign-in of its own', async () => {
    const azd = `if (call === 'auth login --check-status') process.exit(1);`;
    const tools = fakeTools({ az: region('24'), azd });
    const { stderr } = await runScript(script, preflight('--stack', 'azd'), tools);
    expect(stderr).toContain('Nobody is signed in to azd: run azd auth login.');
  });

  test('stops when the tool of the stack is missing', async () => {
    const tools = fakeTools({ az: region('24') });
    const { stderr } = await runScript(script, preflight('--stack', 'azd'), tools, { PATH: tools.folder });
    expect(stderr).toContain('Cannot run azd: it is not on the PATH. Install the Azure Developer CLI');
  });
});

describe('the step entra', () => {
  test('is passed over when a registration is given', async () => {
    const tools = fakeTools({ az: '' });
    const { stdout } = await runScript(script, ['entra', '-e', 'dev', '--set', 'apiClientId=api'], tools);
    expect({ said: stdout.includes('The app registration api is given.'), calls: tools.calls() }).toEqual({
      said: true,
      calls: [],
    });
  });

  test('wants a region', async () => {
    const { code, stderr } = await runScript(script, ['entra', '-e', 'dev'], fakeTools({ az: '' }));
    expect({ code, named: stderr.includes('--set location=') }).toEqual({ code: 2, named: true });
  });

  test('makes the registration, with what --entra-set says', async () => {
    const tools = fakeTools({ az: '' });
    const parameters = [
      'entra',
      '-e',
      'dev',
      '--set',
      'location=x',
      '--entra-set',
      'redirectUris=[]',
      ...quick,
    ];
    await runScript(script, parameters, tools);
    expect(tools.calls()).toEqual([
      'az deployment sub create --name records-entra-dev --location x --parameters infra/bicep/entra/main.bicepparam --parameters redirectUris=[] --output none',
    ]);
  });
});

describe('the step provision', () => {
  test('with Bicep registers providers and creates the deployment, again while the directory lags', async () => {
    const lagging = `if (call.startsWith('deployment sub create') && before === 0) {
      console.error('PrincipalNotFound: Principal does not exist in the directory'); process.exit(1); }
      if (call.startsWith('deployment sub create')) fs.writeFileSync(__dirname + '/environment', process.env.API_CLIENT_ID + ' ' + process.env.SERVICE_API_USERNAME);`;
    const tools = fakeTools({ az: az(made, lagging) });
    const { code, stdout } = await runScript(
      script,
      ['provision', '-e', 'dev', ...values, '--set', 'greenApp=true', ...quick],
      tools,
    );
    expect(code).toBe(0);
    expect(stdout).toContain('records-dev: not yet (try 1 of 8)');
    expect(readFileSync(join(tools.folder, 'environment'), 'utf8')).toBe('api service');
    expect(tools.calls()).toContain('az provider register --namespace Microsoft.App --wait');
    const creation =
      'az deployment sub create --name records-dev --location westeurope --parameters infra/bicep/main.bicepparam --parameters greenApp=true --output none';
    expect(tools.calls().filter((call) => call.includes('sub create'))).toEqual([creation, creation]);
  });

  test('with Bicep keeps the first day of a budget, which Azure refuses to change', async () => {
    const before = { monthlyBudget: { value: 20 }, budgetStartDate: { value: '2026-08-01' } };
    const parameters = `if (call.includes('--query properties.parameters')) console.log(${JSON.stringify(JSON.stringify(before))}); else `;
    const tools = fakeTools({ az: parameters + az(made) });
    expect((await runScript(script, ['provision', '-e', 'dev', ...values, ...quick], tools)).code).toBe(0);
    expect(tools.calls().find((call) => call.includes('sub create'))).toContain(
      '--parameters budgetStartDate=2026-08-01',
    );
  });

  test('with Bicep says which step is missing where there was no deployment', async () => {
    const none = `if (call.startsWith('deployment sub show')) { console.error('(DeploymentNotFound) Deployment could not be found.'); process.exit(3); }`;
    const { code, stderr } = await runScript(
      script,
      ['push', '-e', 'dev', '--package', 'package.json'],
      fakeTools({ az: none }),
    );
    expect({
      code,
      named: stderr.includes('has no output AZURE_RESOURCE_GROUP: run the step provision first'),
    }).toEqual({ code: 1, named: true });
  });

  test('with azd makes the environment in the selected subscription, once', async () => {
    const ids = `if (call.startsWith('account show --query id')) console.log('sub-1');`;
    const listing = (names: string) => `if (call.startsWith('env list')) console.log('${names}');`;
    const provisioned = async (names: string) => {
      const tools = fakeTools({ az: az(made, ids), azd: listing(names) });
      const parameters = ['provision', '-e', 'dev', '--stack', 'azd', ...values, ...quick];
      expect((await runScript(script, parameters, tools)).code).toBe(0);
      return tools.calls();
    };
    const fresh = await provisioned('[]');
    expect(fresh).toContain('azd env new dev --subscription sub-1 --location westeurope --no-prompt');
    expect(fresh).toContain('az provider register --namespace Microsoft.App --wait');
    expect((await provisioned('[{"Name":"dev"}]')).filter((call) => call.includes('env new'))).toEqual([]);
  });

  test('with Terraform selects the workspace and applies, in the selected subscription', async () => {
    const terraform = `if (call.includes('apply')) fs.writeFileSync(__dirname + '/subscription', process.env.ARM_SUBSCRIPTION_ID);
      if (call.endsWith('entra output -json')) console.log('{"API_CLIENT_ID":{"value":"api"}}');
      else if (call.endsWith('output -json')) console.log('{}');`;
    const ids = `if (call.startsWith('account show --query id')) console.log('sub-1');`;
    const tools = fakeTools({ terraform, az: ids });
    const { code } = await runScript(
      script,
      ['provision', '-e', 'prod', '--stack', 'terraform', ...values, ...quick],
      tools,
      { ARM_SUBSCRIPTION_ID: '' },
    );
    expect(code).toBe(0);
    expect(readFileSync(join(tools.folder, 'subscription'), 'utf8')).toBe('sub-1');
    expect(
      tools
        .calls()
        .filter((call) => call.startsWith('terraform'))
        .slice(3, 6),
    ).toEqual([
      'terraform -chdir=infra/terraform init -input=false',
      'terraform -chdir=infra/terraform workspace select -or-create=true prod',
      'terraform -chdir=infra/terraform apply -auto-approve -var-file=../profiles/prod.tfvars.json -var=location=westeurope -var=sql_administrator_login=admins -var=sql_administrator_object_id=1 -var=service_api_username=service -var=calendar_site_url=https://example.org -var=api_client_id=api -var=environment_name=prod',
    ]);
  });

  test('prints the role assignments when they are left to someone else', async () => {
    const listed = [{ scope: '/s', role: 'r', principalId: 'p', reason: 'Because.' }];
    const tools = fakeTools({
      az: az({ ...made, ROLE_ASSIGNMENTS_CREATED: false, ROLE_ASSIGNMENTS: listed }),
    });
    const parameters = [
      'provision',
      '-e',
      'dev',
      ...values,
      '--set',
      'createRoleAssignments=false',
      ...quick,
    ];
    const { stdout } = await runScript(script, parameters, tools);
    expect(stdout).toContain('# Because.\naz role assignment create --role r --scope /s');
  });

  test('fails with the words of the tool', async () => {
    const failing = `if (call.startsWith('deployment sub create')) { console.error('InvalidTemplate: no'); process.exit(3); }`;
    const tools = fakeTools({ az: az(made, failing) });
    const { code, stderr } = await runScript(script, ['provision', '-e', 'dev', ...values, ...quick], tools);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'InvalidTemplate: no\naz failed with exit code 3.\n',
    });
  });
});

test('a pipeline is given the outputs, and asks for no deployment', async () => {
  const tools = fakeTools({ az: az(made) });
  const printed = await runScript(script, ['outputs', '-e', 'dev'], tools);
  const DEPLOYMENT_OUTPUTS = printed.stdout.split('\n')[1] ?? '';
  expect(JSON.parse(DEPLOYMENT_OUTPUTS)).toEqual(made);
  const asked = tools.calls().length;
  const push = ['push', '-e', 'dev', '--package', 'package.json', '--dry-run'];
  const { stdout } = await runScript(script, push, tools, { DEPLOYMENT_OUTPUTS });
  expect(stdout).toContain('--resource-group rg-dev --name func-dev');
  expect(tools.calls().length).toBe(asked);
});

test('the step migrate signs in as the deployer, over an encrypted connection to a server whose certificate is known', async () => {
  const outputs = { ...made, DB_SERVER: 'sql.example.org', DB_NAME: 'r', DB_CUSTOMIZATION_NAME: 'c' };
  const { code, stdout } = await runScript(script, ['migrate', '-e', 'dev', '--dry-run'], fakeTools({}), {
    DEPLOYMENT_OUTPUTS: JSON.stringify(outputs),
  });
  expect(code).toBe(0);
  expect(stdout.split('\n').filter((line) => line.endsWith(' npm run migrate'))).toEqual([
    "DB_SERVER=sql.example.org DB_NAME=r DB_CUSTOMIZATION_NAME=c DB_TRUSTED_CONNECTION=true DB_ENCRYPT=true DB_TRUST_SERVER_CERTIFICATE=false AZURE_CLIENT_ID='' npm run migrate",
  ]);
});

describe('the steps push and rollback', () => {
  const environment = 'pushtest';
  afterEach(() =>
    rmSync(join(root, '.deployments', `${environment}-blue`), { recursive: true, force: true }),
  );

  function packageFile(): string {
    const file = join(mkdtempSync(join(tmpdir(), 'package-')), 'app.zip');
    writeFileSync(file, 'zip');
    return file;
  }

  test('push again while the new role of the app has not spread, and can be taken back', async () => {
    const refusing = `if (call.includes('config-zip') && before < 2) {
      console.error('BlobUploadFailedException: 403 Forbidden'); process.exit(1); }`;
    const tools = fakeTools({ az: az(made, refusing) });
    const file = packageFile();
    const push = ['push', '-e', environment, '--package', file, ...quick];
    const first = await runScript(script, push, tools);
    expect({ code: first.code, tries: first.stdout.match(/push: not yet/g)?.length }).toEqual({
      code: 0,
      tries: 2,
    });

    await runScript(script, push, tools);
    const back = await runScript(script, ['rollback', '-e', environment, ...quick], tools);
    expect(back.code).toBe(0);
    expect(tools.calls().at(-1)).toMatch(
      /config-zip --src \S*[\\/]\.deployments[\\/]pushtest-blue[\\/]\S+\.zip --resource-group rg-dev --name func-dev --output none$/,
    );
    const again = await runScript(script, ['rollback', '-e', environment, ...quick], tools);
    expect(again.stderr).toContain('There is no earlier package');
  });

  test('push to the green app', async () => {
    const tools = fakeTools({ az: az(made) });
    const parameters = ['push', '-e', environment, '--color', 'green', '--package', packageFile(), ...quick];
    expect((await runScript(script, parameters, tools)).code).toBe(0);
    rmSync(join(root, '.deployments', `${environment}-green`), { recursive: true });
    expect(tools.calls().at(-1)).toContain('--name func-dev-g');
  });

  test('say how to make a package', async () => {
    const { stderr } = await runScript(
      script,
      ['push', '-e', environment, '--package', 'no.zip'],
      fakeTools({ az: '' }),
    );
    expect(stderr).toContain('There is no package no.zip: make one with npm run package.');
  });
});

describe('the step smoke', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  type Answer = (request: IncomingMessage, calls: number) => number;

  /** An app that answers with the given status; 401 carries its header. */
  async function startApp(answer: Answer): Promise<string> {
    let calls = 0;
    server = createServer((request, response) => {
      calls += 1;
      const status = answer(request, calls);
      response.writeHead(status, status === 401 ? { 'www-authenticate': 'Bearer' } : {}).end('{}');
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const healthy: Answer = ({ url, headers }) =>
    url?.startsWith('/api/v8.0/') && headers.authorization !== 'Bearer the-token' ? 401 : 200;

  async function smoke(answer: Answer) {
    const FUNCTION_APP_URL = await startApp(answer);
    const tools = fakeTools({ az: az({ ...made, FUNCTION_APP_URL }) });
    return runScript(script, ['smoke', '-e', 'dev', '--wait', '0', '--tries', '3'], tools);
  }

  test('passes when the app answers as it should', async () => {
    const { code, stdout } = await smoke(healthy);
    expect(code).toBe(0);
    expect(stdout.match(/✓ [^(]+/g)?.map((line) => line.slice(2).trim())).toEqual([
      'the app is up',
      'a call without a token is refused',
      'a token is accepted',
      'the databases answer',
      'the calendar answers',
    ]);
    expect(stdout).toMatch(/✓ the app is up \(\d+ ms\)/);
  });

  test('asks for the calendar where the deployment has it', async () => {
    const asked: string[] = [];
    await smoke((request, calls) => {
      asked.push(request.url ?? '');
      return healthy(request, calls);
    });
    expect(asked.at(-1)).toBe('/api/events/v1/events');
  });

  test('goes through the gateway too, but not for the green app', async () => {
    const tools = fakeTools({
      az: az({ ...made, FUNCTION_APP_URL: 'u', GREEN_FUNCTION_APP_URL: 'g', GATEWAY_NAME: 'apim-dev' }),
    });
    const DEPLOYMENT_OUTPUTS =
      (await runScript(script, ['outputs', '-e', 'dev'], tools)).stdout.split('\n')[1] ?? '';
    const called = async (color: string) => {
      const { stdout } = await runScript(
        script,
        ['smoke', '-e', 'dev', '--color', color, '--dry-run'],
        tools,
        { DEPLOYMENT_OUTPUTS },
      );
      return [...stdout.matchAll(/^# calls (.*)$/gm)].map(([, address]) => address);
    };
    expect(await called('blue')).toEqual(['u/api', 'https://apim-dev.azure-api.net/api']);
    expect(await called('green')).toEqual(['g/api']);
  });

  test('waits for an app that is still starting', async () => {
    const { code, stdout } = await smoke((request, calls) => (calls < 3 ? 503 : healthy(request, calls)));
    expect(code).toBe(0);
    expect(stdout).toContain('the app is up: 503 instead of 200: {}; again in 0 s ...');
  });

  test('fails when the app lets everyone in', async () => {
    const { code, stderr } = await smoke(() => 200);
    expect(code).toBe(1);
    expect(stderr).toContain('a call without a token is refused: 200 instead of 401');
  });

  test('fails when a token is refused, and never shows it', async () => {
    const { code, stdout, stderr } = await smoke(({ url }) => (url?.startsWith('/api/v8.0/') ? 401 : 200));
    expect(code).toBe(1);
    expect(stderr).toContain('a token is accepted: 401 instead of 200');
    expect(stdout + stderr).not.toContain('the-token');
  });
});

describe('the step teardown', () => {
  test('asks to be sure', async () => {
    const tools = fakeTools({ az: az(made) });
    const { code, stderr } = await runScript(script, ['teardown', '-e', 'dev'], tools);
    expect({ code, calls: tools.calls() }).toEqual({ code: 2, calls: [] });
    expect(stderr).toContain('This deletes the databases and the calendar of dev: add --yes');
  });

  const changes = (calls: readonly string[]) => calls.filter((call) => !/ (show|list|exists) /.test(call));
  const gateway = `if (call.startsWith('lock list')) console.log('/lock/1\\n/lock/2');
    if (call.startsWith('apim deletedservice list')) console.log('West Europe');`;

  test('removes locks, then the group, then the name of the gateway, then the deployment', async () => {
    const there = `if (call.startsWith('group exists')) console.log('true');`;
    const tools = fakeTools({ az: az({ ...made, GATEWAY_NAME: 'apim-dev' }, gateway + there) });
    expect((await runScript(script, ['teardown', '-e', 'dev', '--yes'], tools)).code).toBe(0);
    expect(changes(tools.calls())).toEqual([
      'az lock delete --ids /lock/1 /lock/2',
      'az group delete --name rg-dev --yes',
      'az apim deletedservice purge --service-name apim-dev --location West Europe',
      'az deployment sub delete --name records-dev',
    ]);
  });

  test('tries again while Azure holds the subnet of the app, which is gone already', async () => {
    const held = `if (call.startsWith('group exists')) console.log('true');
      if (call.startsWith('group delete') && !fs.existsSync(__dirname + '/asked')) {
        fs.writeFileSync(__dirname + '/asked', '');
        console.error('(InUseSubnetCannotBeDeleted) Subnet snet-app is in use by serviceAssociationLinks/legionservicelink');
        process.exit(1);
      }`;
    const tools = fakeTools({ az: az(made, held) });
    expect((await runScript(script, ['teardown', '-e', 'dev', ...quick], tools)).code).toBe(0);
    expect(changes(tools.calls()).filter((call) => call.includes('group delete'))).toHaveLength(2);
  });

  test('goes on where an earlier one stopped', async () => {
    const gone = `if (call.startsWith('group exists')) console.log('false');`;
    const tools = fakeTools({ az: az({ ...made, GATEWAY_NAME: 'apim-dev' }, gateway + gone) });
    expect((await runScript(script, ['teardown', '-e', 'dev', '--yes'], tools)).code).toBe(0);
    expect(changes(tools.calls())).toEqual([
      'az apim deletedservice purge --service-name apim-dev --location West Europe',
      'az deployment sub delete --name records-dev',
    ]);
  });

  const forgotten = [
    'terraform -chdir=infra/terraform workspace select default',
    'terraform -chdir=infra/terraform workspace delete -force dev',
  ];

  test('with Terraform removes the group, which Terraform itself may not, and then its state', async () => {
    const terraform = `if (call.includes('output')) console.log('{"AZURE_RESOURCE_GROUP":{"value":"rg-dev"}}');
      if (call.includes('state list')) console.log('azurerm_resource_group.main');`;
    const locked = `if (call.startsWith('group exists')) console.log('true'); if (call.startsWith('lock list')) console.log('/lock/1');`;
    const tools = fakeTools({ terraform, az: locked });
    const parameters = ['teardown', '-e', 'dev', '--stack', 'terraform', '--yes'];
    expect((await runScript(script, parameters, tools)).code).toBe(0);
    expect(tools.calls().filter((call) => / delete |select default/.test(call))).toEqual([
      'az lock delete --ids /lock/1',
      'az group delete --name rg-dev --yes',
      ...forgotten,
    ]);
  });

  test('with Terraform removes nothing where there is nothing', async () => {
    const tools = fakeTools({ terraform: '', az: '' });
    const parameters = ['teardown', '-e', 'dev', '--stack', 'terraform', '--yes'];
    expect((await runScript(script, parameters, tools)).code).toBe(0);
    expect(tools.calls().filter((call) => / delete |select default/.test(call))).toEqual(forgotten);
  });

  test('with Terraform touches nothing while the Azure CLI looks into another subscription', async () => {
    const tools = fakeTools({ terraform: '', az: `console.log('sub-1')` });
    const parameters = ['teardown', '-e', 'dev', '--stack', 'terraform', '--yes'];
    const other = { ARM_SUBSCRIPTION_ID: 'sub-2' };
    const { code, stderr } = await runScript(script, parameters, tools, other);
    expect({ code, calls: tools.calls().length }).toEqual({ code: 2, calls: 1 });
    expect(stderr).toContain('az account set --subscription sub-2');
  });

  test('with Terraform keeps the state of what it cannot find', async () => {
    const terraform = `if (call.includes('state list')) console.log('azurerm_resource_group.main');`;
    const tools = fakeTools({ terraform, az: '' });
    const parameters = ['teardown', '-e', 'dev', '--stack', 'terraform', '--yes'];
    const { code, stderr } = await runScript(script, parameters, tools);
    expect(code).toBe(1);
    expect(stderr).toContain('The deployment has no output AZURE_RESOURCE_GROUP');
    expect(tools.calls().some((call) => call.includes(' delete '))).toBe(false);
  });
});
