import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Data } from '../../infra/check/plan/data.ts';
import { linesOf } from '../../infra/check/plan/lines.ts';
import type { Plan, Question, SetOfPlans } from '../../infra/check/plan/plan.ts';
import { planWithEach, questionOf, sets } from '../../infra/check/plan/sets.ts';
import { readFiles, readProfiles } from '../../infra/check/project.ts';
import { samePlans } from '../../infra/check/rules/same-plans.ts';
import { defaultStack, type StackName, stackNames } from '../../infra/deploy/environments.ts';
import { mustBeAllowed } from '../../infra/deploy/guards.ts';
import { effectiveValues } from '../../infra/deploy/values.ts';
import { playTools, runDeploy } from '../support/deploy-run.ts';
import { hasInfraTools } from '../support/infra-tools.ts';
import { azOfBicep, made, quick } from '../tools/infra/deploy/fixtures.ts';

const files = readFiles();
const profiles = readProfiles(files);
const given = [
  'location=westeurope',
  'apiClientId=33333333-3333-3333-3333-333333333333',
  'sqlAdministratorLogin=admins',
  'sqlAdministratorObjectId=object',
  'serviceApiUsername=service',
  'calendarSiteUrl=https://calendar.example.org',
  'alertEmails=["a@example.org"]',
  'budgetStartDate=2026-08-01',
].flatMap((value) => ['--set', value]);
const subnets = Object.fromEntries(
  ['app', 'endpoints', 'gateway'].map((name) => [
    name,
    `/subscriptions/hub/virtualNetworks/hub/subnets/${name}`,
  ]),
);
const runner = { repository: 'owner/name', keyVaultId: '/vaults/kv', secretName: 'token' };
const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const typed = (text: string): Data => (/^(true|false|-?\d+|[[{].*)$/.test(text) ? JSON.parse(text) : text);

type Played = ReturnType<typeof playTools>;

/** What is planned by a stack of how `npm run deploy` has called its tool. */
const plansOfCalls: Partial<Record<StackName, (tools: Played) => Promise<Plan>>> = {
  bicep: (tools) => {
    const variables = JSON.parse(readFileSync(join(tools.folder, 'environment'), 'utf8'));
    const create = tools.calls().find((call) => call.includes('sub create')) ?? '';
    const { deployedAs: _own, ...parameters } = valuesIn(create, /--parameters (\w+)=(\S+)/g);
    const { DEPLOYED_AS: _noted, ...environment } = variables;
    return planWith('bicep', { environment, parameters });
  },
  terraform: (tools) => {
    const apply = tools.calls().find((call) => call.includes(' apply ')) ?? '';
    const file = join('infra/x', /-var-file=(\S+)/.exec(apply)?.[1] ?? '');
    // What a deployment notes of itself names its stack, and is the same of no two.
    const { deployed_as: _own, ...values } = valuesIn(apply, /-var=(\w+)=(\S+)/g);
    const variables = { ...JSON.parse(files.get(file) ?? ''), ...values };
    return planWith('terraform', { variables });
  },
};

const valuesIn = (call: string, pattern: RegExp) =>
  Object.fromEntries([...call.matchAll(pattern)].map(([, name = '', text = '']) => [name, typed(text)]));

/** Plans with one stack. Throws what its tool says. */
async function planWith(stack: StackName, question: Partial<Question>): Promise<Plan> {
  const whole: Question = {
    template: 'main',
    environment: {},
    parameters: {},
    variables: {},
    ...question,
  };
  const plan = (await planWithEach(files, 'asked', whole, [stack])).ofStack[stack];
  if (plan === undefined || plan instanceof Error) throw plan ?? new Error(`no plan of ${stack}`);
  return plan;
}

/** What a stack would deploy when `npm run deploy` provisions an environment: made from how it called its tool. */
async function planned(environment: string, stack: StackName): Promise<Plan> {
  const remember = `fs.writeFileSync(__dirname + '/environment', JSON.stringify(process.env));`;
  const tools = playTools({
    az: azOfBicep(made, `if (call.startsWith('deployment sub create')) { ${remember} }`),
    terraform: `if (call.includes('output')) console.log('{}');`,
  });
  const run = await runDeploy(['provision', '-e', environment, '--stack', stack, ...given, ...quick], tools);
  expect(run).toMatchObject({ code: 0 });
  return (await plansOfCalls[stack]?.(tools)) as Plan;
}

describe.runIf(hasInfraTools).each(['dev', 'prod'])('the environment %s', (environment) => {
  test('is the same with each stack', async () => {
    const plans = await Promise.all(
      stackNames.map(async (stack) => [stack, await planned(environment, stack)]),
    );
    const ofStack: SetOfPlans['ofStack'] = Object.fromEntries(plans);
    expect(linesOf(Object.values(ofStack)[0] as Plan).size).toBeGreaterThan(400);
    expect(samePlans({ plans: [{ name: environment, ofStack }] })).toEqual([]);
  });

  test('has the locks, backups and pauses of its profile', async () => {
    const lines = [...linesOf(await planned(environment, defaultStack))].map(
      ([name, value]) => `${name} = ${value}`,
    );
    const profile = profiles[environment] ?? {};
    expect(lines.some((line) => line.includes('/locks/'))).toBe(profile['delete_locks']);
    expect(
      lines.filter((line) => line.includes(`retentionDays = ${profile['backup_retention_days']}`)),
    ).toHaveLength(2);
  });
});

describe.runIf(hasInfraTools).each(['West Europe', 'WestEurope'])('the region %s', (location) => {
  test.each(stackNames)('is the same environment as westeurope, with %s', async (stack) => {
    const { environment, variables, ...others } = questionOf(
      { environment: 'dev', profile: 'dev', values: {} },
      profiles,
    );
    const hashOf = async (region: string) =>
      (
        await planWith(stack, {
          ...others,
          environment: { ...environment, AZURE_LOCATION: region },
          variables: { ...variables, location: region },
        })
      ).hash;
    const found = await hashOf(location);
    expect(found).toMatch(/^[a-z0-9]{13}$/);
    expect(found).toBe(await hashOf('westeurope'));
    expect(found).not.toBe(await hashOf('northeurope'));
  });
});

const gateway = { gateway_sku: 'BasicV2', gateway_publisher_email: 'a@example.org' };
const refused: readonly [profile: string, values: Readonly<Record<string, Data>>, message: RegExp][] = [
  ['prod', { alert_emails: [] }, /needs alertEmails/],
  ['prod', { private_networking: false, app_public_access: true }, /needs privateNetworking=true/],
  ['prod', { database_pool_max: 7 }, /x maximumInstanceCount/],
  ['prod', { green_app: true }, /x maximumInstanceCount/],
  ['dev', { app_public_access: false }, /would stay public/],
  ['dev', { private_networking: true, app_public_access: false, ...gateway }, /BasicV2 cannot reach/],
  ['dev', { green_app: true, green_share: 10 }, /greenShare needs a gateway/],
  ['dev', { green_share: 10, ...gateway }, /greenShare needs a gateway/],
  ['dev', { customization_database_name: 'Records' }, /must differ/],
  [
    'dev',
    { gateway_sku: 'BasicV2', alert_emails: [] },
    /A gateway needs gatewayPublisherEmail, or alertEmails/,
  ],
  ['prod', { existing_subnet_ids: { app: subnets['app'] ?? '' } }, /existingSubnetIds needs/],
  [
    'prod',
    { existing_subnet_ids: subnets, private_dns_zones_by_policy: true, runner },
    /with runner also runner/,
  ],
  ['prod', { runner: { repository: 'o/n' } }, /runner needs privateNetworking/],
  ['prod', { existing_subnet_ids: subnets }, /no DNS zones are made/],
  ['dev', { backup_weekly_retention: 'P4W' }, /never pauses/],
];

/** Checks values of a profile as `npm run deploy` does, which has them as texts by names in camelCase. */
function mustBeAllowedByScript(profile: string, values: Readonly<Record<string, Data>>): void {
  const options = Object.entries(values).map(([name, value]) => [
    camelCase(name),
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  mustBeAllowed(effectiveValues({ profile, values: Object.fromEntries(options) }));
}

describe.runIf(hasInfraTools)('refused by the script and by the templates:', () => {
  test.each(refused)('%s with %j: %s', async (profile, values, message) => {
    const all = { alert_emails: ['a@example.org'], ...values };
    const set = { environment: 'x1', profile, values: all };
    for (const stack of stackNames)
      await expect(planWith(stack, questionOf(set, profiles))).rejects.toThrow(message);
    expect(() => mustBeAllowedByScript(profile, all)).toThrow(message);
  });

  test('and nothing of what the sets of parameters deploy', () => {
    for (const { profile, values } of Object.values(sets))
      expect(() => mustBeAllowedByScript(profile, values)).not.toThrow();
  });
});
