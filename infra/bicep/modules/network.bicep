// The virtual network of a private deployment: a subnet each for the app, the private endpoints, the gateway and a runner,
// and the private DNS zones by which the app finds the endpoints.

@description('Zones that exist already.')
@sealed()
type existingZones = { blob: string?, table: string?, sql: string?, sites: string? }

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags object

@description('Name of the virtual network.')
param name string

@description('Address range of the virtual network, at least a /23.')
param addressPrefix string

@description('True: also a subnet through which the gateway reaches the app.')
param gatewaySubnet bool

@description('True: also a subnet in which a runner does the steps that need the network.')
param runnerSubnet bool

@description('Resource ids of private DNS zones that exist already (in a hub), by zone: blob, table, sql, sites. Missing ones are created.')
param existingZoneIds existingZones

@description('True: a policy registers private endpoints in DNS; no zones are made.')
param zonesByPolicy bool

var zoneNames = {
  blob: 'privatelink.blob.${environment().suffixes.storage}'
  table: 'privatelink.table.${environment().suffixes.storage}'
  sql: 'privatelink${environment().suffixes.sqlServerHostname}'
  sites: 'privatelink.azurewebsites.net'
}

resource appSecurityGroup 'Microsoft.Network/networkSecurityGroups@2025-05-01' = {
  name: 'nsg-${name}-app'
  location: location
  tags: tags
  properties: { securityRules: [] }
}

resource endpointSecurityGroup 'Microsoft.Network/networkSecurityGroups@2025-05-01' = {
  name: 'nsg-${name}-endpoints'
  location: location
  tags: tags
  properties: {
    securityRules: [
      {
        name: 'deny-from-internet'
        properties: {
          description: 'Private endpoints answer callers inside the network only.'
          direction: 'Inbound'
          access: 'Deny'
          priority: 4000
          protocol: '*'
          sourceAddressPrefix: 'Internet'
          sourcePortRange: '*'
          destinationAddressPrefix: '*'
          destinationPortRange: '*'
        }
      }
    ]
  }
}

resource gatewaySecurityGroup 'Microsoft.Network/networkSecurityGroups@2025-05-01' = if (gatewaySubnet) {
  name: 'nsg-${name}-gateway'
  location: location
  tags: tags
  properties: { securityRules: [] }
}

resource runnerSecurityGroup 'Microsoft.Network/networkSecurityGroups@2025-05-01' = if (runnerSubnet) {
  name: 'nsg-${name}-runner'
  location: location
  tags: tags
  properties: { securityRules: [] }
}

resource network 'Microsoft.Network/virtualNetworks@2025-05-01' = {
  name: name
  location: location
  tags: tags
  properties: { addressSpace: { addressPrefixes: [addressPrefix] } }
}

// Subnets of one network are changed one after the other; parallel changes fail with AnotherOperationInProgress.
resource appSubnet 'Microsoft.Network/virtualNetworks/subnets@2025-05-01' = {
  parent: network
  name: 'snet-app'
  properties: {
    addressPrefix: cidrSubnet(addressPrefix, 26, 0)
    // The app calls the sign-in service and Application Insights, which have no address in the network.
    defaultOutboundAccess: true
    networkSecurityGroup: { id: appSecurityGroup.id }
    delegations: [{ name: 'flex-consumption', properties: { serviceName: 'Microsoft.App/environments' } }]
  }
}

resource endpointSubnet 'Microsoft.Network/virtualNetworks/subnets@2025-05-01' = {
  parent: network
  name: 'snet-endpoints'
  properties: {
    addressPrefix: cidrSubnet(addressPrefix, 27, 2)
    // Nothing calls out from here.
    defaultOutboundAccess: false
    networkSecurityGroup: { id: endpointSecurityGroup.id }
    privateEndpointNetworkPolicies: 'Enabled'
  }
  dependsOn: [appSubnet]
}

resource outboundGatewaySubnet 'Microsoft.Network/virtualNetworks/subnets@2025-05-01' = if (gatewaySubnet) {
  parent: network
  name: 'snet-gateway'
  properties: {
    addressPrefix: cidrSubnet(addressPrefix, 27, 3)
    defaultOutboundAccess: true
    networkSecurityGroup: { id: gatewaySecurityGroup.id }
    delegations: [{ name: 'api-management', properties: { serviceName: 'Microsoft.Web/serverFarms' } }]
  }
  dependsOn: [endpointSubnet]
}

// Apart from that of the app: an environment of Container Apps shares its subnet with nothing.
resource insideRunnerSubnet 'Microsoft.Network/virtualNetworks/subnets@2025-05-01' = if (runnerSubnet) {
  parent: network
  name: 'snet-runner'
  properties: {
    addressPrefix: cidrSubnet(addressPrefix, 27, 4)
    // The runner calls GitHub, the sign-in service and Azure, which have no address in the network.
    defaultOutboundAccess: true
    networkSecurityGroup: { id: runnerSecurityGroup.id }
    delegations: [{ name: 'container-apps', properties: { serviceName: 'Microsoft.App/environments' } }]
  }
  dependsOn: [outboundGatewaySubnet, endpointSubnet]
}

resource zones 'Microsoft.Network/privateDnsZones@2024-06-01' = [
  for zone in items(zoneNames): if (!zonesByPolicy && !contains(existingZoneIds, zone.key)) {
    name: zone.value
    location: 'global'
    tags: tags
  }
]

resource zoneLinks 'Microsoft.Network/privateDnsZones/virtualNetworkLinks@2024-06-01' = [
  for (zone, index) in items(zoneNames): if (!zonesByPolicy && !contains(existingZoneIds, zone.key)) {
    parent: zones[index]
    name: name
    location: 'global'
    tags: tags
    properties: {
      registrationEnabled: false
      virtualNetwork: { id: network.id }
    }
  }
]

@description('Resource id of the subnet of the app.')
output appSubnetId string = appSubnet.id

@description('Resource id of the subnet of the private endpoints.')
output endpointSubnetId string = endpointSubnet.id

@description('Resource id of the subnet of the gateway; empty without one.')
output gatewaySubnetId string = gatewaySubnet ? outboundGatewaySubnet.id : ''

@description('Resource id of the subnet of the runner; empty without one.')
output runnerSubnetId string = runnerSubnet ? insideRunnerSubnet.id : ''

@description('Resource ids of the private DNS zones, by zone: blob, table, sql, sites; empty where a policy has them.')
output zoneIds { blob: string, table: string, sql: string, sites: string } = {
  blob: zonesByPolicy ? '' : existingZoneIds.?blob ?? resourceId('Microsoft.Network/privateDnsZones', zoneNames.blob)
  table: zonesByPolicy ? '' : existingZoneIds.?table ?? resourceId('Microsoft.Network/privateDnsZones', zoneNames.table)
  sql: zonesByPolicy ? '' : existingZoneIds.?sql ?? resourceId('Microsoft.Network/privateDnsZones', zoneNames.sql)
  sites: zonesByPolicy ? '' : existingZoneIds.?sites ?? resourceId('Microsoft.Network/privateDnsZones', zoneNames.sites)
}
