import flex from '../../facts/flex-consumption.json' with { type: 'json' };
import notForAzure from '../../facts/not-for-azure.json' with { type: 'json' };
import { difference, type Finding, type Project } from '../model.ts';
import { type Data, textOf } from '../plan/data.ts';
import type { PlannedResource } from '../plan/plan.ts';
import { bodyAt, ofType, overPlans } from './views.ts';

/** The apps get every variable of shared/config/variables.ts, but those that are not for Azure, and nothing else but the platform's own. */
export function settings(project: Project): Finding[] {
  const { settingNames, files } = project;
  const wanted = [...settingNames.filter((name) => !(name in notForAzure)), ...flex.platformSettings];
  const gone = Object.keys(notForAzure).filter((name) => !settingNames.includes(name));
  return [
    ...overPlans(project, (view) => {
      const [missing, surplus] = difference(
        wanted,
        ofType(view, 'Microsoft.Web/sites').flatMap(appSettingNames),
      );
      return [
        ...missing.map((name) => `does not set ${name}`),
        ...surplus.map((name) => `sets ${name}, which nothing reads`),
      ];
    }),
    ...hostFaults(files.get('host.json')).map((message) => ({ file: 'host.json', message })),
    ...gone.map((name) => ({
      file: 'infra/facts/not-for-azure.json',
      message: `${name} is no longer a setting`,
    })),
  ];
}

/** The names of an app's settings. */
export function appSettingNames(site: PlannedResource): string[] {
  const list = bodyAt(site, 'properties.siteConfig.appSettings');
  return (Array.isArray(list) ? list : []).map((item) =>
    textOf((item as Record<string, Data>)['name'] ?? null),
  );
}

/** The base path is a setting, so the host puts nothing before paths. A call has 10 seconds: a worker that hangs is replaced soon after, not after 30 minutes. */
function hostFaults(text = '{}'): string[] {
  const { functionTimeout = '', extensions } = JSON.parse(text);
  const [hours = 0, minutes = 0, seconds = 0] = functionTimeout.split(':').map(Number);
  const limit = hours * 3600 + minutes * 60 + seconds;
  const prefix = extensions?.http?.routePrefix ?? 'api';
  return [
    ...(prefix === ''
      ? []
      : [`has the route prefix ${prefix}; SERVICE_API_BASE_URL alone names the base path`]),
    ...(limit >= 30 && limit <= 120
      ? []
      : [`functionTimeout is ${functionTimeout || 'missing'}; it must be 30 seconds to 2 minutes`]),
  ];
}
