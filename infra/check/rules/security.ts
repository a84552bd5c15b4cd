import type { Finding, Project } from '../model.ts';
import type { Data } from '../plan/data.ts';
import { bodyAt, mustBe, ofType, overPlans, role } from './views.ts';

const storage = 'Microsoft.Storage/storageAccounts';
const server = 'Microsoft.Sql/servers';

/** What every resource of a type must have, in both stacks: keys are off, sign-in is by Entra only, transport is TLS 1.2 or later. */
const protections: readonly (readonly [type: string, path: string, value: Data])[] = [
  [storage, 'properties.allowSharedKeyAccess', false],
  [storage, 'properties.allowBlobPublicAccess', false],
  [storage, 'properties.allowCrossTenantReplication', false],
  [storage, 'properties.defaultToOAuthAuthentication', true],
  [storage, 'properties.isLocalUserEnabled', false],
  [storage, 'properties.minimumTlsVersion', 'TLS1_2'],
  [storage, 'properties.supportsHttpsTrafficOnly', true],
  [server, 'properties.administrators.azureADOnlyAuthentication', true],
  [server, 'properties.minimalTlsVersion', '1.2'],
  ['Microsoft.OperationalInsights/workspaces', 'properties.features.disableLocalAuth', true],
  ['Microsoft.Insights/components', 'properties.DisableLocalAuth', true],
  ['Microsoft.Web/sites', 'properties.siteConfig.minTlsVersion', '1.2'],
  ['Microsoft.Web/sites', 'properties.httpsOnly', true],
  ['Microsoft.Web/sites/basicPublishingCredentialsPolicies', 'properties.allow', false],
  ['Microsoft.Sql/servers/firewallRules', 'properties.endIpAddress', '0.0.0.0'],
  ['Microsoft.Sql/servers/auditingSettings', 'properties.state', 'Enabled'],
];

/** What is deployed takes no keys and no passwords, and nothing without encryption. */
export function security(project: Project): Finding[] {
  return overPlans(project, (view) =>
    protections.flatMap(([type, path, value]) =>
      ofType(view, type).flatMap((item) => mustBe(`${path} of ${role(item.id)}`, bodyAt(item, path), value)),
    ),
  );
}
