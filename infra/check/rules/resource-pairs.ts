import type { Finding, Module, Project } from '../model.ts';
import { difference } from './walk.ts';

/** What a resource of Bicep is called in Terraform. Types that azapi makes have the same name in both. */
const pairs: Readonly<Record<string, string>> = {
  'Microsoft.Resources/resourceGroups': 'azurerm_resource_group',
  'Microsoft.ManagedIdentity/userAssignedIdentities': 'azurerm_user_assigned_identity',
  'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials':
    'azurerm_federated_identity_credential',
  'Microsoft.Authorization/roleAssignments': 'azurerm_role_assignment',
  'Microsoft.Authorization/locks': 'azurerm_management_lock',
  'Microsoft.Storage/storageAccounts': 'azurerm_storage_account',
  'Microsoft.Storage/storageAccounts/blobServices/containers': 'azurerm_storage_container',
  'Microsoft.Web/serverfarms': 'azurerm_service_plan',
  'Microsoft.Sql/servers': 'azurerm_mssql_server',
  'Microsoft.Sql/servers/databases': 'azurerm_mssql_database',
  'Microsoft.Sql/servers/firewallRules': 'azurerm_mssql_firewall_rule',
  'Microsoft.Sql/servers/auditingSettings': 'azurerm_mssql_server_extended_auditing_policy',
  'Microsoft.OperationalInsights/workspaces': 'azurerm_log_analytics_workspace',
  'Microsoft.Insights/components': 'azurerm_application_insights',
  'Microsoft.Insights/diagnosticSettings': 'azurerm_monitor_diagnostic_setting',
  'Microsoft.Insights/actionGroups': 'azurerm_monitor_action_group',
  'Microsoft.Insights/metricAlerts': 'azurerm_monitor_metric_alert',
  'Microsoft.Insights/scheduledQueryRules': 'azurerm_monitor_scheduled_query_rules_alert_v2',
  'Microsoft.Insights/webtests': 'azurerm_application_insights_standard_web_test',
  'Microsoft.Consumption/budgets': 'azurerm_consumption_budget_resource_group',
  'Microsoft.Network/virtualNetworks': 'azurerm_virtual_network',
  'Microsoft.Network/virtualNetworks/subnets': 'azurerm_subnet',
  'Microsoft.Network/networkSecurityGroups': 'azurerm_network_security_group',
  'Microsoft.Network/privateEndpoints': 'azurerm_private_endpoint',
  'Microsoft.Network/privateDnsZones': 'azurerm_private_dns_zone',
  'Microsoft.Network/privateDnsZones/virtualNetworkLinks': 'azurerm_private_dns_zone_virtual_network_link',
  'Microsoft.ApiManagement/service': 'azurerm_api_management',
  'Microsoft.ApiManagement/service/backends': 'azurerm_api_management_backend',
  'Microsoft.ApiManagement/service/apis': 'azurerm_api_management_api',
  'Microsoft.ApiManagement/service/apis/policies': 'azurerm_api_management_api_policy',
  'Microsoft.ApiManagement/service/loggers': 'azurerm_api_management_logger',
  'Microsoft.ApiManagement/service/apis/diagnostics': 'azurerm_api_management_api_diagnostic',
  'Microsoft.Graph/applications': 'azuread_application',
  'Microsoft.Graph/servicePrincipals': 'azuread_service_principal',
  'Microsoft.Graph/appRoleAssignedTo': 'azuread_app_role_assignment',
};

/** Resources that are a part of another one in the other stack. */
const parts: Readonly<Record<string, string>> = {
  'Microsoft.Storage/storageAccounts/blobServices': 'azurerm_storage_account.blob_properties',
  'Microsoft.Storage/storageAccounts/tableServices': 'there in each account; Bicep names it as the parent',
  'Microsoft.Sql/servers/databases/backupLongTermRetentionPolicies':
    'azurerm_mssql_database.long_term_retention_policy',
  'Microsoft.Sql/servers/databases/backupShortTermRetentionPolicies':
    'azurerm_mssql_database.short_term_retention_policy',
  'Microsoft.Network/privateEndpoints/privateDnsZoneGroups':
    'azurerm_private_endpoint.private_dns_zone_group',
  azurerm_subnet_network_security_group_association: 'subnets.networkSecurityGroup',
  azuread_application_pre_authorized: 'applications.api.preAuthorizedApplications',
};

/** Each module makes the same resources in both stacks, and as many of each. */
export function resourcePairs({ bicep, terraform }: Project): Finding[] {
  return Object.keys(bicep.modules).flatMap((name) => {
    const [item, other] = [bicep.modules[name], terraform.modules[name]];
    if (!item || !other) return [];
    const [missing, surplus] = difference(resourcesOf(item), resourcesOf(other));
    return [
      ...missing.map((resource) => ({ file: other.file, message: `lacks ${resource} of infra/bicep` })),
      ...surplus.map((resource) => ({
        file: other.file,
        message: `has ${resource}, which infra/bicep lacks`,
      })),
    ];
  });
}

/** The resources of a module by their Terraform names, numbered where there are several: `azurerm_subnet 2`. */
function resourcesOf(module: Module): string[] {
  const seen = new Map<string, number>();
  return module.resources
    .filter(({ type }) => !type.startsWith('existing ') && !(type in parts))
    .map(({ type }) => {
      const name = pairs[type] ?? type;
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      return count === 1 ? name : `${name} ${count}`;
    });
}
