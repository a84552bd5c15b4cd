import flex from '../../facts/flex-consumption.json' with { type: 'json' };
import type { Finding, Project } from '../model.ts';
import type { Data } from '../plan/data.ts';
import { appSettingNames } from './settings.ts';
import { bodyAt, mustBe, ofType, overPlans, role } from './views.ts';

const needed = {
  'functionAppConfig.runtime.name': 'node',
  'functionAppConfig.deployment.storage.type': 'blobContainer',
  'functionAppConfig.deployment.storage.authentication.type': 'UserAssignedIdentity',
};

/** Nothing that Flex Consumption rejects or ignores, and everything that its identity-based form needs. */
export function flexConsumption(project: Project): Finding[] {
  return overPlans(project, (view) =>
    ofType(view, 'Microsoft.Web/sites').flatMap((site) => {
      const names = appSettingNames(site);
      const present = (path: string, list: readonly string[]) => {
        const found = bodyAt(site, path);
        return list.filter((name) => found !== null && name in (found as { [name: string]: Data }));
      };
      const rejected = [
        ...present('properties', flex.forbiddenSiteProperties),
        ...present('properties.siteConfig', flex.forbiddenSiteConfigProperties),
      ];
      return [
        ...flex.forbiddenSettings
          .filter((setting) => names.includes(setting))
          .map((setting) => `the setting ${setting} must not be set on Flex Consumption`),
        ...rejected.map((name) => `Flex Consumption rejects ${name} (51021)`),
        ...Object.entries(needed).flatMap(([path, value]) =>
          mustBe(`${path} of ${role(site.id)}`, bodyAt(site, `properties.${path}`), value),
        ),
      ];
    }),
  );
}
