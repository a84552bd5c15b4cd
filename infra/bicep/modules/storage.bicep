// The storage account of the calendar's table and pictures. Apart from those of the Functions hosts, so that the right to the table gives none
// to a host's state, and the data can be locked. Keys are off.

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags object

@description('Name of the account that holds the calendar.')
param dataAccountName string

@description('Name of the table of the calendar.')
param tableName string

@description('True: copies in three zones.')
param zoneRedundant bool

@description('Copies of the calendar: in one place (LRS), in three zones (ZRS), and also in a second region (GRS, GZRS).')
param dataRedundancy string

@description('True: reachable from the internet (by Entra identities only); false: through private endpoints only.')
param publicNetworkAccess bool

@description('True: the data account cannot be deleted until its lock is removed.')
param deleteLock bool

@description('Resource id of the Log Analytics workspace for diagnostics.')
param workspaceId string

// With zones, copies are in several of them.
var zonal = { LRS: 'ZRS', ZRS: 'ZRS', GRS: 'GZRS', GZRS: 'GZRS' }

resource dataAccount 'Microsoft.Storage/storageAccounts@2025-06-01' = {
  name: dataAccountName
  location: location
  tags: tags
  kind: 'StorageV2'
  sku: { name: 'Standard_${zoneRedundant ? zonal[dataRedundancy] : dataRedundancy}' }
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

resource dataTables 'Microsoft.Storage/storageAccounts/tableServices@2025-06-01' = {
  parent: dataAccount
  name: 'default'
  properties: {}
}

// Created here, so that the app needs no right to create tables.
resource table 'Microsoft.Storage/storageAccounts/tableServices/tables@2025-06-01' = {
  parent: dataTables
  name: tableName
  properties: {}
}

// Deleted pictures and their container can be brought back for two weeks, as deleted rows from a backup.
resource dataBlobs 'Microsoft.Storage/storageAccounts/blobServices@2025-06-01' = {
  parent: dataAccount
  name: 'default'
  properties: {
    deleteRetentionPolicy: { enabled: true, days: 14 }
    containerDeleteRetentionPolicy: { enabled: true, days: 14 }
  }
}

// Created here, so that the app needs no right to create containers. The app serves the pictures; the container is private.
resource pictures 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-06-01' = {
  parent: dataBlobs
  name: 'pictures'
  properties: { publicAccess: 'None' }
}

// Pictures of events that are long over are read rarely: the cool tier stores them for half the price.
resource dataLifecycle 'Microsoft.Storage/storageAccounts/managementPolicies@2025-06-01' = {
  parent: dataAccount
  name: 'default'
  properties: {
    policy: {
      rules: [
        {
          name: 'old-pictures'
          enabled: true
          type: 'Lifecycle'
          definition: {
            filters: { blobTypes: ['blockBlob'], prefixMatch: ['pictures/'] }
            actions: { baseBlob: { tierToCool: { daysAfterModificationGreaterThan: 180 } } }
          }
        }
      ]
    }
  }
}

resource dataLock 'Microsoft.Authorization/locks@2020-05-01' = if (deleteLock) {
  name: 'keep-calendar'
  scope: dataAccount
  properties: { level: 'CanNotDelete', notes: 'Holds the calendar; tables have no soft delete.' }
}

// Reads are not logged: every request to the calendar reads a row, and each would be billed as a log line.
resource dataDiagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: dataTables
  properties: {
    workspaceId: workspaceId
    logs: [
      { category: 'StorageWrite', enabled: true }
      { category: 'StorageDelete', enabled: true }
    ]
    metrics: [{ category: 'Transaction', enabled: true }]
  }
}

resource pictureDiagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: dataBlobs
  properties: {
    workspaceId: workspaceId
    logs: [
      { category: 'StorageWrite', enabled: true }
      { category: 'StorageDelete', enabled: true }
    ]
    metrics: [{ category: 'Transaction', enabled: true }]
  }
}

@description('Resource id of the data account.')
output dataAccountId string = dataAccount.id

@description('Resource id of the table of the calendar.')
output tableId string = table.id

@description('Resource id of the container of pictures.')
output containerId string = pictures.id

@description('Address of the blob service of the data account.')
output blobEndpoint string = dataAccount.properties.primaryEndpoints.blob

@description('Address of the table service of the data account.')
output tableEndpoint string = dataAccount.properties.primaryEndpoints.table
