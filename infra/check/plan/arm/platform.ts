/** Groups, identities, roles, locks, the plan, and what is written as in Azure already. */

import { first, groupId, list, pick, placed, type Translation, text } from './translation.ts';

export const platform: Readonly<Record<string, Translation>> = {
  azurerm_resource_group: {
    type: 'Microsoft.Resources/resourceGroups',
    id: (args) => groupId(text(args['name'])),
    body: placed,
  },
  azurerm_user_assigned_identity: {
    type: 'Microsoft.ManagedIdentity/userAssignedIdentities',
    body: placed,
    exports: { principal_id: 'principalId', client_id: 'clientId' },
  },
  azurerm_federated_identity_credential: {
    type: 'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials',
    id: (args) =>
      `${text(args['user_assigned_identity_id'])}/federatedIdentityCredentials/${text(args['name'])}`,
    body: (args) => ({
      properties: {
        audiences: args['audience'] ?? args['audiences'] ?? null,
        ...pick(args, { issuer: 'issuer', subject: 'subject' }),
      },
    }),
  },
  azurerm_role_assignment: {
    type: 'Microsoft.Authorization/roleAssignments',
    id: (args) => `${text(args['scope'])}/providers/Microsoft.Authorization/roleAssignments/-`,
    body: (args) => ({
      properties: pick(args, {
        principalId: 'principal_id',
        principalType: 'principal_type',
        roleDefinitionId: 'role_definition_id',
        description: 'description',
      }),
    }),
  },
  azurerm_management_lock: {
    type: 'Microsoft.Authorization/locks',
    id: (args) => `${text(args['scope'])}/providers/Microsoft.Authorization/locks/${text(args['name'])}`,
    body: (args) => ({ properties: pick(args, { level: 'lock_level', notes: 'notes' }) }),
  },
  azurerm_service_plan: {
    type: 'Microsoft.Web/serverfarms',
    body: (args) => ({
      ...placed(args),
      kind: 'functionapp',
      sku: { name: args['sku_name'] ?? null, tier: args['sku_name'] === 'FC1' ? 'FlexConsumption' : '' },
      properties: {
        reserved: args['os_type'] === 'Linux',
        zoneRedundant: args['zone_balancing_enabled'] ?? false,
      },
    }),
  },
  azapi_resource: {
    type: '',
    id: (args) => {
      const [type = ''] = text(args['type']).split('@');
      const [namespace = '', ...parts] = type.split('/');
      const parent = text(args['parent_id']);
      return parent.includes(`/providers/${namespace}/`)
        ? `${parent}/${parts.at(-1)}/${text(args['name'])}`
        : `${parent}/providers/${namespace}/${parts[0]}/${text(args['name'])}`;
    },
    body: (args) => {
      const identity = first(args['identity']);
      const ids = list(pick(identity, { ids: 'identity_ids' })['ids']);
      return {
        ...placed(args),
        identity:
          identity === null
            ? null
            : {
                ...pick(identity, { type: 'type' }),
                userAssignedIdentities: Object.fromEntries(ids.map((id) => [text(id), {}])),
              },
        ...(args['body'] as Record<string, never>),
      };
    },
  },
  azapi_update_resource: {
    type: '',
    id: (args) =>
      `${text(args['parent_id'])}/${text(args['type']).split('@')[0]?.split('/').at(-1)}/${text(args['name'])}`,
    body: (args) => ({ ...(args['body'] as Record<string, never>) }),
  },
  azurerm_consumption_budget_resource_group: {
    type: 'Microsoft.Consumption/budgets',
    id: (args) =>
      `${text(args['resource_group_id'])}/providers/Microsoft.Consumption/budgets/${text(args['name'])}`,
    body: (args) => ({
      properties: {
        category: 'Cost',
        ...pick(args, { amount: 'amount', timeGrain: 'time_grain' }),
        timePeriod: {
          startDate: text(pick(first(args['time_period']), { start: 'start_date' })['start']).replace(
            /T00:00:00Z$/,
            '',
          ),
        },
        notifications: Object.fromEntries(
          list(args['notification']).map((item) => {
            const made = pick(item, {
              enabled: 'enabled',
              operator: 'operator',
              threshold: 'threshold',
              thresholdType: 'threshold_type',
              contactEmails: 'contact_emails',
              contactRoles: 'contact_roles',
            });
            return [
              `${made['thresholdType'] === 'Forecasted' ? 'foreseen' : 'spent'}${text(made['threshold'])}`,
              made,
            ];
          }),
        ),
      },
    }),
  },
};
