/** Storage accounts, the SQL server and its databases. */

import type { Data } from '../data.ts';
import { enabled, first, object, pick, placed, type Translation, text } from './translation.ts';

/** `GP_S_Gen5_1` and the like: what the provider makes of a size. */
function databaseSku(name: string): Record<string, Data> {
  const dtu: Readonly<Record<string, Record<string, Data>>> = {
    Basic: { name: 'Basic', tier: 'Basic', capacity: 5 },
    S0: { name: 'S0', tier: 'Standard', capacity: 10 },
    S1: { name: 'S1', tier: 'Standard', capacity: 20 },
    S2: { name: 'S2', tier: 'Standard', capacity: 50 },
  };
  const [, size = '', capacity = ''] = /^(GP(?:_S)?_Gen5)_(\d+)$/.exec(name) ?? [];
  return dtu[name] ?? { name: size, tier: 'GeneralPurpose', family: 'Gen5', capacity: Number(capacity) };
}

const days = (value: Data, path: string) => object(first(object(first(value))[path]))['days'] ?? null;

export const storageAndSql: Readonly<Record<string, Translation>> = {
  azurerm_storage_account: {
    type: 'Microsoft.Storage/storageAccounts',
    body: (args) => ({
      ...placed(args),
      kind: args['account_kind'] ?? 'StorageV2',
      sku: { name: `${text(args['account_tier'])}_${text(args['account_replication_type'])}` },
      properties: {
        ...pick(args, {
          allowSharedKeyAccess: 'shared_access_key_enabled',
          allowBlobPublicAccess: 'allow_nested_items_to_be_public',
          allowCrossTenantReplication: 'cross_tenant_replication_enabled',
          defaultToOAuthAuthentication: 'default_to_oauth_authentication',
          isLocalUserEnabled: 'local_user_enabled',
          minimumTlsVersion: 'min_tls_version',
          supportsHttpsTrafficOnly: 'https_traffic_only_enabled',
        }),
        publicNetworkAccess: enabled(args['public_network_access_enabled']),
      },
    }),
    parts: (args) => [
      ...('blob_properties' in args
        ? [
            {
              type: 'Microsoft.Storage/storageAccounts/blobServices',
              path: 'blobServices/default',
              body: {
                properties: {
                  deleteRetentionPolicy: {
                    enabled: true,
                    days: days(args['blob_properties'] ?? null, 'delete_retention_policy'),
                  },
                },
              },
            },
          ]
        : []),
    ],
    exports: { primary_blob_endpoint: 'blobEndpoint', primary_table_endpoint: 'tableEndpoint' },
  },
  azurerm_storage_container: {
    type: 'Microsoft.Storage/storageAccounts/blobServices/containers',
    id: (args) => `${text(args['storage_account_id'])}/blobServices/default/containers/${text(args['name'])}`,
    body: (args) => ({
      properties: {
        publicAccess:
          args['container_access_type'] === 'private' ? 'None' : (args['container_access_type'] ?? null),
      },
    }),
  },
  azurerm_mssql_server: {
    type: 'Microsoft.Sql/servers',
    body: (args) => {
      const administrator = first(args['azuread_administrator']);
      return {
        ...placed(args),
        properties: {
          ...pick(args, { version: 'version', minimalTlsVersion: 'minimum_tls_version' }),
          publicNetworkAccess: enabled(args['public_network_access_enabled']),
          administrators: {
            administratorType: 'ActiveDirectory',
            ...pick(administrator, {
              azureADOnlyAuthentication: 'azuread_authentication_only',
              login: 'login_username',
              sid: 'object_id',
              tenantId: 'tenant_id',
            }),
          },
        },
      };
    },
    exports: { fully_qualified_domain_name: 'hostName' },
  },
  azurerm_mssql_database: {
    type: 'Microsoft.Sql/servers/databases',
    id: (args) => `${text(args['server_id'])}/databases/${text(args['name'])}`,
    body: (args) => ({
      tags: args['tags'] ?? null,
      sku: databaseSku(text(args['sku_name'])),
      properties: {
        ...pick(args, {
          collation: 'collation',
          autoPauseDelay: 'auto_pause_delay_in_minutes',
          minCapacity: 'min_capacity',
          zoneRedundant: 'zone_redundant',
          requestedBackupStorageRedundancy: 'storage_account_type',
        }),
        maxSizeBytes: Number(args['max_size_gb']) * 1073741824,
      },
    }),
    parts: (args) => {
      const [short, long] = [
        first(args['short_term_retention_policy']),
        first(args['long_term_retention_policy']),
      ];
      return [
        {
          type: 'Microsoft.Sql/servers/databases/backupShortTermRetentionPolicies',
          path: 'backupShortTermRetentionPolicies/default',
          body: { properties: pick(short, { retentionDays: 'retention_days' }) },
        },
        ...(long === null
          ? []
          : [
              {
                type: 'Microsoft.Sql/servers/databases/backupLongTermRetentionPolicies',
                path: 'backupLongTermRetentionPolicies/default',
                body: {
                  properties: pick(long, {
                    weeklyRetention: 'weekly_retention',
                    monthlyRetention: 'monthly_retention',
                    yearlyRetention: 'yearly_retention',
                    weekOfYear: 'week_of_year',
                  }),
                },
              },
            ]),
      ];
    },
  },
  azurerm_mssql_firewall_rule: {
    type: 'Microsoft.Sql/servers/firewallRules',
    id: (args) => `${text(args['server_id'])}/firewallRules/${text(args['name'])}`,
    body: (args) => ({
      properties: pick(args, { startIpAddress: 'start_ip_address', endIpAddress: 'end_ip_address' }),
    }),
  },
  azurerm_mssql_server_extended_auditing_policy: {
    type: 'Microsoft.Sql/servers/auditingSettings',
    id: (args) => `${text(args['server_id'])}/auditingSettings/default`,
    body: (args) => ({
      properties: {
        state: enabled(args['enabled']),
        isAzureMonitorTargetEnabled: args['log_monitoring_enabled'] ?? null,
        auditActionsAndGroups: args['audit_actions_and_groups'] ?? null,
      },
    }),
  },
};
