// The SQL server, which knows Entra identities only, and the two databases.

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags object

@description('Name of the SQL server.')
param serverName string

@description('Name of the main database.')
param mainDatabaseName string

@description('Name of the customization database.')
param customizationDatabaseName string

@description('Display name of the Entra administrator; a group is best: people change, the template does not.')
param administratorLogin string

@description('Object id of the Entra administrator (client id when it is an application).')
param administratorObjectId string

@description('Kind of the Entra administrator.')
@allowed(['Group', 'User', 'Application'])
param administratorType string

@description('Size of each database. GP_S_*: serverless, pauses when idle; GP_*: provisioned; the others: DTU, cheap and always on.')
@allowed(['Basic', 'S0', 'S1', 'S2', 'GP_S_Gen5_1', 'GP_S_Gen5_2', 'GP_S_Gen5_4', 'GP_Gen5_2', 'GP_Gen5_4'])
param sku string

@description('Minutes without use after which a serverless database pauses; -1: never.')
param autoPauseMinutes int

@description('Largest size of each database, in gigabytes. Of a GP_ size it is billed whether used or not; in the others it is included.')
param maxSizeGB int

@description('Collation of the databases; cannot be changed later.')
param collation string

@description('Days back to which each database can be restored.')
@minValue(1)
@maxValue(35)
param backupRetentionDays int

@description('Where backups of the databases are kept: here (Local, Zone), or also in a second region (Geo, GeoZone).')
param backupRedundancy string

@description('How long a backup of each week is kept; PT0S: not at all.')
param weeklyRetention string

@description('How long a backup of each month is kept; PT0S: not at all.')
param monthlyRetention string

@description('How long the backup of the first week of each year is kept; PT0S: not at all.')
param yearlyRetention string

@description('True: replicas in several zones; needs a GP_ size.')
param zoneRedundant bool

@description('True: reachable from Azure services (by Entra identities only); false: through the private endpoint only.')
param publicNetworkAccess bool

@description('True: the databases cannot be deleted until their locks are removed.')
param deleteLock bool

@description('Resource id of the Log Analytics workspace for diagnostics.')
param workspaceId string

@description('Resource id of the workspace of the audit.')
param auditWorkspaceId string

// With zones, backups are in several of them.
var zonal = { Local: 'Zone', Zone: 'Zone', Geo: 'GeoZone', GeoZone: 'GeoZone' }
var keepsLong = weeklyRetention != 'PT0S' || monthlyRetention != 'PT0S' || yearlyRetention != 'PT0S'
var serverless = startsWith(sku, 'GP_S_')
var skus = {
  Basic: { name: 'Basic', tier: 'Basic', capacity: 5 }
  S0: { name: 'S0', tier: 'Standard', capacity: 10 }
  S1: { name: 'S1', tier: 'Standard', capacity: 20 }
  S2: { name: 'S2', tier: 'Standard', capacity: 50 }
  GP_S_Gen5_1: { name: 'GP_S_Gen5', tier: 'GeneralPurpose', family: 'Gen5', capacity: 1 }
  GP_S_Gen5_2: { name: 'GP_S_Gen5', tier: 'GeneralPurpose', family: 'Gen5', capacity: 2 }
  GP_S_Gen5_4: { name: 'GP_S_Gen5', tier: 'GeneralPurpose', family: 'Gen5', capacity: 4 }
  GP_Gen5_2: { name: 'GP_Gen5', tier: 'GeneralPurpose', family: 'Gen5', capacity: 2 }
  GP_Gen5_4: { name: 'GP_Gen5', tier: 'GeneralPurpose', family: 'Gen5', capacity: 4 }
}
var vcore = startsWith(sku, 'GP_')
var dtuSizesGB = sku == 'Basic' ? [1, 2] : [1, 2, 5, 10, 20, 30, 40, 50, 100, 150, 200, 250]
var checkedSku = zoneRedundant && !vcore
  ? fail('Zone redundancy needs a database size that starts with GP_.')
  : !vcore && !contains(dtuSizesGB, maxSizeGB)
      ? fail('A database of size ${sku} can be this large, in GB: ${join(dtuSizesGB, ', ')}.')
      : sku == 'Basic' && backupRetentionDays > 7
          ? fail('A database of size Basic keeps backups for 7 days at most.')
          : skus[sku]

resource server 'Microsoft.Sql/servers@2025-01-01' = {
  name: serverName
  location: location
  tags: tags
  properties: {
    version: '12.0'
    minimalTlsVersion: '1.2'
    publicNetworkAccess: publicNetworkAccess ? 'Enabled' : 'Disabled'
    administrators: {
      administratorType: 'ActiveDirectory'
      azureADOnlyAuthentication: true
      principalType: administratorType
      login: administratorLogin
      sid: administratorObjectId
      tenantId: tenant().tenantId
    }
  }
}

resource databases 'Microsoft.Sql/servers/databases@2025-01-01' = [
  for databaseName in [mainDatabaseName, customizationDatabaseName]: {
    parent: server
    name: databaseName
    location: location
    tags: tags
    sku: checkedSku
    properties: {
      collation: collation
      maxSizeBytes: maxSizeGB * 1073741824
      autoPauseDelay: serverless ? autoPauseMinutes : null
      minCapacity: serverless ? json('0.5') : null
      zoneRedundant: zoneRedundant
      requestedBackupStorageRedundancy: zoneRedundant ? zonal[backupRedundancy] : backupRedundancy
    }
  }
]

resource backups 'Microsoft.Sql/servers/databases/backupShortTermRetentionPolicies@2025-01-01' = [
  for index in range(0, 2): {
    parent: databases[index]
    name: 'default'
    properties: { retentionDays: backupRetentionDays }
  }
]

resource longBackups 'Microsoft.Sql/servers/databases/backupLongTermRetentionPolicies@2025-01-01' = [
  for index in range(0, 2): if (keepsLong) {
    parent: databases[index]
    name: 'default'
    properties: {
      weeklyRetention: weeklyRetention
      monthlyRetention: monthlyRetention
      yearlyRetention: yearlyRetention
      weekOfYear: 1
    }
  }
]

// A Flex Consumption app without a network has no addresses of its own; this rule admits Azure's. Who comes through it
// must still sign in with an Entra identity that has a user in the database.
resource azureServices 'Microsoft.Sql/servers/firewallRules@2025-01-01' = if (publicNetworkAccess) {
  parent: server
  name: 'AllowAllWindowsAzureIps'
  properties: { startIpAddress: '0.0.0.0', endIpAddress: '0.0.0.0' }
}

resource auditing 'Microsoft.Sql/servers/auditingSettings@2025-01-01' = {
  parent: server
  name: 'default'
  properties: {
    state: 'Enabled'
    isAzureMonitorTargetEnabled: true
    // Sign-ins, and changes of rights and objects. The default has every statement, with the values in it.
    auditActionsAndGroups: [
      'FAILED_DATABASE_AUTHENTICATION_GROUP'
      'SUCCESSFUL_DATABASE_AUTHENTICATION_GROUP'
      'DATABASE_OBJECT_CHANGE_GROUP'
      'DATABASE_OBJECT_PERMISSION_CHANGE_GROUP'
      'DATABASE_PERMISSION_CHANGE_GROUP'
      'DATABASE_PRINCIPAL_CHANGE_GROUP'
      'DATABASE_ROLE_MEMBER_CHANGE_GROUP'
      'SCHEMA_OBJECT_CHANGE_GROUP'
      'SCHEMA_OBJECT_PERMISSION_CHANGE_GROUP'
    ]
  }
  // The server makes master by itself, some time after it is there.
  dependsOn: [databases]
}

resource master 'Microsoft.Sql/servers/databases@2025-01-01' existing = {
  parent: server
  name: 'master'
}

resource auditDiagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: master
  properties: {
    workspaceId: auditWorkspaceId
    logs: [{ category: 'SQLSecurityAuditEvents', enabled: true }]
  }
  dependsOn: [databases, auditing]
}

resource databaseDiagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = [
  for index in range(0, 2): {
    name: 'to-workspace'
    scope: databases[index]
    properties: {
      workspaceId: workspaceId
      logs: [
        { category: 'Errors', enabled: true }
        { category: 'Timeouts', enabled: true }
        { category: 'Blocks', enabled: true }
        { category: 'Deadlocks', enabled: true }
        { category: 'QueryStoreRuntimeStatistics', enabled: true }
        { category: 'QueryStoreWaitStatistics', enabled: true }
      ]
      metrics: [{ category: 'Basic', enabled: true }]
    }
  }
]

resource databaseLocks 'Microsoft.Authorization/locks@2020-05-01' = [
  for index in range(0, 2): if (deleteLock) {
    name: 'keep-database'
    scope: databases[index]
    properties: { level: 'CanNotDelete', notes: 'Holds the records.' }
  }
]

@description('Resource id of the SQL server.')
output serverId string = server.id

@description('Host name of the SQL server.')
output serverHostName string = server.properties.fullyQualifiedDomainName

@description('Resource id of the main database.')
output mainDatabaseId string = databases[0].id

@description('Resource id of the customization database.')
output customizationDatabaseId string = databases[1].id
