import type { Finding, Project, Resource, Stack, Value } from '../model.ts';
import { armBody, at, place, show } from './walk.ts';

/** One property that protects, as each stack writes it. */
interface Protection {
  readonly bicep: readonly [type: string, path: string, value: Value];
  readonly terraform: readonly [type: string, path: string, value: Value];
}

const storage = 'Microsoft.Storage/storageAccounts';
const server = 'Microsoft.Sql/servers';

/** What every resource of a type must have; the same in both stacks. */
const protections: readonly Protection[] = [
  both(
    [storage, 'properties.allowSharedKeyAccess', false],
    ['azurerm_storage_account', 'shared_access_key_enabled', false],
  ),
  both(
    [storage, 'properties.allowBlobPublicAccess', false],
    ['azurerm_storage_account', 'allow_nested_items_to_be_public', false],
  ),
  both(
    [storage, 'properties.allowCrossTenantReplication', false],
    ['azurerm_storage_account', 'cross_tenant_replication_enabled', false],
  ),
  both(
    [storage, 'properties.defaultToOAuthAuthentication', true],
    ['azurerm_storage_account', 'default_to_oauth_authentication', true],
  ),
  both(
    [storage, 'properties.isLocalUserEnabled', false],
    ['azurerm_storage_account', 'local_user_enabled', false],
  ),
  both(
    [storage, 'properties.minimumTlsVersion', 'TLS1_2'],
    ['azurerm_storage_account', 'min_tls_version', 'TLS1_2'],
  ),
  both(
    [storage, 'properties.supportsHttpsTrafficOnly', true],
    ['azurerm_storage_account', 'https_traffic_only_enabled', true],
  ),
  both(
    [server, 'properties.administrators.azureADOnlyAuthentication', true],
    ['azurerm_mssql_server', 'azuread_administrator.0.azuread_authentication_only', true],
  ),
  both(
    [server, 'properties.minimalTlsVersion', '1.2'],
    ['azurerm_mssql_server', 'minimum_tls_version', '1.2'],
  ),
  both(
    ['Microsoft.OperationalInsights/workspaces', 'properties.features.disableLocalAuth', true],
    ['azurerm_log_analytics_workspace', 'local_authentication_enabled', false],
  ),
  both(
    ['Microsoft.Insights/components', 'properties.DisableLocalAuth', true],
    ['azurerm_application_insights', 'local_authentication_enabled', false],
  ),
  both(
    ['Microsoft.Web/sites', 'properties.siteConfig.minTlsVersion', '1.2'],
    ['Microsoft.Web/sites', 'properties.siteConfig.minTlsVersion', '1.2'],
  ),
  both(
    ['Microsoft.Web/sites/basicPublishingCredentialsPolicies', 'properties.allow', false],
    ['Microsoft.Web/sites/basicPublishingCredentialsPolicies', 'properties.allow', false],
  ),
  both(
    ['Microsoft.Sql/servers/firewallRules', 'properties.endIpAddress', '0.0.0.0'],
    ['azurerm_mssql_firewall_rule', 'end_ip_address', '0.0.0.0'],
  ),
  both(
    ['Microsoft.Sql/servers/auditingSettings', 'properties.state', 'Enabled'],
    ['azurerm_mssql_server_extended_auditing_policy', 'enabled', true],
  ),
  both(
    ['Microsoft.Graph/applications', 'properties.api.requestedAccessTokenVersion', 2],
    ['azuread_application', 'api.0.requested_access_token_version', 2],
  ),
  both(
    ['Microsoft.Graph/applications', 'properties.signInAudience', 'AzureADMyOrg'],
    ['azuread_application', 'sign_in_audience', 'AzureADMyOrg'],
  ),
];

function both(bicep: Protection['bicep'], terraform: Protection['terraform']): Protection {
  // Graph resources have no `properties` level.
  const [type, path, value] = bicep;
  return {
    bicep: [type, type.startsWith('Microsoft.Graph') ? path.replace('properties.', '') : path, value],
    terraform,
  };
}

/** Keys are off, sign-in is by Entra only, transport is TLS 1.2 or later, in both stacks alike. */
export function security({ bicep, terraform }: Project): Finding[] {
  return protections.flatMap((protection) => [
    ...holds(bicep, protection.bicep),
    ...holds(terraform, protection.terraform),
  ]);
}

function holds(stack: Stack, [type, path, value]: Protection['bicep']): Finding[] {
  const modules = Object.values(stack.modules);
  const resources = modules.flatMap((module) =>
    module.resources.filter((resource) => resource.type === type).map((resource) => ({ module, resource })),
  );
  if (resources.length === 0) return [{ file: `infra/${stack.name}`, message: `has no ${type}` }];
  return resources.flatMap(({ module, resource }) => {
    const found = protectedValue(module.locals, resource, path);
    return found === value
      ? []
      : [{ file: place(resource), message: `${path} is ${show(found)}; it must be ${show(value)}` }];
  });
}

/** The value at a path of a resource; where its properties are a variable of the module, the value in the variable. */
function protectedValue(
  locals: Readonly<Record<string, Value>>,
  resource: Resource,
  path: string,
): Value | undefined {
  const body = armBody(resource);
  const direct = at(body, path);
  if (direct !== undefined || !path.startsWith('properties.')) return direct;
  const name = show(at(body, 'properties'))
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();
  return at(locals[name], path.slice('properties.'.length));
}
