// Backups of the calendar: an account of their own, in which neither the app nor the pipeline has a right, and the identity that writes
// them every night (.github/workflows/backup.yml). It cannot change or remove them: the account keeps each for 35 days, and then removes it.
// Keys are off.

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags object

@description('Name of the account.')
param accountName string

@description('True: copies in three zones.')
param zoneRedundant bool

@description('Copies of the backups: in one place (LRS), in three zones (ZRS), and also in a second region (GRS, GZRS).')
param redundancy string

@description('True: reachable from the internet (by Entra identities only); false: through private endpoints only.')
param publicNetworkAccess bool

@description('True: the account cannot be deleted until its lock is removed.')
param deleteLock bool

@description('Name of the identity that writes backups.')
param identityName string

@description('GitHub repository (owner/name) whose workflow writes backups; empty: no identity.')
param githubRepository string

@description('GitHub environment that the workflow runs in.')
param githubEnvironment string

@description('Resource id of the table of the calendar.')
param tableId string

@description('Resource id of the container of pictures.')
param containerId string

@description('True: create the role assignments; false: only list them, for someone who has the right to assign roles.')
param createRoleAssignments bool

@description('Resource id of the workspace of the audit, for diagnostics.')
param workspaceId string

// With zones, copies are in several of them.
var zonal = { LRS: 'ZRS', ZRS: 'ZRS', GRS: 'GZRS', GZRS: 'GZRS' }

resource account 'Microsoft.Storage/storageAccounts@2025-06-01' = {
  name: accountName
  location: location
  tags: tags
  kind: 'StorageV2'
  sku: { name: 'Standard_${zoneRedundant ? zonal[redundancy] : redundancy}' }
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

resource tables 'Microsoft.Storage/storageAccounts/tableServices@2025-06-01' = {
  parent: account
  name: 'default'
  properties: {}
}

// What is deleted, pictures and whole containers too, can be brought back for as long as backups are kept.
resource blobs 'Microsoft.Storage/storageAccounts/blobServices@2025-06-01' = {
  parent: account
  name: 'default'
  properties: {
    deleteRetentionPolicy: { enabled: true, days: 35 }
    containerDeleteRetentionPolicy: { enabled: true, days: 35 }
  }
}

resource backups 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-06-01' = {
  parent: blobs
  name: 'backups'
  properties: { publicAccess: 'None' }
}

// Nobody changes or deletes a backup in this time, whatever their rights to the data are. The policy is not locked, so that who may manage
// the account can take it away.
resource keepBackups 'Microsoft.Storage/storageAccounts/blobServices/containers/immutabilityPolicies@2025-06-01' = {
  parent: backups
  name: 'default'
  properties: {
    immutabilityPeriodSinceCreationInDays: 35
    allowProtectedAppendWrites: false
  }
}

// The account removes old backups itself, so that no identity needs the right to.
resource lifecycle 'Microsoft.Storage/storageAccounts/managementPolicies@2025-06-01' = {
  parent: account
  name: 'default'
  properties: {
    policy: {
      rules: [
        {
          name: 'old-backups'
          enabled: true
          type: 'Lifecycle'
          definition: {
            filters: { blobTypes: ['blockBlob'], prefixMatch: ['backups/'] }
            actions: { baseBlob: { delete: { daysAfterCreationGreaterThan: 35 } } }
          }
        }
      ]
    }
  }
  dependsOn: [backups]
}

resource accountLock 'Microsoft.Authorization/locks@2020-05-01' = if (deleteLock) {
  name: 'keep-backups'
  scope: account
  properties: { level: 'CanNotDelete', notes: 'Holds the backups of the calendar.' }
}

// Tables are for restore drills.
resource diagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: tables
  properties: {
    workspaceId: workspaceId
    logs: [
      { category: 'StorageWrite', enabled: true }
      { category: 'StorageDelete', enabled: true }
    ]
    metrics: [{ category: 'Transaction', enabled: true }]
  }
}

// The alert calendar-backup-missing reads what is written here.
resource blobDiagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: blobs
  properties: {
    workspaceId: workspaceId
    logs: [
      { category: 'StorageWrite', enabled: true }
      { category: 'StorageDelete', enabled: true }
    ]
  }
}

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' = if (!empty(githubRepository)) {
  name: identityName
  location: location
  tags: tags
}

resource trust 'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials@2024-11-30' = if (!empty(githubRepository)) {
  parent: identity
  name: 'github'
  properties: {
    audiences: ['api://AzureADTokenExchange']
    issuer: 'https://token.actions.githubusercontent.com'
    subject: 'repo:${githubRepository}:environment:${githubEnvironment}'
  }
}

// By the object id of the identity, which is known here only where it is a parameter.
module access './backup-access.bicep' = if (!empty(githubRepository)) {
  name: 'backup-access'
  params: {
    createRoleAssignments: createRoleAssignments
    principalId: identity.?properties.principalId ?? ''
    accountId: account.id
    tableId: tableId
    containerId: containerId
  }
}

@description('Resource id of the account.')
output accountId string = account.id

@description('Address of the table service of the account.')
output tableEndpoint string = account.properties.primaryEndpoints.table

@description('Address of the blob service of the account.')
output blobEndpoint string = account.properties.primaryEndpoints.blob

@description('Client id of the identity that writes backups; empty without one.')
output clientId string = identity.?properties.clientId ?? ''

@description('The assignments that the backup needs: scope, role id, object id of the principal, reason.')
output roleAssignments { scope: string, role: string, principalId: string, reason: string }[] = access.?outputs.roleAssignments ?? []
