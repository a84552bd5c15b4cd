import flex from '../../facts/flex-consumption.json' with { type: 'json' };
import notForAzure from '../../facts/not-for-azure.json' with { type: 'json' };
import { difference, type Finding, type Project } from '../model.ts';
import { bodyAt, listAt, nameOf, ofType, overPlans, role, type View } from './views.ts';

/** Each app gets the variables of shared/config/variables.ts, and nothing else but the platform's own; the pages of plans show their values. Left out are those that are not for Azure, and those of an API that the app does not serve. */
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
    const app = role(nameOf(site.id));
    const list = listAt(bodyAt(site, 'properties.siteConfig.appSettings')) as {
      name: string;
      value: string;
    }[];
    const apis = list.find(({ name }) => name === 'APIS')?.value.split(',') ?? [];
    const due = names.filter((name) => apis.some((api) => (apiOf(name) ?? api) === api));
    const [missing, surplus] = difference(
      due,
      list.map(({ name }) => name),
    );
    return [
      ...missing.map((name) => `does not set ${name} of ${app}`),
      ...surplus.map((name) => `sets ${name} of ${app}, which nothing reads`),
    ];
  });
}

/** The API that a setting is for; undefined: both. */
function apiOf(name: string): string | undefined {
  if (/^(?:CALENDAR_|SITE_|EMBED_ORIGINS$|MAP_TILES$)/.test(name)) return 'calendar';
  return /^(?:DB_|OBJECT_|BIND_|SERVICE_API_USERNAME$)/.test(name) ? 'records' : undefined;
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
