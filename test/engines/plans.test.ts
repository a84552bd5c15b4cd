import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planBicep } from '../../infra/check/plan/bicep.ts';
import type { Data } from '../../infra/check/plan/data.ts';
import { differences, linesOf } from '../../infra/check/plan/lines.ts';
import type { Plan } from '../../infra/check/plan/plan.ts';
import { sets, variablesOf, variableValues } from '../../infra/check/plan/sets.ts';
import { planTerraform } from '../../infra/check/plan/terraform.ts';
import { readFiles, readProfiles } from '../../infra/check/project.ts';
import { samePlans } from '../../infra/check/rules/plans.ts';
import { mustBeAllowed } from '../../infra/deploy/guards.ts';
import { resourceProviders } from '../../infra/deploy/stacks/providers.ts';
import { effectiveValues } from '../../infra/deploy/values.ts';
import { playTools, runDeploy } from '../support/deploy-run.ts';
import { hasInfraTools } from '../support/infra-tools.ts';
import { az, made } from '../unit/infra/deploy/fixtures.ts';

const files = readFiles();
const profiles = readProfiles(files);
const parameterFile = 'infra/bicep/main.bicepparam';
const given = [
  ...['--set', 'location=westeurope', '--set', 'apiClientId=33333333-3333-3333-3333-333333333333'],
  ...['--set', 'sqlAdministratorLogin=admins', '--set', 'sqlAdministratorObjectId=object'],
  ...['--set', 'serviceApiUsername=service', '--set', 'calendarSiteUrl=https://calendar.example.org'],
  ...[
    ...['--set', 'alertEmails=["a@example.org"]', '--set', 'budgetStartDate=2026-08-01', '--wait'],
    ...['0', '--yes'],
  ],
];
const subnets = Object.fromEntries(
  ['app', 'endpoints', 'gateway'].map((name) => [
    name,
    `/subscriptions/hub/virtualNetworks/hub/subnets/${name}`,
  ]),
);
const runner = { repository: 'owner/name', keyVaultId: '/vaults/kv', secretName: 'token' };
const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const typed = (text: string): Data => (/^(true|false|-?\d+|[[{].*)$/.test(text) ? JSON.parse(text) : text);

/** What a stack would deploy when `npm run deploy` provisions an environment: made from how it called its tool. */
async function planned(environment: string, stack: string): Promise<Plan> {
  const remember = `fs.writeFileSync(__dirname + '/environment', JSON.stringify(process.env));`;
  const tools = playTools({
    az: az(made, `if (call.startsWith('deployment sub create')) { ${remember} }`),
    azd: '',
    terraform: `if (call.includes('output')) console.log('{}');`,
  });
  const run = await runDeploy(['provision', '-e', environment, '--stack', stack, ...given], tools);
  expect(run).toMatchObject({ code: 0 });
  if (stack === 'terraform') {
    const apply = tools.calls().find((call) => call.includes(' apply ')) ?? '';
    const file = join('infra/terraform', /-var-file=(\S+)/.exec(apply)?.[1] ?? '');
    const values = [...apply.matchAll(/-var=(\w+)=(\S+)/g)].map(([, name = '', text = '']) => [
      name,
      typed(text),
    ]);
    return planTerraform(files, 'infra/terraform', {
      ...JSON.parse(files.get(file) ?? ''),
      ...Object.fromEntries(values),
    });
  }
  if (stack === 'azd') {
    const variables = tools.calls().map((call) => /^azd env set (\w+) (.*) --environment/.exec(call));
    const declared = variables.flatMap((variable) => (variable ? [[variable[1], variable[2]]] : []));
    return planBicep(files, parameterFile, { AZURE_ENV_NAME: environment, ...Object.fromEntries(declared) });
  }
  const variables = JSON.parse(readFileSync(join(tools.folder, 'environment'), 'utf8'));
  const create = tools.calls().find((call) => call.includes('sub create')) ?? '';
  const parameters = [...create.matchAll(/--parameters (\w+)=(\S+)/g)].map(([, name = '', text = '']) => [
    name,
    typed(text),
  ]);
  return planBicep(files, parameterFile, variables, Object.fromEntries(parameters));
}

describe.runIf(hasInfraTools).each(['dev', 'prod'])('the environment %s', (environment) => {
  test('is the same with Bicep, Terraform and azd', async () => {
    const [bicep, terraform, azd] = await Promise.all(
      ['bicep', 'terraform', 'azd'].map((stack) => planned(environment, stack)),
    );
    if (!bicep || !terraform || !azd) throw new Error('no plan');
    expect(linesOf(bicep).size).toBeGreaterThan(400);
    expect(differences(linesOf(bicep), linesOf(azd))).toEqual([]);
    const project = { plans: [{ name: environment, bicep, terraform }] };
    expect(samePlans(project as unknown as Parameters<typeof samePlans>[0])).toEqual([]);
  });

  test('has the locks, backups and pauses of its profile', async () => {
    const lines = [...linesOf(await planned(environment, 'azd'))].map(
      ([name, value]) => `${name} = ${value}`,
    );
    const profile = profiles[environment] ?? {};
    expect(lines.some((line) => line.includes('/locks/'))).toBe(profile['delete_locks']);
    expect(
      lines.filter((line) => line.includes(`retentionDays = ${profile['backup_retention_days']}`)),
    ).toHaveLength(2);
  });
});

test('both stacks register the same resource providers', () => {
  const list = /resource_providers_to_register = \[([^\]]*)\]/.exec(
    files.get('infra/terraform/versions.tf') ?? '',
  );
  const inTerraform = [...(list?.[1] ?? '').matchAll(/"([\w.]+)"/g)].map(([, name]) => name);
  expect(inTerraform.sort()).toEqual([...resourceProviders].sort());
});

const refused: readonly [
  what: string,
  profile: string,
  values: Readonly<Record<string, Data>>,
  message: RegExp,
][] = [
  ['production that tells nobody of alerts', 'prod', { alert_emails: [] }, /needs alertEmails/],
  [
    'production with public databases',
    'prod',
    { private_networking: false, app_public_access: true },
    /needs privateNetworking=true/,
  ],
  [
    'production with more connections than a database serves',
    'prod',
    { database_pool_max: 7 },
    /x maximumInstanceCount/,
  ],
  [
    'production with a second app and as many connections',
    'prod',
    { green_app: true },
    /x maximumInstanceCount/,
  ],
  ['a closed app that would stay public', 'dev', { app_public_access: false }, /would stay public/],
  [
    'a gateway that cannot reach the app',
    'dev',
    {
      private_networking: true,
      app_public_access: false,
      gateway_sku: 'BasicV2',
      gateway_publisher_email: 'a@example.org',
    },
    /BasicV2 cannot reach/,
  ],
  [
    'a share of calls without a gateway',
    'dev',
    { green_app: true, green_share: 10 },
    /greenShare needs a gateway/,
  ],
  [
    'a share of calls without a second app',
    'dev',
    { green_share: 10, gateway_sku: 'BasicV2', gateway_publisher_email: 'a@example.org' },
    /greenShare needs a gateway/,
  ],
  ['one name for both databases', 'dev', { customization_database_name: 'Records' }, /must differ/],
  [
    'a gateway without an address',
    'dev',
    { gateway_sku: 'BasicV2', alert_emails: [] },
    /A gateway needs gatewayPublisherEmail, or alertEmails/,
  ],
  [
    'subnets without one that is needed',
    'prod',
    { existing_subnet_ids: { app: subnets['app'] ?? '' } },
    /existingSubnetIds needs/,
  ],
  [
    'a runner without its subnet',
    'prod',
    { existing_subnet_ids: subnets, private_dns_zones_by_policy: true, runner },
    /with runner also runner/,
  ],
  [
    'a runner without a credential',
    'prod',
    { runner: { repository: 'o/n' } },
    /runner needs privateNetworking/,
  ],
  ['subnets without zones', 'prod', { existing_subnet_ids: subnets }, /no DNS zones are made/],
  ['backups that keep a database awake', 'dev', { backup_weekly_retention: 'P4W' }, /never pauses/],
];

describe.runIf(hasInfraTools)('refused by the script and by both templates:', () => {
  test.each(refused)('%s', async (_, profile, values, message) => {
    const all = { alert_emails: ['a@example.org'], ...values };
    const set = { environment: 'x1', profile, values: all };
    await expect(planBicep(files, parameterFile, variablesOf(set))).rejects.toThrow(message);
    await expect(planTerraform(files, 'infra/terraform', variableValues(set, profiles))).rejects.toThrow(
      message,
    );
    const options = Object.entries(all).map(([name, value]) => [
      camelCase(name),
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    expect(() => mustBeAllowed(effectiveValues({ profile, values: Object.fromEntries(options) }))).toThrow(
      message,
    );
  });

  test('and nothing of what the sets of parameters deploy', () => {
    for (const { profile, values } of Object.values(sets)) {
      const options = Object.entries(values).map(([name, value]) => [
        camelCase(name),
        typeof value === 'string' ? value : JSON.stringify(value),
      ]);
      expect(() =>
        mustBeAllowed(effectiveValues({ profile, values: Object.fromEntries(options) })),
      ).not.toThrow();
    }
  });
});
