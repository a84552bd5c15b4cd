import type { Finding, Project } from '../model.ts';
import { type Data, textOf } from '../plan/data.ts';
import { tenantId } from '../plan/functions.ts';
import { inputs } from '../plan/sets.ts';
import { bodyAt, hasExistingServer, mustBe, nameOf, ofType, overPlans, role, type View } from './views.ts';

const input = (variable: string) => inputs[variable]?.[1] ?? '';
const parameter =
  (name: string) =>
  ({ value }: View) =>
    textOf(value(name));
const listed =
  (name: string) =>
  ({ value }: View) =>
    (value(name) as Data[]).map(textOf).join(',');
const is = (text: string) => () => text;

/** The address that clients use, with the base path; '' where the app's own is used. */
function publicAddress({ value }: View): string {
  if (value('public_base_url') !== '') return textOf(value('public_base_url'));
  return value('gateway_sku') === 'None' ? '' : 'https://apim.azure-api.net/api';
}

/** What each setting must be, with the names of resources reduced to their prefixes. */
const wanted: Readonly<Record<string, (view: View) => string>> = {
  AzureWebJobsStorage__accountName: is('sthost'),
  AzureWebJobsStorage__credential: is('managedidentity'),
  AzureWebJobsStorage__clientId: is('<id:clientId>'),
  APPLICATIONINSIGHTS_CONNECTION_STRING: is('<appi:connectionString>'),
  APPLICATIONINSIGHTS_AUTHENTICATION_STRING: is('ClientId=<id:clientId>;Authorization=AAD'),
  FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: is('5242880'),
  AZURE_CLIENT_ID: is('<id:clientId>'),
  AppRegistration__ClientId: is(input('API_CLIENT_ID')),
  AppRegistration__TenantId: is(tenantId),
  AppRegistration__Authority: is(`https://login.microsoftonline.com/${tenantId}/v2.0`),
  AppRegistration__EmailClaim: parameter('email_claim'),
  AppRegistration__Audiences: listed('api_audiences'),
  APIS: is('records,calendar'),
  SERVICE_API_USERNAME: is(input('SERVICE_API_USERNAME')),
  PUBLIC_BASE_URL: publicAddress,
  TRUST_FORWARDED_HEADERS: parameter('trust_forwarded_headers'),
  DB_SERVER: (view) =>
    hasExistingServer(view)
      ? `${nameOf(view.value('existing_sql_server_id'))}.database.windows.net`
      : '<sql:hostName>',
  DB_NAME: parameter('main_database_name'),
  DB_CUSTOMIZATION_NAME: parameter('customization_database_name'),
  DB_TRUSTED_CONNECTION: is('true'),
  DB_ENCRYPT: is('true'),
  DB_TRUST_SERVER_CERTIFICATE: is('false'),
  DB_POOL_MAX: parameter('database_pool_max'),
  OBJECT_TYPES: parameter('object_types'),
  OBJECT_METADATA: parameter('object_metadata'),
  CALENDAR_TABLE_ENDPOINT: is('<stdata:tableEndpoint>'),
  CALENDAR_TABLE_NAME: parameter('calendar_table_name'),
  CALENDAR_NAME: parameter('calendar_name'),
  CALENDAR_BASE_PATH: parameter('calendar_base_path'),
  CALENDAR_SITE_ROOTS: parameter('calendar_site_roots'),
  CALENDAR_BASIC: parameter('calendar_basic'),
  CALENDAR_SITE_URL: is(input('CALENDAR_SITE_URL')),
  CALENDAR_TIME_ZONE: parameter('calendar_time_zone'),
  CALENDAR_STALE_IF_ERROR: parameter('calendar_stale_if_error_seconds'),
};

/** What else an app must be, by path. */
const shape: readonly [path: string, wanted: (view: View) => Data][] = [
  ['kind', is('functionapp,linux')],
  ['identity.type', is('UserAssigned')],
  ['properties.httpsOnly', () => true],
  ['properties.functionAppConfig.runtime.version', ({ value }) => value('node_version')],
  [
    'properties.functionAppConfig.scaleAndConcurrency.instanceMemoryMB',
    ({ value }) => value('instance_memory_mb'),
  ],
  [
    'properties.functionAppConfig.scaleAndConcurrency.maximumInstanceCount',
    ({ value }) => value('maximum_instance_count'),
  ],
  ['properties.functionAppConfig.siteUpdateStrategy.type', ({ value }) => value('update_strategy')],
  ['properties.siteConfig.minTlsVersion', is('1.2')],
  ['properties.siteConfig.scmMinTlsVersion', is('1.2')],
  ['properties.siteConfig.cors.supportCredentials', () => false],
  ['properties.siteConfig.cors.allowedOrigins', ({ value }) => value('cors_origins')],
];

/** Every app has the right value of every setting, its own container and plan, the identity that the roles are given to. */
export function appSettingValues(project: Project): Finding[] {
  return overPlans(project, (view) =>
    ofType(view, 'Microsoft.Web/sites').flatMap((site) => [...settings(view, site), ...config(view, site)]),
  );
}

type Site = ReturnType<typeof ofType>[number];

function settings(view: View, site: Site): string[] {
  const list = bodyAt(site, 'properties.siteConfig.appSettings');
  const found = new Map(
    (Array.isArray(list) ? list : []).map((one) => [textOf(bodyAt2(one, 'name')), bodyAt2(one, 'value')]),
  );
  return Object.entries(wanted).flatMap(([name, value]) => {
    const here = found.get(name);
    return mustBe(
      `the setting ${name} of ${role(site.id.split('/').at(-1) ?? '')}`,
      here === undefined ? null : role(here),
      value(view),
    );
  });
}

const bodyAt2 = (value: Data, name: string): Data => (value as Record<string, Data>)[name] ?? null;

function config(view: View, site: Site): string[] {
  const name = role(site.id.split('/').at(-1) ?? '');
  const green = name === 'func-g';
  const storage = 'properties.functionAppConfig.deployment.storage';
  const identity = bodyAt(site, `${storage}.authentication.userAssignedIdentityResourceId`);
  const identities = bodyAt(site, 'identity.userAssignedIdentities');
  const always = view.value('always_ready_instances');
  return [
    ...shape.flatMap(([path, value]) => mustBe(`${path} of ${name}`, bodyAt(site, path), value(view))),
    ...mustBe(
      `the container of ${name}`,
      role(bodyAt(site, `${storage}.value`)),
      `<sthost:blobEndpoint>packages-${green ? 'green' : 'blue'}`,
    ),
    ...mustBe(
      `the identity of ${name}`,
      role(
        Object.keys((identities ?? {}) as object)
          .map((id) => id.split('/').at(-1) ?? '')
          .join(),
      ),
      'id',
    ),
    ...mustBe(
      `the identity that reads the package of ${name}`,
      role(textOf(identity).split('/').at(-1) ?? ''),
      'id',
    ),
    ...mustBe(
      `the plan of ${name}`,
      role(textOf(bodyAt(site, 'properties.serverFarmId')).split('/').at(-1) ?? ''),
      green ? 'plan-g' : 'plan',
    ),
    ...mustBe(
      `the instances of ${name} that are always ready`,
      bodyAt(site, 'properties.functionAppConfig.scaleAndConcurrency.alwaysReady'),
      Number(always) > 0 ? [{ instanceCount: always, name: 'http' }] : null,
    ),
  ];
}
