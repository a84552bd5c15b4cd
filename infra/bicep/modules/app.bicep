// One Flex Consumption plan and the one app on it. Used again for the green app of a blue/green release, and for a calendar of its own.

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags object

@description('Name of the plan.')
param planName string

@description('Name of the app, at most 32 characters: the host id is cut there and would collide.')
@maxLength(32)
param name string

@description('Resource id of the identity that the app runs as.')
param identityId string

@description('Client id of the identity that the app runs as.')
param identityClientId string

@description('Name of the account of the Functions host.')
param hostAccountName string

@description('Address of the ingestion endpoint of Application Insights; not a credential.')
param applicationInsightsConnectionString string

@description('Address of the container that deployment packages are pushed to.')
param packageContainerUrl string

@description('Major version of Node.')
@allowed(['22', '24'])
param nodeVersion string

@description('Memory of an instance, in megabytes.')
@allowed([512, 2048, 4096])
param instanceMemoryMB int

@description('Instances at most.')
@minValue(1)
@maxValue(1000)
param maximumInstanceCount int

@description('Instances that are always running, for calls without a cold start; billed all the time.')
param alwaysReadyInstances int

@description('True: instances in several zones; the platform then keeps at least two running.')
param zoneRedundant bool

@description('Origins whose pages may call the app from a browser; *: all.')
param corsOrigins string[]

@description('How new code replaces old: Recreate ends calls in flight; RollingUpdate (preview) lets them finish.')
@allowed(['Recreate', 'RollingUpdate'])
param updateStrategy string

@description('APIs that the app serves, separated by commas.')
@allowed(['records', 'calendar', 'records,calendar'])
param apis string

@description('App settings of every API by name. No secret among them.')
param settings { *: string }

@description('App settings of the records API by name. No secret among them.')
param recordsSettings { *: string }

@description('App settings of the calendar API by name. No secret among them.')
param calendarSettings { *: string }

@description('Resource id of the subnet through which the app calls out; empty: none.')
param subnetId string

@description('True: the app answers calls from the internet; false: through its private endpoint only.')
param publicNetworkAccess bool

@description('Addresses (CIDR) and service tags that may push packages; empty: any.')
param deploymentAddresses string[]

@description('Resource id of the Log Analytics workspace for diagnostics.')
param workspaceId string

@description('True: a pipeline pushes packages to this app.')
param pipelineAccess bool

@description('Object id of the identity of the pipeline.')
param pipelinePrincipalId string

@description('True: create the role assignment; false: only list it.')
param createRoleAssignments bool

var websiteContributor = 'de139f84-1756-47ae-9be6-808fbbe84772'
var reason = 'The pipeline pushes packages to this app.'

// Requests that an instance takes at once, by its memory: their bodies fit beside host and app (docs/reference.md, "Choose the size of an instance").
var concurrency = loadJsonContent('../../concurrency.json')
var requestsAtOnce = concurrency.requestsInFlight[string(instanceMemoryMB)]

// Requests in flight from which on the platform starts another instance: before this one refuses anything, and before callers wait for its connections.
var scaleOutByMemory = concurrency.scaleOutAt[string(instanceMemoryMB)]
var scaleOutAt = contains(apis, 'records')
  ? min(scaleOutByMemory, concurrency.scaleOutPerConnection * int(recordsSettings.DB_POOL_MAX))
  : scaleOutByMemory

// The platform's settings, and what an app is.
var platformSettings = {
  AzureWebJobsStorage__accountName: hostAccountName
  AzureWebJobsStorage__credential: 'managedidentity'
  AzureWebJobsStorage__clientId: identityClientId
  APPLICATIONINSIGHTS_CONNECTION_STRING: applicationInsightsConnectionString
  APPLICATIONINSIGHTS_AUTHENTICATION_STRING: 'ClientId=${identityClientId};Authorization=AAD'
  FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: '5242880'
  AzureFunctionsJobHost__extensions__http__maxOutstandingRequests: string(requestsAtOnce)
  AZURE_CLIENT_ID: identityClientId
  APIS: apis
}
var allSettings = union(
  platformSettings,
  settings,
  contains(apis, 'records') ? recordsSettings : {},
  contains(apis, 'calendar') ? calendarSettings : {}
)

resource plan 'Microsoft.Web/serverfarms@2025-03-01' = {
  name: planName
  location: location
  tags: tags
  kind: 'functionapp'
  sku: { name: 'FC1', tier: 'FlexConsumption' }
  properties: { reserved: true, zoneRedundant: zoneRedundant }
}

// Everything that is set of the app: the output says it too, so that a change by hand can be told (npm run deploy -- drift).
var identity = { type: 'UserAssigned', userAssignedIdentities: { '${identityId}': {} } }
var properties resourceInput<'Microsoft.Web/sites@2025-03-01'>.properties = {
  serverFarmId: plan.id
  httpsOnly: true
  clientAffinityEnabled: false
  publicNetworkAccess: publicNetworkAccess ? 'Enabled' : 'Disabled'
  virtualNetworkSubnetId: empty(subnetId) ? null : subnetId
  // The type library does not know this property yet. It counts when an app is made, and no other one can have certificates.
  #disable-next-line BCP037
  siteScopedCertificatesEnabled: true
  functionAppConfig: {
    deployment: {
      storage: {
        type: 'blobContainer'
        value: packageContainerUrl
        authentication: {
          type: 'UserAssignedIdentity'
          userAssignedIdentityResourceId: identityId
        }
      }
    }
    runtime: { name: 'node', version: nodeVersion }
    scaleAndConcurrency: {
      instanceMemoryMB: instanceMemoryMB
      maximumInstanceCount: maximumInstanceCount
      triggers: { http: { perInstanceConcurrency: scaleOutAt } }
      alwaysReady: alwaysReadyInstances > 0 ? [{ name: 'http', instanceCount: alwaysReadyInstances }] : []
    }
    // The type library does not know this property yet.
    #disable-next-line BCP037
    siteUpdateStrategy: { type: updateStrategy }
  }
  siteConfig: {
    minTlsVersion: '1.2'
    scmMinTlsVersion: '1.2'
    http20Enabled: true
    // Whoever pushes needs a role as well.
    scmIpSecurityRestrictionsDefaultAction: empty(deploymentAddresses) ? 'Allow' : 'Deny'
    scmIpSecurityRestrictions: map(deploymentAddresses, (address, index) => {
      name: 'deployment-${index}'
      action: 'Allow'
      priority: 100 + index
      ipAddress: address
      tag: contains(address, '/') ? 'Default' : 'ServiceTag'
    })
    // The host answers preflights itself, before the app, and refuses every origin where this is not set.
    cors: { allowedOrigins: corsOrigins, supportCredentials: false }
    appSettings: map(items(allSettings), setting => { name: setting.key, value: setting.value })
  }
}

resource site 'Microsoft.Web/sites@2025-03-01' = {
  name: name
  location: location
  tags: tags
  kind: 'functionapp,linux'
  identity: identity
  // The compiler judges them above.
  #disable-next-line BCP037
  properties: properties
}

// Code is pushed with Entra identities only; user names and passwords for publishing are off.
resource scmCredentials 'Microsoft.Web/sites/basicPublishingCredentialsPolicies@2025-03-01' = {
  parent: site
  name: 'scm'
  properties: { allow: false }
}

resource ftpCredentials 'Microsoft.Web/sites/basicPublishingCredentialsPolicies@2025-03-01' = {
  parent: site
  name: 'ftp'
  properties: { allow: false }
}

// Metrics only: the app's logs are in Application Insights already, and would be billed twice.
resource diagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: site
  properties: {
    workspaceId: workspaceId
    metrics: [{ category: 'AllMetrics', enabled: true }]
  }
}

// The pipeline pushes packages to this app.
resource pushPackages 'Microsoft.Authorization/roleAssignments@2022-04-01' = if (createRoleAssignments && pipelineAccess) {
  name: guid(site.id, pipelinePrincipalId, websiteContributor)
  scope: site
  properties: {
    principalId: pipelinePrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', websiteContributor)
    description: reason
  }
}

@description('Resource id of the app.')
output id string = site.id

@description('Host name of the app.')
output hostName string = site.properties.defaultHostName

@description('What the TXT record asuid of a name of the app must have.')
output verificationId string = site.properties.customDomainVerificationId

@description('What is set of the app: its name, its identities, and its properties.')
// The type has places for keys; nothing here is one.
#disable-next-line outputs-should-not-contain-secrets
output configuration { name: string, identity: object, properties: object }[] = [{ name: name, identity: identity, properties: properties }]

@description('The assignments that the pipeline needs: scope, role id, object id of the principal, reason.')
output roleAssignments { scope: string, role: string, principalId: string, reason: string }[] = pipelineAccess
  ? [{ scope: site.id, role: websiteContributor, principalId: pipelinePrincipalId, reason: reason }]
  : []
