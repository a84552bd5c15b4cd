// What the identity that writes backups may do.

@description('True: create the role assignments; false: only list them, for someone who has the right to assign roles.')
param createRoleAssignments bool

@description('Object id of the identity.')
param principalId string

@description('Resource id of the account of the backups.')
param accountId string

@description('Resource id of the table of the calendar.')
param tableId string

@description('Resource id of the container of pictures.')
param containerId string

var blobDataContributor = 'ba92f5b4-2d11-453d-a403-e96b0029c9fe'
var blobDataReader = '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1'
var tableDataReader = '76199698-9eea-4c19-bc75-cec21354c6b6'
var reasons = {
  write: 'The nightly backup adds a copy of the calendar and of new pictures.'
  read: 'The nightly backup reads the calendar.'
  readPictures: 'The nightly backup reads the pictures.'
}

resource account 'Microsoft.Storage/storageAccounts@2025-06-01' existing = {
  name: last(split(accountId, '/'))
}

resource dataAccount 'Microsoft.Storage/storageAccounts@2025-06-01' existing = {
  name: split(tableId, '/')[8]
}

resource dataTables 'Microsoft.Storage/storageAccounts/tableServices@2025-06-01' existing = {
  parent: dataAccount
  name: 'default'
}

resource table 'Microsoft.Storage/storageAccounts/tableServices/tables@2025-06-01' existing = {
  parent: dataTables
  name: last(split(tableId, '/'))
}

resource dataBlobs 'Microsoft.Storage/storageAccounts/blobServices@2025-06-01' existing = {
  parent: dataAccount
  name: 'default'
}

resource container 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-06-01' existing = {
  parent: dataBlobs
  name: last(split(containerId, '/'))
}

// The nightly backup reads the calendar.
resource readCalendar 'Microsoft.Authorization/roleAssignments@2022-04-01' = if (createRoleAssignments) {
  name: guid(tableId, principalId, tableDataReader)
  scope: table
  properties: {
    principalId: principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', tableDataReader)
    description: reasons.read
  }
}

// The nightly backup adds a copy of the calendar and of new pictures.
resource writeBackups 'Microsoft.Authorization/roleAssignments@2022-04-01' = if (createRoleAssignments) {
  name: guid(accountId, principalId, blobDataContributor)
  scope: account
  properties: {
    principalId: principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', blobDataContributor)
    description: reasons.write
  }
}

// The nightly backup reads the pictures.
resource readPictures 'Microsoft.Authorization/roleAssignments@2022-04-01' = if (createRoleAssignments) {
  name: guid(containerId, principalId, blobDataReader)
  scope: container
  properties: {
    principalId: principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', blobDataReader)
    description: reasons.readPictures
  }
}

@description('The assignments that the backup needs: scope, role id, object id of the principal, reason.')
output roleAssignments { scope: string, role: string, principalId: string, reason: string }[] = [
  { scope: tableId, role: tableDataReader, principalId: principalId, reason: reasons.read }
  { scope: accountId, role: blobDataContributor, principalId: principalId, reason: reasons.write }
  { scope: containerId, role: blobDataReader, principalId: principalId, reason: reasons.readPictures }
]
