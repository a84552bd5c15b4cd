import flex from '../../facts/flex-consumption.json' with { type: 'json' };
import notForAzure from '../../facts/not-for-azure.json' with { type: 'json' };
import { difference, type Finding, type Project } from '../model.ts';
import { type Data, textOf } from '../plan/data.ts';
import { tenantId } from '../plan/ids.ts';
import { inputs } from '../plan/sets.ts';
import { type ExpectedApp, expectedApps } from './expected-apps.ts';
import {
  bodyAt,
  domainOf,
  hasCalendarApp,
  hasExistingServer,
  hasGateway,
  listAt,
  mustBe,
  nameOf,
  ofType,
  overPlans,
  role,
  type View,
} from './views.ts';

/** Each app gets the variables of shared/config/variables.ts with their right values, and nothing else but the platform's own. Left out are those that are not for Azure, and those of an API that the app does not serve. */
export function settings(project: Project): Finding[] {
  const { settingNames, files } = project;
  const names = [...settingNames.filter((name) => !(name in notForAzure)), ...flex.platformSettings];
  const gone = Object.keys(notForAzure).filter((name) => !settingNames.includes(name));
  return [
    ...overPlans(project, (view) => settingsOf(view, names)),
    ...hostFaults(files.get('host.json')).map((message) => ({ file: 'host.json', message })),
    ...gone.map((name) => ({
      file: 'infra/facts/not-for-azure.json',
      message: `${name} is no longer a setting`,
    })),
  ];
}

function settingsOf(view: View, names: readonly string[]): string[] {
  return ofType(view, 'Microsoft.Web/sites').flatMap((site) => {
    const app = expectedApps(view).find(({ name }) => name === role(nameOf(site.id)));
    if (!app) return [];
    const list = listAt(bodyAt(site, 'properties.siteConfig.appSettings')) as { name: string; value: Data }[];
    const found = new Map(list.map(({ name, value }) => [name, role(value)]));
    const due = names.filter((name) => app.apis.some((api) => (apiOf(name) ?? api) === api));
    const [missing, surplus] = difference(due, found.keys());
    return [
      ...missing.map((name) => `does not set ${name} of ${app.name}`),
      ...surplus.map((name) => `sets ${name} of ${app.name}, which nothing reads`),
      ...due.flatMap((name) => {
        const wanted = dueValue(name, view, app);
        const value = found.get(name);
        return wanted === undefined || value === undefined
          ? []
          : mustBe(`the setting ${name} of ${app.name}`, value, wanted);
      }),
    ];
  });
}

/** The API that a setting is for; undefined: both. */
function apiOf(name: string): string | undefined {
  if (/^(?:CALENDAR_|SITE_|EMBED_ORIGINS$|MAP_TILES$)/.test(name)) return 'calendar';
  return /^(?:DB_|OBJECT_|BIND_|SERVICE_API_USERNAME$)/.test(name) ? 'records' : undefined;
}

/** Settings that are called otherwise than their parameters. */
const parameters: Readonly<Record<string, string>> = {
  AppRegistration__EmailClaim: 'email_claim',
  AppRegistration__Audiences: 'api_audiences',
  AzureFunctionsJobHost__telemetryMode: 'telemetry',
  DB_NAME: 'main_database_name',
  DB_CUSTOMIZATION_NAME: 'customization_database_name',
  DB_POOL_MAX: 'database_pool_max',
  CALENDAR_STALE_IF_ERROR: 'calendar_stale_if_error_seconds',
};
const clientId = (app: ExpectedApp) => `<${app.identity}:clientId>`;
/** Settings that no parameter gives, with the names of resources reduced to their prefixes. */
const computed: Readonly<Record<string, (view: View, app: ExpectedApp) => string>> = {
  AzureWebJobsStorage__accountName: (_, { account }) => account,
  AzureWebJobsStorage__credential: () => 'managedidentity',
  AzureWebJobsStorage__clientId: (_, app) => clientId(app),
  APPLICATIONINSIGHTS_CONNECTION_STRING: () => '<appi:connectionString>',
  APPLICATIONINSIGHTS_AUTHENTICATION_STRING: (_, app) => `ClientId=${clientId(app)};Authorization=AAD`,
  FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: () => '5242880',
  AZURE_CLIENT_ID: (_, app) => clientId(app),
  APIS: (_, { apis }) => apis.join(),
  AppRegistration__ClientId: () => inputs['API_CLIENT_ID']?.[1] ?? '',
  AppRegistration__TenantId: () => tenantId,
  AppRegistration__Authority: () => `https://login.microsoftonline.com/${tenantId}/v2.0`,
  SERVICE_API_BASE_URL: () => '/api',
  // The address that clients use, with the base path; '' where the app's own is used.
  PUBLIC_BASE_URL: (view, app) => {
    const domain = domainOf(view) === '' ? '' : `https://${domainOf(view)}/api`;
    const given = textOf(view.value('public_base_url'));
    const gateway = hasGateway(view) ? 'https://apim.azure-api.net/api' : '';
    if (!hasCalendarApp(view)) return given || domain || gateway;
    return (app.name === 'func-c' && domain) || given || gateway;
  },
  DB_SERVER: (view) =>
    hasExistingServer(view)
      ? `${nameOf(view.value('existing_sql_server_id'))}.database.windows.net`
      : '<sql:hostName>',
  DB_TRUSTED_CONNECTION: () => 'true',
  DB_ENCRYPT: () => 'true',
  DB_TRUST_SERVER_CERTIFICATE: () => 'false',
  CALENDAR_TABLE_ENDPOINT: () => '<stdata:tableEndpoint>',
  CALENDAR_BLOB_ENDPOINT: () => '<stdata:blobEndpoint>',
};

/** What a setting must be; undefined: another rule looks at it. */
function dueValue(name: string, view: View, app: ExpectedApp): string | undefined {
  const computedValue = computed[name]?.(view, app) ?? inputs[name]?.[1];
  if (computedValue !== undefined) return computedValue;
  const value = view.value(parameters[name] ?? name.toLowerCase());
  return value === null ? undefined : [value].flat().map(textOf).join();
}

/**
 * The base path is a setting, so the host puts nothing before paths. A call has 10 seconds: a worker that hangs is replaced soon after, not
 * after 30 minutes. Lines of cheap calls are sampled, so that anybody's calls do not use up the quota of the day; exceptions are all kept.
 */
function hostFaults(text = '{}'): string[] {
  const { functionTimeout = 'missing', extensions, logging } = JSON.parse(text);
  const { isEnabled, maxTelemetryItemsPerSecond, excludedTypes } =
    logging?.applicationInsights?.samplingSettings ?? {};
  const { hsts, customHeaders } = extensions?.http ?? {};
  const isSampled = isEnabled === true && maxTelemetryItemsPerSecond <= 20 && excludedTypes === 'Exception';
  const [hours = 0, minutes = 0, seconds = 0] = functionTimeout.split(':').map(Number);
  const limit = hours * 3600 + minutes * 60 + seconds;
  const prefix = extensions?.http?.routePrefix ?? 'api';
  return [
    ...(prefix === ''
      ? []
      : [`has the route prefix ${prefix}; SERVICE_API_BASE_URL alone names the base path`]),
    ...(isSampled ? [] : ['keeps every line of cheap calls, or not every exception (samplingSettings)']),
    ...(hsts?.isEnabled === true && Number(hsts.maxAge) >= 180
      ? []
      : ['lets browsers come back without TLS (hsts, 180 days at least)']),
    ...(customHeaders?.['X-Content-Type-Options'] === 'nosniff'
      ? []
      : ['lets browsers guess types (X-Content-Type-Options)']),
    ...(limit >= 30 && limit <= 120
      ? []
      : [`functionTimeout is ${functionTimeout}; it must be 30 seconds to 2 minutes`]),
  ];
}
