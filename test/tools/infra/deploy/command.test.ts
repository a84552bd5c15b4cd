import { describe, expect, test } from 'vitest';
import { defaultStack, stackNames } from '../../../../infra/deploy/environments.ts';
import { playTools, runDeploy } from '../../../support/deploy-run.ts';
import { changesIn, given, made, packageFile, toolsOf, values } from './fixtures.ts';

describe('npm run deploy', () => {
  test.each(stackNames)('prints every command of %s in a dry run, and runs none', async (stack) => {
    const tools = playTools({ az: '', terraform: '', npm: '' });
    const { code, stdout } = await runDeploy(['all', '-e', 'dev', '--stack', stack, '--dry-run'], tools);
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
      stack === 'bicep' ? "az deployment sub create --name 'records-dev-<number>'" : `${stack} `,
    );
    expect(stdout).toContain('TYPE = E;');
  });

  test('says what is missing before it changes anything', async () => {
    const tools = playTools(toolsOf(made));
    const { code, stderr } = await runDeploy(['provision', '-e', 'dev', '--set', 'location=x'], tools);
    expect(code).toBe(2);
    expect(stderr).toContain('write infra/environments/dev.json, or give them for a trial:');
    expect(stderr).toContain('  --set serviceApiUsername=...');
    expect(changesIn(tools.calls())).toEqual([]);
  });
});

test('all of a private deployment asks first whether the later steps can reach it, and changes nothing without a yes', async () => {
  const tools = playTools(toolsOf(made));
  const { code, stdout, stderr } = await runDeploy(['all', '-e', 'prod', ...values], tools);
  expect({ code, calls: tools.calls() }).toEqual({ code: 2, calls: [] });
  expect(stdout).toContain('prod is private: migrate, accounts, users, push, smoke work from inside');
  expect(stderr).toContain('Run the steps up to provision here');
});

describe('the step preflight', () => {
  const preflight = (tools: Readonly<Record<string, string>>, ...more: string[]) =>
    runDeploy(['preflight', '-e', 'dev', ...values, ...more], playTools({ terraform: '', ...tools }));
  const region = (versions: string, more = '') =>
    `if (call.startsWith('account show')) console.log('Team'); else if (call.includes('runtimes')) console.log(${JSON.stringify(versions)}); ${more}`;
  const says = (call: string, text: string) => `if (call.startsWith('${call}')) console.log('${text}');`;

  const ofStackHere = ([, stack]: readonly [string, string, unknown]) =>
    stackNames.some((name) => name === stack);

  test('passes where the region runs our Node', async () => {
    expect(await preflight({ az: region('20\n22\n24') })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Subscription: Team'),
    });
  });

  const signedOut = `if (call.startsWith('account show')) { console.error('Please run az login'); process.exit(1); }`;
  const stops: [said: string, stack: string, tools: Record<string, string>][] = [
    ['The region westeurope runs Node 20, 22, not 24.', defaultStack, { az: region('20\n22') }],
    [
      'Terraform 1.8.5 is too old, 1.9 is needed',
      'terraform',
      { az: region('24'), terraform: says('version', '{ "terraform_version": "1.8.5" }') },
    ],
    [
      'Bicep 0.44.1 is too old, 0.45 is needed',
      'bicep',
      { az: region('24', says('bicep version', 'Bicep CLI version 0.44.1')) },
    ],
    [
      'Azure CLI 2.75.0 is too old, 2.76 is needed',
      defaultStack,
      { az: region('24', says('version', '{ "azure-cli": "2.75.0" }')) },
    ],
    ['Nobody is signed in: run az login.', defaultStack, { az: signedOut }],
  ];
  test.each(stops.filter(ofStackHere))('stops with "%s"', async (said, stack, tools) => {
    const { code, stderr } = await preflight({ ...tools }, '--stack', stack);
    expect({ code, said: stderr.includes(said) }).toEqual({ code: 1, said: true });
  });

  test('stops where there is no such region', async () => {
    const there = says('account list-locations', 'westus\\nnortheurope');
    const { code, stderr } = await preflight({ az: `${there} ${region('24')}` });
    expect({ code, said: stderr.split('\n')[0] }).toEqual({
      code: 2,
      said: 'There is no region westeurope for this subscription; there are northeurope, westus.',
    });
  });

  test('stops where the region cannot spread the app over zones, and only when that is asked for', async () => {
    const zones = (list: string) => ({
      az: region('24', says('functionapp list-flexconsumption-locations', list)),
    });
    const asked = ['--set', 'zoneRedundant=true'];
    const { code, stderr } = await preflight(zones('eastus\\nuksouth'), ...asked);
    expect({ code, stderr: stderr.split('\n')[0] }).toEqual({
      code: 1,
      stderr: 'The region westeurope cannot spread the app over zones; others can: eastus, uksouth.',
    });
    expect((await preflight(zones('West Europe'), ...asked)).code).toBe(0);
    expect((await preflight(zones('eastus'))).code).toBe(0);
  });
});

test.each([
  ['roles', 'No deployment of dev has succeeded, so there are no outputs: run the step provision first.'],
  ['outputs', 'No deployment of dev has succeeded, so there are no outputs: run the step provision first.'],
  ['provision', 'There is no app registration of dev: run the step entra first'],
])('the step %s of an environment that nothing was made of says what to run first', async (step, said) => {
  const { code, stderr } = await runDeploy(
    [step, '-e', 'dev', ...values],
    playTools({ az: '', terraform: '' }),
  );
  expect({ code, said: stderr.includes(said) }).toEqual({ code: 1, said: true });
});

describe('the step entra', () => {
  test('is passed over when a registration is given', async () => {
    const tools = playTools({ az: '' });
    const { stdout } = await runDeploy('entra -e dev --set apiClientId=api', tools);
    expect(stdout).toContain('The app registration api is given.');
    expect(tools.calls()).toEqual([]);
  });
});

test('a pipeline is given the outputs, and asks for no deployment', async () => {
  const tools = playTools(toolsOf(made));
  const printed = await runDeploy('outputs -e dev', tools);
  const DEPLOYMENT_OUTPUTS = printed.stdout;
  expect(JSON.parse(DEPLOYMENT_OUTPUTS)).toEqual(made);
  expect(printed.stderr).toContain('== outputs: ');
  const asked = tools.calls().length;
  const push = ['push', '-e', 'dev', '--package', packageFile(), '--dry-run'];
  const { stdout } = await runDeploy(push, tools, { DEPLOYMENT_OUTPUTS });
  expect(stdout).toContain('--resource-group rg-dev --name func-dev');
  expect(tools.calls().length).toBe(asked);
});

test.each([
  ['databaseSku=S9', 'must be one of Basic, S0'],
  ['maximumInstanceCount=0', 'must be a number from 1 to 1000'],
  ['databasePoolMax=3.5', 'must be a number, not "3.5"'],
  ['greenApp=yes', 'must be true or false'],
  ['alertEmails=[1]', 'must be a list'],
  ['customDomain=null', 'must be an object'],
  ['customDomain={"name":"events.example.org","keyvaultid":"x"}', 'with the names name, keyVaultId'],
  ['resourceNames={"app":5}', 'must be an object'],
  ['green_app=true', 'There is no parameter green_app'],
  ['constructor=1', 'There is no parameter constructor'],
])('--set %s is refused before anything is made', async (assignment, said) => {
  const tools = playTools(toolsOf(made));
  for (const stack of stackNames) {
    const words = ['all', '-e', 'dev', '--stack', stack, ...values, '--set', assignment];
    const { code, stderr } = await runDeploy(words, tools);
    expect({ code, said: stderr.includes(said), calls: tools.calls() }).toEqual({
      code: 2,
      said: true,
      calls: [],
    });
  }
});

test('a name that every object has is no step', async () => {
  const { code, stderr } = await runDeploy('toString -e dev', playTools({}));
  expect({ code, said: stderr.includes('There is no step toString') }).toEqual({ code: 2, said: true });
});

test('a pipeline is told of outputs that were copied in part', async () => {
  const { code, stderr } = await runDeploy('roles -e dev', playTools({}), {
    DEPLOYMENT_OUTPUTS: '{"AZURE_ENV_NAME":',
  });
  expect({ code, said: stderr.includes('DEPLOYMENT_OUTPUTS is no JSON') }).toEqual({ code: 1, said: true });
});

describe('the step backup', () => {
  const outputs = {
    ...made,
    CALENDAR_PLACE: 'https://stdata.table.core.windows.net/calendar/default',
    PICTURES_PLACE: 'https://stdata.blob.core.windows.net/pictures/default',
    BACKUP_BLOB_URL: 'https://stbackup.blob.core.windows.net/',
  };

  test('copies the calendar into a new file, then its pictures, as the signed-in principal, and removes nothing', async () => {
    const signedIn = `if (process.env.AZURE_TOKEN_CREDENTIALS !== 'AzureCliCredential') process.exit(1);`;
    const tools = playTools({ ...toolsOf(outputs), npm: signedIn });
    const { code, stderr } = await runDeploy(['backup', '-e', 'dev'], tools);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const copies = tools.calls().filter((call) => call.startsWith('npm'));
    expect(copies.map((call) => call.replace(/\d{8}T\d{6}/, '<time>'))).toEqual([
      `npm run calendar -- backup --from ${outputs.CALENDAR_PLACE} --to https://stbackup.blob.core.windows.net/backups/default/<time>.jsonl`,
      `npm run calendar -- copy-pictures --from ${outputs.PICTURES_PLACE} --to https://stbackup.blob.core.windows.net/pictures/default`,
    ]);
  });

  test('ends when the copy fails, and says where there is no account', async () => {
    const failing = playTools({ ...toolsOf(outputs), npm: 'process.exit(1);' });
    expect((await runDeploy(['backup', '-e', 'dev'], failing)).code).toBe(1);
    expect(failing.calls().filter((call) => call.startsWith('npm'))).toHaveLength(1);
    const without = playTools({ ...toolsOf({ ...outputs, BACKUP_BLOB_URL: '' }), npm: '' });
    const { code, stderr } = await runDeploy(['backup', '-e', 'dev'], without);
    expect({ code, said: stderr.includes('with calendarBackup=true') }).toEqual({ code: 1, said: true });
    expect(without.calls().filter((call) => call.startsWith('npm'))).toEqual([]);
    const half = playTools({ ...toolsOf({ ...outputs, PICTURES_PLACE: '' }), npm: '' });
    expect((await runDeploy(['backup', '-e', 'dev'], half)).stderr).toContain('no output PICTURES_PLACE');
    expect(half.calls().filter((call) => call.startsWith('npm'))).toEqual([]);
  });
});

describe('the step migrate', () => {
  const outputs = { ...made, DB_SERVER: 'sql.example.org', DB_NAME: 'r', DB_CUSTOMIZATION_NAME: 'c' };
  const migrate = async (words: string, more = {}) => {
    const { stdout } = await runDeploy(`migrate ${words}`, playTools({}), given({ ...outputs, ...more }));
    return stdout.split('\n').filter((line) => line.includes(' npm run migrate'));
  };

  test('signs in as the deployer, over an encrypted connection to a server whose certificate is known', async () => {
    expect(await migrate('-e dev --dry-run')).toEqual([
      "DB_SERVER=sql.example.org DB_NAME=r DB_CUSTOMIZATION_NAME=c DB_TRUSTED_CONNECTION=true DB_ENCRYPT=true DB_TRUST_SERVER_CERTIFICATE=false AZURE_CLIENT_ID='' npm run migrate",
    ]);
  });

  test('installs with --adopt on the databases of an existing product, and checks their contract with the settings of the app', async () => {
    const settings = { OBJECT_TYPES: 'deeds=13', OBJECT_METADATA: 'none', SERVICE_API_USERNAME: 'svc' };
    expect(await migrate('-e dev --adopt --dry-run', settings)).toContainEqual(
      expect.stringMatching(
        / SERVICE_API_USERNAME=svc OBJECT_TYPES=deeds=13 OBJECT_METADATA=none npm run migrate -- --adopt$/,
      ),
    );
  });
});
