/** The sets of parameters for which both stacks are planned: the profiles, and what they leave off. */

import type { StackName } from '../../deploy/environments.ts';
import { planWithBicep } from './bicep.ts';
import { camelCase, type Data } from './data.ts';
import { subscriptionId } from './ids.ts';
import type { Plan, Question, SetOfPlans } from './plan.ts';
import { planWithTerraform } from './terraform.ts';

type Values = Readonly<Record<string, Data>>;
type Files = ReadonlyMap<string, string>;

/** Values that differ with each installation, by the variables that hold them. */
export const inputs: Readonly<Record<string, readonly [parameter: string, value: string]>> = {
  AZURE_LOCATION: ['location', 'westeurope'],
  API_CLIENT_ID: ['api_client_id', '33333333-3333-3333-3333-333333333333'],
  SQL_ADMINISTRATOR_LOGIN: ['sql_administrator_login', 'database-admins'],
  SQL_ADMINISTRATOR_OBJECT_ID: ['sql_administrator_object_id', '44444444-4444-4444-4444-444444444444'],
  SQL_ADMINISTRATOR_TYPE: ['sql_administrator_type', 'Group'],
  SERVICE_API_USERNAME: ['service_api_username', 'service'],
  CALENDAR_SITE_URL: ['calendar_site_url', 'https://calendar.example.org'],
  BUDGET_START_DATE: ['budget_start_date', '2026-01-01'],
  DEPLOYED_AS: ['deployed_as', '{"stack":"bicep"}'],
};

interface SetOfParameters {
  readonly environment: string;
  readonly profile: string;
  readonly values: Values;
}

const withGateway: Values = {
  green_app: true,
  green_share: 20,
  gateway_publisher_email: 'api@example.org',
  github_repository: 'owner/name',
  api_audiences: ['api://other'],
  alert_emails: ['b@example.org', 'a@example.org'],
};

const subnetOf = (name: string) =>
  `/subscriptions/${subscriptionId}/resourceGroups/rg-network/providers/Microsoft.Network/virtualNetworks/vnet-town/subnets/${name}`;

const zoneOf = (kind: string) =>
  `/subscriptions/hub/resourceGroups/dns/providers/Microsoft.Network/privateDnsZones/${kind}`;

/** The profiles in infra/profiles. */
export const profileNames = ['dev', 'small', 'prod'] as const;

/** Profiles as they are, and with everything that they leave off. */
export const sets: Readonly<Record<string, SetOfParameters>> = {
  dev: { environment: 'dev', profile: 'dev', values: {} },
  prod: { environment: 'prod', profile: 'prod', values: { alert_emails: ['operators@example.org'] } },
  small: {
    environment: 'town',
    profile: 'small',
    values: { alert_emails: ['operators@example.org'], github_repository: 'owner/name' },
  },
  // In an organisation's own places: its group, network, zones and names; a policy registers the private endpoints.
  own: {
    environment: 'town',
    profile: 'small',
    values: {
      alert_emails: ['operators@example.org'],
      existing_resource_group_name: 'rg-of-the-town',
      resource_names: { plan: 'plan-of-the-town', workspace: 'log-of-the-town' },
      existing_subnet_ids: { app: subnetOf('snet-app'), endpoints: subnetOf('snet-endpoints') },
      private_dns_zones_by_policy: true,
      deployment_addresses: ['192.0.2.0/24', 'AzureCloud'],
      custom_domain: { name: 'events.town.example' },
    },
  },
  // In a landing zone: subnets and zones of a hub, and no policy.
  hub: {
    environment: 'town',
    profile: 'small',
    values: {
      alert_emails: ['operators@example.org'],
      github_repository: 'owner/name',
      existing_subnet_ids: { app: subnetOf('snet-app'), endpoints: subnetOf('snet-endpoints') },
      existing_private_dns_zone_ids: {
        blob: zoneOf('blob'),
        table: zoneOf('table'),
        sql: zoneOf('sql'),
        sites: zoneOf('sites'),
      },
    },
  },
  public: {
    environment: 'dev',
    profile: 'dev',
    values: {
      ...withGateway,
      gateway_sku: 'BasicV2',
      cors_origins: ['https://one.example'],
      calendar_app: true,
      update_strategy: 'RollingUpdate',
      telemetry: 'openTelemetry',
      create_role_assignments: false,
    },
  },
  private: {
    environment: 'prod',
    profile: 'prod',
    values: {
      ...withGateway,
      gateway_sku: 'StandardV2',
      cors_origins: ['https://one.example', 'https://two.example'],
      private_networking: true,
      app_public_access: false,
      zone_redundant: true,
      database_sku: 'GP_S_Gen5_2',
      database_auto_pause_minutes: -1,
      public_base_url: 'https://api.example.org/api',
      custom_domain: {
        name: 'events.example.org',
        keyVaultId: `/subscriptions/${subscriptionId}/resourceGroups/rg-secrets/providers/Microsoft.KeyVault/vaults/kv-certificates`,
        certificateName: 'events',
      },
      runner: {
        repository: 'owner/name',
        keyVaultId: `/subscriptions/${subscriptionId}/resourceGroups/rg-secrets/providers/Microsoft.KeyVault/vaults/kv-secrets`,
        secretName: 'github-app',
        applicationId: '123456',
        installationId: '7891011',
      },
      existing_private_dns_zone_ids: {
        sql: zoneOf('sql'),
      },
    },
  },
  product: {
    environment: 'dev',
    profile: 'dev',
    values: {
      existing_sql_server_id: `/subscriptions/${subscriptionId}/resourceGroups/rg-product/providers/Microsoft.Sql/servers/sql-product`,
      main_database_name: 'product',
      customization_database_name: 'product-custom',
      object_types: 'diaries=11,journalized-cases=12,deeds=13,documents=14',
      object_metadata: 'none',
    },
  },
};

const town = { environment: 'town', profile: 'small' } as const;
const wholeRunner = {
  repository: 'owner/name',
  keyVaultId: `/subscriptions/${subscriptionId}/resourceGroups/rg-secrets/providers/Microsoft.KeyVault/vaults/kv-secrets`,
  secretName: 'github-app',
};

/** Sets that both stacks must refuse, each for several reasons at once, with values right beside what is allowed. */
export const refusedSets: Readonly<Record<string, SetOfParameters>> = {
  'a closed app without a network': {
    ...town,
    values: {
      private_networking: false,
      app_public_access: false,
      gateway_sku: 'BasicV2',
      green_app: true,
      main_database_name: 'Records',
      customization_database_name: 'records',
      database_sku: 'GP_S_Gen5_1',
      database_auto_pause_minutes: 60,
      backup_weekly_retention: 'PT0S',
      runner: wholeRunner,
      // Without https:// and a port, and in small letters, it would be one.
      custom_domain: { name: 'https://Events.example.org:443' },
    },
  },
  'half of what belongs together': {
    ...town,
    values: {
      alert_emails: ['operators@example.org'],
      gateway_sku: 'StandardV2',
      green_share: 1,
      existing_subnet_ids: { app: subnetOf('snet-app'), endpoints: subnetOf('snet-endpoints') },
      runner: { ...wholeRunner, applicationId: '123456' },
      // Requests are as many as an S0 works on, and one instance more.
      database_sku: 'S0',
      database_pool_max: 10,
      maximum_instance_count: 7,
      custom_domain: { name: 'events.example.org', certificateName: 'events' },
    },
  },
  'two apps at one database': {
    ...town,
    values: {
      alert_emails: ['operators@example.org'],
      green_app: true,
      database_sku: 'S0',
      database_pool_max: 10,
      maximum_instance_count: 4,
    },
  },
  'small town without operators': {
    ...town,
    // As many as an S0 works on.
    values: {
      database_sku: 'S0',
      database_pool_max: 10,
      maximum_instance_count: 6,
      backup_yearly_retention: 'PT0S',
      custom_domain: { name: `events-2.${'x'.repeat(63)}.town.example` },
    },
  },
  'trials may be open': {
    environment: 'dev',
    profile: 'dev',
    // A domain itself cannot be an alias.
    values: { app_public_access: false, calendar_app: true, custom_domain: { name: 'town.example' } },
  },
};

/** The values that the registration is planned with. */
export const entraValues = {
  redirect_uris: ['https://api.example.org/api/swagger/oauth2-redirect.html'],
  pre_authorized_client_ids: ['55555555-5555-5555-5555-555555555555'],
  service_access_principal_ids: ['66666666-6666-6666-6666-666666666666'],
  calendar_clients: [
    { name: 'importer', role: 'Calendar.Author' },
    { name: 'editors-desk', role: 'Calendar.Editor' },
  ],
} satisfies Values;

/** The names of all that is planned: the sets, those that are refused, and the registration of the app. */
export const planNames: readonly string[] = [...Object.keys(sets), ...Object.keys(refusedSets), 'entra'];

/** Plans the sets of these names with both stacks. */
export async function planSets(
  files: Files,
  profiles: Readonly<Record<string, Values>>,
  names: readonly string[] = planNames,
): Promise<SetOfPlans[]> {
  const main = Object.entries({ ...sets, ...refusedSets })
    .filter(([name]) => names.includes(name))
    .map(([name, set]) => planWithEach(files, name, questionOf(set, profiles)));
  const camel = Object.entries(entraValues).map(([name, value]) => [camelCase(name), value]);
  const entra: Question = {
    template: 'entra',
    environment: { AZURE_ENV_NAME: 'dev', DEPLOYED_AS: '{}' },
    parameters: Object.fromEntries(camel),
    variables: {
      environment_name: 'dev',
      subscription_id: subscriptionId,
      deployed_as: '{}',
      ...entraValues,
    },
  };
  return Promise.all([...main, ...(names.includes('entra') ? [planWithEach(files, 'entra', entra)] : [])]);
}

// One line each, which npm run keep-stack takes out.
const planners: Partial<Record<StackName, (files: Files, question: Question) => Promise<Plan>>> = {
  bicep: planWithBicep,
  terraform: planWithTerraform,
};

/** The stacks that are planned. */
export const plannedStacks = Object.keys(planners) as readonly StackName[];

/** What is asked of the main template for a set. */
export const questionOf = (set: SetOfParameters, profiles: Readonly<Record<string, Values>>): Question => ({
  template: 'main',
  environment: variablesOf(set),
  parameters: {},
  variables: variableValues(set, profiles),
});

/** Plans with each stack. */
export async function planWithEach(
  files: Files,
  name: string,
  question: Question,
  stacks: readonly StackName[] = plannedStacks,
): Promise<SetOfPlans> {
  const plans = await Promise.all(
    Object.entries(planners)
      .filter(([stack]) => stacks.some((name) => name === stack))
      .map(async ([stack, plan]) => [stack, await orError(plan(files, question))]),
  );
  return { name, ofStack: Object.fromEntries(plans) };
}

/** The variables of the environment that give a set to the parameter file of Bicep. */
export function variablesOf({ environment, profile, values }: SetOfParameters): Record<string, string> {
  const given = Object.entries(inputs).map(([variable, [, value]]) => [variable, value]);
  return {
    ...Object.fromEntries(given),
    AZURE_ENV_NAME: environment,
    // The parameter file itself knows which profile an environment of its name has.
    ...(profile === environment ? {} : { DEPLOYMENT_PROFILE: profile }),
    DEPLOYMENT_VALUES: JSON.stringify(values),
  };
}

/** The variables of Terraform for a set. */
export function variableValues(
  { environment, profile, values }: SetOfParameters,
  profiles: Readonly<Record<string, Values>>,
): Values {
  const given = Object.values(inputs).map(([parameter, value]) => [parameter, value]);
  return { ...profiles[profile], ...Object.fromEntries(given), environment_name: environment, ...values };
}

const orError = (plan: Promise<Plan>): Promise<Plan | Error> =>
  plan.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
