/** Workspace, telemetry, diagnostic settings and alerts. */

import type { Data } from '../data.ts';
import { first, list, object, pick, placed, type Translation, text } from './translation.ts';

const negated = (value: Data | undefined): Data => (typeof value === 'boolean' ? !value : null);
const actions = (args: Readonly<Record<string, Data>>) =>
  list(args['action']).map((item) => pick(item, { actionGroupId: 'action_group_id' }));

export const monitoring: Readonly<Record<string, Translation>> = {
  azurerm_log_analytics_workspace: {
    type: 'Microsoft.OperationalInsights/workspaces',
    body: (args) => ({
      ...placed(args),
      properties: {
        sku: { name: args['sku'] ?? 'PerGB2018' },
        retentionInDays: args['retention_in_days'] ?? null,
        features: {
          disableLocalAuth: negated(args['local_authentication_enabled']),
          enableLogAccessUsingOnlyResourcePermissions: args['allow_resource_only_permissions'] ?? true,
        },
        workspaceCapping: { dailyQuotaGb: args['daily_quota_gb'] ?? null },
      },
    }),
  },
  azurerm_application_insights: {
    type: 'Microsoft.Insights/components',
    body: (args) => ({
      ...placed(args),
      kind: args['application_type'] ?? null,
      properties: {
        Application_Type: args['application_type'] ?? null,
        WorkspaceResourceId: args['workspace_id'] ?? null,
        DisableLocalAuth: negated(args['local_authentication_enabled']),
      },
    }),
    exports: { connection_string: 'connectionString' },
  },
  azurerm_monitor_diagnostic_setting: {
    type: 'Microsoft.Insights/diagnosticSettings',
    id: (args) =>
      `${text(args['target_resource_id'])}/providers/Microsoft.Insights/diagnosticSettings/${text(args['name'])}`,
    body: (args) => ({
      properties: {
        workspaceId: args['log_analytics_workspace_id'] ?? null,
        logs: list(args['enabled_log']).map((item) => ({ ...object(item), enabled: true })),
        metrics: list(args['enabled_metric']).map((item) => ({ ...object(item), enabled: true })),
      },
    }),
  },
  azurerm_monitor_action_group: {
    type: 'Microsoft.Insights/actionGroups',
    body: (args) => ({
      location: 'global',
      tags: args['tags'] ?? null,
      properties: {
        ...pick(args, { enabled: 'enabled', groupShortName: 'short_name' }),
        emailReceivers: list(args['email_receiver']).map((item) =>
          pick(item, {
            name: 'name',
            emailAddress: 'email_address',
            useCommonAlertSchema: 'use_common_alert_schema',
          }),
        ),
      },
    }),
  },
  azurerm_monitor_metric_alert: {
    type: 'Microsoft.Insights/metricAlerts',
    body: (args) => ({
      location: 'global',
      tags: args['tags'] ?? null,
      properties: {
        ...pick(args, {
          description: 'description',
          enabled: 'enabled',
          severity: 'severity',
          scopes: 'scopes',
          evaluationFrequency: 'frequency',
          windowSize: 'window_size',
          autoMitigate: 'auto_mitigate',
        }),
        criteria: criteria(args),
        actions: actions(args),
      },
    }),
  },
  azurerm_monitor_scheduled_query_rules_alert_v2: {
    type: 'Microsoft.Insights/scheduledQueryRules',
    body: (args) => ({
      ...placed(args),
      kind: 'LogAlert',
      properties: {
        ...pick(args, {
          displayName: 'display_name',
          description: 'description',
          enabled: 'enabled',
          severity: 'severity',
          scopes: 'scopes',
          evaluationFrequency: 'evaluation_frequency',
          windowSize: 'window_duration',
          autoMitigate: 'auto_mitigation_enabled',
          skipQueryValidation: 'skip_query_validation',
        }),
        criteria: {
          allOf: list(args['criteria']).map((item) =>
            pick(item, {
              query: 'query',
              timeAggregation: 'time_aggregation_method',
              operator: 'operator',
              threshold: 'threshold',
            }),
          ),
        },
        actions: { actionGroups: pick(first(args['action']), { groups: 'action_groups' })['groups'] ?? null },
      },
    }),
  },
  azurerm_application_insights_standard_web_test: {
    type: 'Microsoft.Insights/webtests',
    body: (args) => {
      const [request, rules] = [first(args['request']), first(args['validation_rules'])];
      return {
        location: args['location'] ?? null,
        tags: {
          ...object(args['tags']),
          [`hidden-link:${text(args['application_insights_id'])}`]: 'Resource',
        },
        kind: 'standard',
        properties: {
          Kind: 'standard',
          SyntheticMonitorId: args['name'] ?? null,
          ...pick(args, {
            Name: 'name',
            Enabled: 'enabled',
            Frequency: 'frequency',
            Timeout: 'timeout',
            RetryEnabled: 'retry_enabled',
          }),
          Locations: list(args['geo_locations']).map((Id) => ({ Id })),
          Request: pick(request, {
            RequestUrl: 'url',
            HttpVerb: 'http_verb',
            FollowRedirects: 'follow_redirects_enabled',
            ParseDependentRequests: 'parse_dependent_requests_enabled',
          }),
          ValidationRules: pick(rules, {
            ExpectedHttpStatusCode: 'expected_status_code',
            SSLCheck: 'ssl_check_enabled',
            SSLCertRemainingLifetimeCheck: 'ssl_cert_remaining_lifetime',
          }),
        },
      };
    },
  },
};

function criteria(args: Readonly<Record<string, Data>>): Record<string, Data> {
  const webTest = first(args['application_insights_web_test_location_availability_criteria']);
  if (webTest !== null)
    return {
      'odata.type': 'Microsoft.Azure.Monitor.WebtestLocationAvailabilityCriteria',
      ...pick(webTest, {
        componentId: 'component_id',
        webTestId: 'web_test_id',
        failedLocationCount: 'failed_location_count',
      }),
    };
  return {
    'odata.type': 'Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria',
    allOf: list(args['criteria']).map((item) => ({
      criterionType: 'StaticThresholdCriterion',
      ...pick(item, {
        metricNamespace: 'metric_namespace',
        metricName: 'metric_name',
        timeAggregation: 'aggregation',
        operator: 'operator',
        threshold: 'threshold',
        skipMetricValidation: 'skip_metric_validation',
      }),
    })),
  };
}
