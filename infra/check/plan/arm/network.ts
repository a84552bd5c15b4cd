/** The virtual network, private endpoints and their DNS zones. */

import {
  type Arguments,
  first,
  inGroup,
  list,
  object,
  pick,
  placed,
  type Translation,
  text,
} from './translation.ts';

export const network: Readonly<Record<string, Translation>> = {
  azurerm_virtual_network: {
    type: 'Microsoft.Network/virtualNetworks',
    body: (args) => ({
      ...placed(args),
      properties: { addressSpace: { addressPrefixes: args['address_space'] ?? null } },
    }),
  },
  azurerm_network_security_group: {
    type: 'Microsoft.Network/networkSecurityGroups',
    body: (args) => ({
      ...placed(args),
      properties: {
        securityRules: list(args['security_rule']).map((item) => ({
          ...pick(item, { name: 'name' }),
          properties: pick(item, {
            description: 'description',
            direction: 'direction',
            access: 'access',
            priority: 'priority',
            protocol: 'protocol',
            sourceAddressPrefix: 'source_address_prefix',
            sourcePortRange: 'source_port_range',
            destinationAddressPrefix: 'destination_address_prefix',
            destinationPortRange: 'destination_port_range',
          }),
        })),
      },
    }),
  },
  azurerm_subnet: {
    type: 'Microsoft.Network/virtualNetworks/subnets',
    id: (args) =>
      inGroup(
        args,
        'Microsoft.Network/virtualNetworks/subnets',
        text(args['virtual_network_name']),
        text(args['name']),
      ),
    body: (args) => ({
      properties: {
        addressPrefix: first(args['address_prefixes']),
        ...pick(args, {
          defaultOutboundAccess: 'default_outbound_access_enabled',
          privateEndpointNetworkPolicies: 'private_endpoint_network_policies',
        }),
        delegations: list(args['delegation']).map((item) => ({
          ...pick(item, { name: 'name' }),
          properties: {
            serviceName: pick(first(object(item)['service_delegation']), { name: 'name' })['name'] ?? null,
          },
        })),
      },
    }),
  },
  // In Azure a property of the subnet; compared as a separate resource.
  azurerm_subnet_network_security_group_association: {
    type: 'subnet security group',
    id: (args) => `${text(args['subnet_id'])}/networkSecurityGroup`,
    body: (args) => ({ id: args['network_security_group_id'] ?? null }),
  },
  azurerm_private_endpoint: {
    type: 'Microsoft.Network/privateEndpoints',
    body: (args) => ({
      ...placed(args),
      properties: {
        subnet: { id: args['subnet_id'] ?? null },
        // One that someone else has to approve is another property.
        [isManual(args) ? 'manualPrivateLinkServiceConnections' : 'privateLinkServiceConnections']: list(
          args['private_service_connection'],
        ).map((item) => ({
          ...pick(item, { name: 'name' }),
          properties: pick(item, {
            privateLinkServiceId: 'private_connection_resource_id',
            groupIds: 'subresource_names',
          }),
        })),
      },
    }),
    parts: (args) => {
      const group = first(args['private_dns_zone_group']) ?? null;
      if (group === null) return [];
      const connection = object(first(args['private_service_connection']));
      const { name = null, zones = null } = pick(group, { name: 'name', zones: 'private_dns_zone_ids' });
      return [
        {
          type: 'Microsoft.Network/privateEndpoints/privateDnsZoneGroups',
          path: `privateDnsZoneGroups/${text(name)}`,
          body: {
            properties: {
              privateDnsZoneConfigs: list(zones).map((privateDnsZoneId) => ({
                name: first(connection['subresource_names']),
                properties: { privateDnsZoneId },
              })),
            },
          },
        },
      ];
    },
  },
  azurerm_private_dns_zone: {
    type: 'Microsoft.Network/privateDnsZones',
    body: (args) => ({ location: 'global', tags: args['tags'] ?? null }),
  },
  azurerm_private_dns_zone_virtual_network_link: {
    type: 'Microsoft.Network/privateDnsZones/virtualNetworkLinks',
    id: (args) => `${text(args['private_dns_zone_id'])}/virtualNetworkLinks/${text(args['name'])}`,
    body: (args) => ({
      location: 'global',
      tags: args['tags'] ?? null,
      properties: {
        ...pick(args, { registrationEnabled: 'registration_enabled' }),
        virtualNetwork: { id: args['virtual_network_id'] ?? null },
      },
    }),
  },
};

const isManual = (args: Arguments) =>
  object(first(args['private_service_connection']))['is_manual_connection'] === true;
