// Private endpoints, each registered in its private DNS zone, unless a policy does that.

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags object

@description('Resource id of the subnet of the endpoints.')
param subnetId string

@description('True: register them in their zones; false: a policy does.')
param zoneGroups bool

@description('The endpoints: name, the resource they lead to, its sub-resource, and the DNS zone that names them.')
param endpoints { name: string, resourceId: string, subResource: string, zoneId: string }[]

// One after the other: an account takes one endpoint at a time (StorageAccountOperationInProgress).
@batchSize(1)
resource privateEndpoints 'Microsoft.Network/privateEndpoints@2025-05-01' = [
  for endpoint in endpoints: {
    name: endpoint.name
    location: location
    tags: tags
    properties: {
      subnet: { id: subnetId }
      privateLinkServiceConnections: [
        {
          name: endpoint.subResource
          properties: {
            privateLinkServiceId: endpoint.resourceId
            groupIds: [endpoint.subResource]
          }
        }
      ]
    }
  }
]

resource registrations 'Microsoft.Network/privateEndpoints/privateDnsZoneGroups@2025-05-01' = [
  for (endpoint, index) in endpoints: if (zoneGroups) {
    parent: privateEndpoints[index]
    name: 'default'
    properties: {
      privateDnsZoneConfigs: [{ name: endpoint.subResource, properties: { privateDnsZoneId: endpoint.zoneId } }]
    }
  }
]
