// A storage account of a Functions host: its state, and the packages of the apps that share it. Keys are off.

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags object

@description('Name of the account.')
param name string

@description('Names of the containers for deployment packages, one per app.')
param packageContainerNames string[]

@description('True: copies in three zones.')
param zoneRedundant bool

@description('True: reachable from the internet (by Entra identities only); false: through private endpoints only.')
param publicNetworkAccess bool

@description('Resource id of the Log Analytics workspace for diagnostics.')
param workspaceId string

resource account 'Microsoft.Storage/storageAccounts@2025-06-01' = {
  name: name
  location: location
  tags: tags
  kind: 'StorageV2'
  sku: { name: zoneRedundant ? 'Standard_ZRS' : 'Standard_LRS' }
  properties: {
    allowSharedKeyAccess: false
    allowBlobPublicAccess: false
    allowCrossTenantReplication: false
    defaultToOAuthAuthentication: true
    isLocalUserEnabled: false
    minimumTlsVersion: 'TLS1_2'
    supportsHttpsTrafficOnly: true
    publicNetworkAccess: publicNetworkAccess ? 'Enabled' : 'Disabled'
  }
}

resource blobs 'Microsoft.Storage/storageAccounts/blobServices@2025-06-01' = {
  parent: account
  name: 'default'
  properties: { deleteRetentionPolicy: { enabled: true, days: 14 } }
}

resource packageContainers 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-06-01' = [
  for containerName in packageContainerNames: {
    parent: blobs
    name: containerName
    properties: { publicAccess: 'None' }
  }
]

// Reads are not logged: the host reads leases all the time, and each would be billed as a log line.
resource diagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: blobs
  properties: {
    workspaceId: workspaceId
    logs: [
      { category: 'StorageWrite', enabled: true }
      { category: 'StorageDelete', enabled: true }
    ]
    metrics: [{ category: 'Transaction', enabled: true }]
  }
}

@description('Resource id of the account.')
output id string = account.id

@description('Address of the blob service of the account, with a trailing slash.')
output blobEndpoint string = account.properties.primaryEndpoints.blob
