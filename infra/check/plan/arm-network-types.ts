/** Monitoring, networks and the gateway of Terraform's providers, and what they are in Azure. */

import { type Data, textOf } from './data.ts';
import { type Arguments, type ArmType, block, blocks, firstOf, list, object, placed } from './places.ts';

const negated = (path: string) => (value: Data) => ({ [path]: value !== true });
const service = '{group}/providers/Microsoft.ApiManagement/service/{api_management_name}';
const location = { location: 'global' };

export const monitoring: Readonly<Record<string, ArmType>> = {
  azurerm_log_analytics_workspace: {
    type: 'Microsoft.OperationalInsights/workspaces',
    places: {
      sku: 'properties.sku.name',
      local_authentication_enabled: negated('properties.features.disableLocalAuth'),
      allow_resource_only_permissions: 'properties.features.enableLogAccessUsingOnlyResourcePermissions',
      daily_quota_gb: 'properties.workspaceCapping.dailyQuotaGb',
    },
    implied: {
      'properties.sku.name': 'PerGB2018',
      'properties.features.enableLogAccessUsingOnlyResourcePermissions': true,
    },
  },
  azurerm_application_insights: {
    type: 'Microsoft.Insights/components',
    places: {
      application_type: (kind) => ({ kind, 'properties.Application_Type': kind }),
      workspace_id: 'properties.WorkspaceResourceId',
      local_authentication_enabled: negated('properties.DisableLocalAuth'),
    },
    exports: { connection_string: 'connectionString' },
  },
  azurerm_monitor_diagnostic_setting: {
    type: 'Microsoft.Insights/diagnosticSettings',
    id: '{target_resource_id}/providers/Microsoft.Insights/diagnosticSettings/{name}',
    places: {
      log_analytics_workspace_id: 'properties.workspaceId',
      ...Object.fromEntries(
        ['log', 'metric'].map((kind) => [
          `enabled_${kind}`,
          (items: Data) => ({
            [`properties.${kind}s`]: list(items).map((item) => ({ ...object(item), enabled: true })),
          }),
        ]),
      ),
    },
  },
  azurerm_monitor_action_group: {
    type: 'Microsoft.Insights/actionGroups',
    places: { short_name: 'properties.groupShortName', email_receiver: blocks('properties.emailReceivers') },
    implied: location,
  },
  azurerm_monitor_metric_alert: {
    type: 'Microsoft.Insights/metricAlerts',
    places: {
      frequency: 'properties.evaluationFrequency',
      action: blocks('properties.actions'),
      criteria: blocks('properties.criteria.allOf', { aggregation: 'timeAggregation' }),
      application_insights_web_test_location_availability_criteria: block('properties.criteria'),
    },
    implied: location,
  },
  azurerm_monitor_scheduled_query_rules_alert_v2: {
    type: 'Microsoft.Insights/scheduledQueryRules',
    places: {
      window_duration: 'properties.windowSize',
      auto_mitigation_enabled: 'properties.autoMitigate',
      criteria: blocks('properties.criteria.allOf', { time_aggregation_method: 'timeAggregation' }),
      action: (value) => ({ 'properties.actions.actionGroups': firstOf(value)['action_groups'] ?? null }),
    },
    implied: { kind: 'LogAlert' },
  },
  azurerm_application_insights_standard_web_test: {
    type: 'Microsoft.Insights/webtests',
    places: {
      tags: (tags, args) => ({
        tags: {
          ...object(tags),
          [`hidden-link:${textOf(args['application_insights_id'] ?? '')}`]: 'Resource',
        },
      }),
      application_insights_id: '',
      name: (name) => ({ 'properties.SyntheticMonitorId': name, 'properties.Name': name }),
      enabled: 'properties.Enabled',
      frequency: 'properties.Frequency',
      timeout: 'properties.Timeout',
      retry_enabled: 'properties.RetryEnabled',
      geo_locations: (places) => ({ 'properties.Locations': list(places).map((Id) => ({ Id })) }),
      request: block('properties.Request', {
        url: 'RequestUrl',
        http_verb: 'HttpVerb',
        follow_redirects_enabled: 'FollowRedirects',
        parse_dependent_requests_enabled: 'ParseDependentRequests',
      }),
      validation_rules: block('properties.ValidationRules', {
        expected_status_code: 'ExpectedHttpStatusCode',
        ssl_check_enabled: 'SSLCheck',
        ssl_cert_remaining_lifetime: 'SSLCertRemainingLifetimeCheck',
      }),
    },
    implied: { kind: 'standard', 'properties.Kind': 'standard' },
  },
};

const connection = (args: Arguments) => firstOf(args['private_service_connection']);
/** An endpoint that someone else has to approve has another property. */
const connections = (args: Arguments) =>
  `properties.${connection(args)['is_manual_connection'] === true ? 'manualP' : 'p'}rivateLinkServiceConnections`;
const nested = (item: Data, renamed: Readonly<Record<string, string>> = {}) => {
  const { name = null, ...rest } = object(item);
  return { name, properties: placed(rest, renamed) };
};

export const network: Readonly<Record<string, ArmType>> = {
  azurerm_virtual_network: {
    type: 'Microsoft.Network/virtualNetworks',
    places: { address_space: 'properties.addressSpace.addressPrefixes' },
  },
  azurerm_network_security_group: {
    type: 'Microsoft.Network/networkSecurityGroups',
    places: {
      security_rule: (rules) => ({ 'properties.securityRules': list(rules).map((item) => nested(item)) }),
    },
  },
  azurerm_subnet: {
    type: 'Microsoft.Network/virtualNetworks/subnets',
    id: '{group}/providers/Microsoft.Network/virtualNetworks/{virtual_network_name}/subnets/{name}',
    places: {
      address_prefixes: (prefixes) => ({ 'properties.addressPrefix': list(prefixes)[0] ?? null }),
      default_outbound_access_enabled: 'properties.defaultOutboundAccess',
      delegation: (items) => ({
        'properties.delegations': list(items).map((item) => ({
          name: object(item)['name'] ?? null,
          properties: { serviceName: firstOf(object(item)['service_delegation'])['name'] ?? null },
        })),
      }),
    },
  },
  // In Azure a property of the subnet.
  azurerm_subnet_network_security_group_association: {
    type: 'part',
    id: '{subnet_id}',
    places: { network_security_group_id: 'properties.networkSecurityGroup.id' },
  },
  azurerm_private_endpoint: {
    type: 'Microsoft.Network/privateEndpoints',
    places: {
      subnet_id: 'properties.subnet.id',
      private_dns_zone_group: '',
      private_service_connection: (items, args) => ({
        [connections(args)]: list(items).map((item) =>
          nested(item, {
            is_manual_connection: '',
            private_connection_resource_id: 'privateLinkServiceId',
            subresource_names: 'groupIds',
          }),
        ),
      }),
    },
    parts: (args) =>
      list(args['private_dns_zone_group']).map((group) => ({
        type: 'Microsoft.Network/privateEndpoints/privateDnsZoneGroups',
        id: `privateDnsZoneGroups/${textOf(object(group)['name'] ?? '')}`,
        body: {
          properties: {
            privateDnsZoneConfigs: list(object(group)['private_dns_zone_ids']).map((privateDnsZoneId) => ({
              name: list(connection(args)['subresource_names'])[0] ?? null,
              properties: { privateDnsZoneId },
            })),
          },
        },
      })),
  },
  azurerm_private_dns_zone: { type: 'Microsoft.Network/privateDnsZones', implied: location },
  azurerm_private_dns_zone_virtual_network_link: {
    type: 'Microsoft.Network/privateDnsZones/virtualNetworkLinks',
    id: '{private_dns_zone_id}/virtualNetworkLinks/{name}',
    places: { virtual_network_id: 'properties.virtualNetwork.id' },
    implied: location,
  },
};

export const gateway: Readonly<Record<string, ArmType>> = {
  azurerm_api_management: {
    type: 'Microsoft.ApiManagement/service',
    places: {
      sku_name: (size) => {
        const [name = '', capacity = ''] = textOf(size).split('_');
        return { sku: { name, capacity: Number(capacity) } };
      },
      identity: block('identity'),
      virtual_network_configuration: block('properties.virtualNetworkConfiguration', {
        subnet_id: 'subnetResourceId',
      }),
    },
    exports: { gateway_url: 'url', 'identity.0.principal_id': 'principalId' },
  },
  azurerm_api_management_backend: {
    type: 'Microsoft.ApiManagement/service/backends',
    id: `${service}/backends/{name}`,
    places: { tls: block('properties.tls') },
  },
  azurerm_api_management_api: {
    type: 'Microsoft.ApiManagement/service/apis',
    id: `${service}/apis/{name}`,
    places: {
      revision: '',
      import: block('properties', { content_format: 'format', content_value: 'value' }),
    },
  },
  azurerm_api_management_api_policy: {
    type: 'Microsoft.ApiManagement/service/apis/policies',
    id: `${service}/apis/{api_name}/policies/policy`,
    places: { xml_content: 'properties.value' },
    implied: { 'properties.format': 'rawxml' },
  },
  azurerm_api_management_logger: {
    type: 'Microsoft.ApiManagement/service/loggers',
    id: `${service}/loggers/{name}`,
    places: { application_insights: block('properties.credentials') },
    implied: { 'properties.loggerType': 'applicationInsights' },
  },
  azurerm_api_management_api_diagnostic: {
    type: 'Microsoft.ApiManagement/service/apis/diagnostics',
    id: `${service}/apis/{api_name}/diagnostics/{identifier}`,
    places: {
      api_management_logger_id: 'properties.loggerId',
      always_log_errors: (value) => ({ 'properties.alwaysLog': value === true ? 'allErrors' : null }),
      sampling_percentage: 'properties.sampling.percentage',
    },
    implied: { 'properties.sampling.samplingType': 'fixed' },
  },
};
