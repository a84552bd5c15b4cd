// Where logs and telemetry go. Both accept Entra identities only, so that no key can write to them.

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags object

@description('Name of the environment.')
param environmentName string

@description('Name of the Log Analytics workspace.')
param workspaceName string

@description('Name of the workspace of the audit.')
param auditWorkspaceName string

@description('Name of the Application Insights component.')
param applicationInsightsName string

@description('Days for which logs are kept.')
param retentionDays int

@description('Gigabytes of logs a day, after which ingestion stops until the next day; -1: no limit.')
param dailyQuotaGB int

resource workspace 'Microsoft.OperationalInsights/workspaces@2025-07-01' = {
  name: workspaceName
  location: location
  tags: tags
  properties: {
    sku: { name: 'PerGB2018' }
    retentionInDays: retentionDays
    features: { disableLocalAuth: true, enableLogAccessUsingOnlyResourcePermissions: true }
    workspaceCapping: { dailyQuotaGb: dailyQuotaGB }
  }
}

// Who signs in to the databases and deletes backups is written where no flood of calls can use up the quota of the day.
resource auditWorkspace 'Microsoft.OperationalInsights/workspaces@2025-07-01' = {
  name: auditWorkspaceName
  location: location
  tags: tags
  properties: {
    sku: { name: 'PerGB2018' }
    retentionInDays: retentionDays
    features: { disableLocalAuth: true, enableLogAccessUsingOnlyResourcePermissions: true }
    workspaceCapping: { dailyQuotaGb: -1 }
  }
}

resource applicationInsights 'Microsoft.Insights/components@2020-02-02' = {
  name: applicationInsightsName
  location: location
  tags: tags
  kind: 'web'
  properties: {
    Application_Type: 'web'
    WorkspaceResourceId: workspace.id
    DisableLocalAuth: true
  }
}

// The dashboard. A workbook is named by a GUID, unique in its group, which environments may share.
resource workbook 'Microsoft.Insights/workbooks@2023-06-01' = {
  name: guid('workbook-${environmentName}')
  location: location
  tags: tags
  kind: 'shared'
  properties: {
    displayName: 'Records and calendar'
    category: 'workbook'
    sourceId: applicationInsights.id
    serializedData: loadTextContent('../../queries/workbook.json')
  }
}

@description('Resource id of the Log Analytics workspace.')
output workspaceId string = workspace.id

@description('Resource id of the workspace of the audit.')
output auditWorkspaceId string = auditWorkspace.id

@description('Resource id of the Application Insights component.')
output applicationInsightsId string = applicationInsights.id

@description('Address of the ingestion endpoint. Not a credential, since local authentication is off.')
output connectionString string = applicationInsights.properties.ConnectionString
