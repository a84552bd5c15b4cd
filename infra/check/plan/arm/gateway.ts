/** API Management. */

import { type Arguments, first, inGroup, pick, placed, type Translation, text } from './translation.ts';

const service = 'Microsoft.ApiManagement/service';
const under = (args: Arguments, type: string, ...names: string[]) =>
  inGroup(args, `${service}/${type}`, text(args['api_management_name']), ...names);

export const gateway: Readonly<Record<string, Translation>> = {
  azurerm_api_management: {
    type: service,
    body: (args) => {
      const [, name = '', capacity = ''] = /^(.*)_(\d+)$/.exec(text(args['sku_name'])) ?? [];
      return {
        ...placed(args),
        sku: { name, capacity: Number(capacity) },
        identity: pick(first(args['identity']), { type: 'type' }),
        properties: {
          ...pick(args, {
            publisherName: 'publisher_name',
            publisherEmail: 'publisher_email',
            virtualNetworkType: 'virtual_network_type',
          }),
          virtualNetworkConfiguration: pick(first(args['virtual_network_configuration']), {
            subnetResourceId: 'subnet_id',
          }),
        },
      };
    },
    exports: { gateway_url: 'url' },
  },
  azurerm_api_management_backend: {
    type: `${service}/backends`,
    id: (args) => under(args, 'backends', text(args['name'])),
    body: (args) => ({
      properties: {
        ...pick(args, { protocol: 'protocol', url: 'url' }),
        tls: pick(first(args['tls']), {
          validateCertificateChain: 'validate_certificate_chain',
          validateCertificateName: 'validate_certificate_name',
        }),
      },
    }),
  },
  azurerm_api_management_api: {
    type: `${service}/apis`,
    id: (args) => under(args, 'apis', text(args['name'])),
    body: (args) => ({
      properties: {
        ...pick(args, {
          displayName: 'display_name',
          path: 'path',
          protocols: 'protocols',
          subscriptionRequired: 'subscription_required',
        }),
        ...pick(first(args['import']), { format: 'content_format', value: 'content_value' }),
      },
    }),
  },
  azurerm_api_management_api_policy: {
    type: `${service}/apis/policies`,
    id: (args) => under(args, 'apis/policies', text(args['api_name']), 'policy'),
    body: (args) => ({ properties: { format: 'rawxml', value: args['xml_content'] ?? null } }),
  },
  azurerm_api_management_logger: {
    type: `${service}/loggers`,
    id: (args) => under(args, 'loggers', text(args['name'])),
    body: (args) => ({
      properties: {
        loggerType: 'applicationInsights',
        resourceId: args['resource_id'] ?? null,
        credentials: pick(first(args['application_insights']), {
          connectionString: 'connection_string',
          identityClientId: 'identity_client_id',
        }),
      },
    }),
  },
  azurerm_api_management_api_diagnostic: {
    type: `${service}/apis/diagnostics`,
    id: (args) => under(args, 'apis/diagnostics', text(args['api_name']), text(args['identifier'])),
    body: (args) => ({
      properties: {
        ...pick(args, {
          loggerId: 'api_management_logger_id',
          httpCorrelationProtocol: 'http_correlation_protocol',
          logClientIp: 'log_client_ip',
          verbosity: 'verbosity',
        }),
        alwaysLog: args['always_log_errors'] === true ? 'allErrors' : null,
        sampling: { samplingType: 'fixed', percentage: args['sampling_percentage'] ?? null },
      },
    }),
  },
};
