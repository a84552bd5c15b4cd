/** The sets of parameters for which both stacks are planned: the profiles, and what they leave off. */

import { keyOfTexts } from '../text-key.ts';
import { planBicep } from './bicep.ts';
import { type Data, textOf } from './data.ts';
import { subscriptionId } from './functions.ts';
import type { Plan, SetOfPlans } from './plan.ts';
import { planTerraform } from './terraform.ts';

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
  BUDGET_START_DATE: ['budget_start_date', ''],
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

/** Profiles as they are, and with everything that they leave off. */
export const sets: Readonly<Record<string, SetOfParameters>> = {
  dev: { environment: 'dev', profile: 'dev', values: {} },
  prod: { environment: 'prod', profile: 'prod', values: { alert_emails: ['operators@example.org'] } },
  public: {
    environment: 'open',
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
    environment: 'closed',
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
      runner: {
        repository: 'owner/name',
        keyVaultId: `/subscriptions/${subscriptionId}/resourceGroups/rg-secrets/providers/Microsoft.KeyVault/vaults/kv-secrets`,
        secretName: 'github-app',
        applicationId: '123456',
        installationId: '7891011',
      },
      existing_private_dns_zone_ids: {
        sql: '/subscriptions/hub/resourceGroups/dns/providers/Microsoft.Network/privateDnsZones/sql',
      },
    },
  },
  product: {
    environment: 'product',
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

const entraValues: Values = {
  redirect_uris: ['https://api.example.org/swagger'],
  pre_authorized_client_ids: ['55555555-5555-5555-5555-555555555555'],
  service_access_principal_ids: ['66666666-6666-6666-6666-666666666666'],
  calendar_clients: [
    { name: 'importer', role: 'Calendar.Author' },
    { name: 'editors-desk', role: 'Calendar.Editor' },
  ],
};

/** The names of all that is planned: the sets, and the registration of the app. */
export const planNames: readonly string[] = [...Object.keys(sets), 'entra'];

/** Plans the sets of these names with both stacks. */
export async function planSets(
  files: Files,
  profiles: Readonly<Record<string, Values>>,
  names: readonly string[] = planNames,
): Promise<SetOfPlans[]> {
  const once = plannedOnce(files);
  const main = Object.entries(sets)
    .filter(([name]) => names.includes(name))
    .map(async ([name, set]) => ({
      name,
      bicep: await once('bicep', name, () =>
        planBicep(files, 'infra/bicep/main.bicepparam', variablesOf(set)),
      ),
      terraform: await once('terraform', name, () =>
        planTerraform(files, 'infra/terraform', variableValues(set, profiles)),
      ),
    }));
  return Promise.all([...main, ...(names.includes('entra') ? [planEntra(files, once)] : [])]);
}

type Once = (stack: 'bicep' | 'terraform', name: string, plan: () => Promise<Plan>) => Promise<Plan | Error>;

const planned = new Map<string, Promise<Plan | Error>>();

/** Returns what plans with one stack, unless its files were planned before as they are. */
function plannedOnce(files: Files): Once {
  const keys = { bicep: keyOf(files, 'infra/terraform/'), terraform: keyOf(files, 'infra/bicep/') };
  return (stack, name, plan) => {
    const key = `${stack} ${name} ${keys[stack]}`;
    const cached = planned.get(key) ?? orError(plan);
    planned.set(key, cached);
    return cached;
  };
}

/** Returns one key of all files that a stack may read: not those of the other one. */
function keyOf(files: Files, other: string): string {
  const isRead = (file: string) =>
    file.startsWith('infra/') && !file.startsWith(other) && !file.startsWith('infra/check/');
  return keyOfTexts([...files].filter(([file]) => isRead(file)));
}

async function planEntra(files: Files, once: Once): Promise<SetOfPlans> {
  const camel = Object.fromEntries(
    Object.entries(entraValues).map(([name, value]) => [camelCase(name), value]),
  );
  const environment = { AZURE_ENV_NAME: 'dev' };
  return {
    name: 'entra',
    bicep: await once('bicep', 'entra', () =>
      planBicep(files, 'infra/bicep/entra/main.bicepparam', environment, camel),
    ),
    terraform: await once('terraform', 'entra', () =>
      planTerraform(files, 'infra/terraform/entra', {
        environment_name: 'dev',
        subscription_id: subscriptionId,
        ...entraValues,
      }),
    ),
  };
}

/** The variables of the environment that give a set to the parameter file of Bicep. */
export function variablesOf({ environment, profile, values }: SetOfParameters): Record<string, string> {
  const given = Object.entries(inputs).map(([variable, [, value]]) => [variable, value]);
  return {
    ...Object.fromEntries(given),
    AZURE_ENV_NAME: environment,
    DEPLOYMENT_PROFILE: profile,
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

async function orError(plan: () => Promise<Plan>): Promise<Plan | Error> {
  try {
    return await plan();
  } catch (error) {
    return error instanceof Error ? error : new Error(textOf(String(error)));
  }
}

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
