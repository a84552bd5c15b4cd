import type { Finding, Project } from '../model.ts';
import { type Data, textOf } from '../plan/data.ts';
import { tenantId } from '../plan/ids.ts';
import { inputs } from '../plan/sets.ts';
import { type ExpectedApp, expectedApps } from './expected-apps.ts';
import {
  bodyAt,
  hasExistingServer,
  listAt,
  mustBe,
  nameOf,
  ofType,
  overPlans,
  role,
  type View,
} from './views.ts';

type Wanted = Readonly<Record<string, (view: View, app: ExpectedApp) => string>>;

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

/** What each setting must be, with the names of resources reduced to their prefixes: of every app, and of those that serve an API. */
const wanted: Readonly<Record<'both' | 'records' | 'calendar', Wanted>> = {
  both: {
    AzureWebJobsStorage__accountName: (_, { account }) => account,
    AzureWebJobsStorage__credential: is('managedidentity'),
    AzureWebJobsStorage__clientId: (_, { identity }) => `<${identity}:clientId>`,
    APPLICATIONINSIGHTS_CONNECTION_STRING: is('<appi:connectionString>'),
    APPLICATIONINSIGHTS_AUTHENTICATION_STRING: (_, { identity }) =>
      `ClientId=<${identity}:clientId>;Authorization=AAD`,
    FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: is('5242880'),
    AZURE_CLIENT_ID: (_, { identity }) => `<${identity}:clientId>`,
    APIS: (_, { apis }) => apis.join(),
    AppRegistration__ClientId: is(input('API_CLIENT_ID')),
    AppRegistration__TenantId: is(tenantId),
    AppRegistration__Authority: is(`https://login.microsoftonline.com/${tenantId}/v2.0`),
    AppRegistration__EmailClaim: parameter('email_claim'),
    AppRegistration__Audiences: listed('api_audiences'),
    SERVICE_API_BASE_URL: is('/api'),
    PUBLIC_BASE_URL: publicAddress,
    PAGES: parameter('pages'),
    TRUST_FORWARDED_HEADERS: parameter('trust_forwarded_headers'),
    CORS_ORIGINS: listed('cors_origins'),
    AzureFunctionsJobHost__telemetryMode: parameter('telemetry'),
  },
  records: {
    SERVICE_API_USERNAME: is(input('SERVICE_API_USERNAME')),
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
    BIND_USERS: parameter('bind_users'),
  },
  calendar: {
    CALENDAR_TABLE_ENDPOINT: is('<stdata:tableEndpoint>'),
    CALENDAR_TABLE_NAME: parameter('calendar_table_name'),
    CALENDAR_BLOB_ENDPOINT: is('<stdata:blobEndpoint>'),
    CALENDAR_NAME: parameter('calendar_name'),
    CALENDAR_BASE_PATH: parameter('calendar_base_path'),
    CALENDAR_SITE_ROOTS: parameter('calendar_site_roots'),
    CALENDAR_BASIC: parameter('calendar_basic'),
    CALENDAR_SITE_URL: is(input('CALENDAR_SITE_URL')),
    CALENDAR_TIME_ZONE: parameter('calendar_time_zone'),
    CALENDAR_STALE_IF_ERROR: parameter('calendar_stale_if_error_seconds'),
    SITE_NAME: parameter('site_name'),
    SITE_COLOR: parameter('site_color'),
    SITE_LINKS: parameter('site_links'),
    EMBED_ORIGINS: parameter('embed_origins'),
    MAP_TILES: parameter('map_tiles'),
  },
};

/** Every app has the right value of every setting, and none of an API that it does not serve. */
export function appSettingValues(project: Project): Finding[] {
  return overPlans(project, (view) =>
    ofType(view, 'Microsoft.Web/sites').flatMap((site) => {
      const app = expectedApps(view).find(({ name }) => name === role(nameOf(site.id)));
      const list = listAt(bodyAt(site, 'properties.siteConfig.appSettings')) as {
        name: string;
        value: Data;
      }[];
      const found = new Map(list.map(({ name, value }) => [name, role(value)]));
      return Object.entries(wanted).flatMap(([api, values]) =>
        Object.entries(app ? values : {}).flatMap(([name, value]) => {
          const isDue = app && (api === 'both' || app.apis.some((item) => item === api));
          const what = `the setting ${name} of ${app?.name}`;
          return mustBe(what, found.get(name) ?? null, isDue ? value(view, app) : null);
        }),
      );
    }),
  );
}
