// What a running app may do in Azure: two or four roles, each on the smallest scope that works.
// Its rights inside the databases come from contained users (infra/deploy), not from here.
// Host storage needs no queue or table role: the app has HTTP triggers only.

@description('True: create the role assignments; false: only list them, for someone who has the right to assign roles.')
param createRoleAssignments bool

@description('Object id of the identity of the app.')
param runtimePrincipalId string

@description('Resource id of the account of the Functions host.')
param hostAccountId string

@description('True: the app serves the calendar, and may use its table.')
param calendar bool

@description('Resource id of the table of the calendar.')
param tableId string

@description('Resource id of the container of pictures.')
param containerId string

@description('Resource id of the Application Insights component.')
param applicationInsightsId string

var blobDataOwner = 'b7e6dc6d-f1e8-4753-8033-0f276bb0955b'
var blobDataContributor = 'ba92f5b4-2d11-453d-a403-e96b0029c9fe'
var tableDataContributor = '0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3'
var metricsPublisher = '3913510d-42f4-4e42-8a64-420c390055eb'

var reasons = {
  hostBlobs: 'The Functions host keeps leases and host keys as blobs, and reads the deployment package.'
  table: 'The app reads and writes the calendar, in this one table.'
  pictures: 'The app stores and reads pictures, in this one container.'
  telemetry: 'The app sends telemetry; ingestion accepts Entra identities only.'
}

resource hostAccount 'Microsoft.Storage/storageAccounts@2025-06-01' existing = {
  name: last(split(hostAccountId, '/'))
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

resource applicationInsights 'Microsoft.Insights/components@2020-02-02' existing = {
  name: last(split(applicationInsightsId, '/'))
}

// The Functions host keeps leases and host keys as blobs, and reads the deployment package.
resource hostBlobs 'Microsoft.Authorization/roleAssignments@2022-04-01' = if (createRoleAssignments) {
  name: guid(hostAccountId, runtimePrincipalId, blobDataOwner)
  scope: hostAccount
  properties: {
    principalId: runtimePrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', blobDataOwner)
    description: reasons.hostBlobs
  }
}

// The app reads and writes the calendar, in this one table.
resource calendarTable 'Microsoft.Authorization/roleAssignments@2022-04-01' = if (createRoleAssignments && calendar) {
  name: guid(tableId, runtimePrincipalId, tableDataContributor)
  scope: table
  properties: {
    principalId: runtimePrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', tableDataContributor)
    description: reasons.table
  }
}

// The app stores and reads pictures, in this one container.
resource calendarPictures 'Microsoft.Authorization/roleAssignments@2022-04-01' = if (createRoleAssignments && calendar) {
  name: guid(containerId, runtimePrincipalId, blobDataContributor)
  scope: container
  properties: {
    principalId: runtimePrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', blobDataContributor)
    description: reasons.pictures
  }
}

// The app sends telemetry; ingestion accepts Entra identities only.
resource telemetry 'Microsoft.Authorization/roleAssignments@2022-04-01' = if (createRoleAssignments) {
  name: guid(applicationInsightsId, runtimePrincipalId, metricsPublisher)
  scope: applicationInsights
  properties: {
    principalId: runtimePrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', metricsPublisher)
    description: reasons.telemetry
  }
}

@description('The assignments that the app needs: scope, role id, object id of the principal, reason.')
output roleAssignments { scope: string, role: string, principalId: string, reason: string }[] = concat(
  [
    { scope: hostAccountId, role: blobDataOwner, principalId: runtimePrincipalId, reason: reasons.hostBlobs }
    { scope: applicationInsightsId, role: metricsPublisher, principalId: runtimePrincipalId, reason: reasons.telemetry }
  ],
  calendar
    ? [
        { scope: tableId, role: tableDataContributor, principalId: runtimePrincipalId, reason: reasons.table }
        { scope: containerId, role: blobDataContributor, principalId: runtimePrincipalId, reason: reasons.pictures }
      ]
    : []
)
