// The calendar in an app of its own, which is public: with an identity that has no right to the databases nor to anything of the
// records' app, and an account of its own for its Functions host, since who writes there decides what code runs.

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags object

@description('Name of the environment, in the names of private endpoints.')
param environmentName string

@description('Name of the identity that the app runs as.')
param identityName string

@description('Name of the account of its Functions host.')
param hostAccountName string

@description('Name of the plan.')
param planName string

@description('Name of the app.')
param name string

@description('Major version of Node.')
@allowed(['22', '24'])
param nodeVersion string

@description('Memory of an instance, in megabytes.')
@allowed([512, 2048, 4096])
param instanceMemoryMB int

@description('Instances at most.')
param maximumInstanceCount int

@description('Instances that are always running, for calls without a cold start; billed all the time.')
param alwaysReadyInstances int

@description('True: storage and instances in several zones.')
param zoneRedundant bool

@description('How new code replaces old: Recreate ends calls in flight; RollingUpdate (preview) lets them finish.')
@allowed(['Recreate', 'RollingUpdate'])
param updateStrategy string

@description('App settings of every API by name. No secret among them.')
param settings { *: string }

@description('App settings of the calendar API by name. No secret among them.')
param calendarSettings { *: string }

@description('Resource id of the table of the calendar.')
param tableId string

@description('Resource id of the container of pictures.')
param containerId string

@description('Resource id of the Application Insights component.')
param applicationInsightsId string

@description('Address of the ingestion endpoint of Application Insights; not a credential.')
param applicationInsightsConnectionString string

@description('Addresses (CIDR) and service tags that may push packages; empty: any.')
param deploymentAddresses string[]

@description('Resource id of the Log Analytics workspace for diagnostics.')
param workspaceId string

@description('True: the app reaches its storage through a private endpoint.')
param privateNetworking bool

@description('Resource id of the subnet through which the app calls out; empty: none.')
param subnetId string

@description('Resource id of the subnet of private endpoints; empty: none.')
param endpointSubnetId string

@description('Resource id of the private DNS zone of blobs; empty: none.')
param blobZoneId string

@description('True: register private endpoints in their zones; false: a policy does.')
param zoneGroups bool

@description('True: a pipeline pushes packages to this app.')
param pipelineAccess bool

@description('Object id of the identity of the pipeline.')
param pipelinePrincipalId string

@description('True: create the role assignments; false: only list them.')
param createRoleAssignments bool

module identity './identity.bicep' = {
  name: 'calendar-identity'
  params: {
    location: location
    tags: tags
    runtimeName: identityName
    pipelineName: ''
    runnerName: ''
    githubRepository: ''
    githubEnvironment: ''
  }
}

module hostStorage './host-storage.bicep' = {
  name: 'calendar-host-storage'
  params: {
    location: location
    tags: tags
    name: hostAccountName
    packageContainerNames: ['packages']
    zoneRedundant: zoneRedundant
    publicNetworkAccess: !privateNetworking
    workspaceId: workspaceId
  }
}

module access './access.bicep' = {
  name: 'calendar-access'
  params: {
    createRoleAssignments: createRoleAssignments
    runtimePrincipalId: identity.outputs.runtimePrincipalId
    hostAccountId: hostStorage.outputs.id
    calendar: true
    tableId: tableId
    containerId: containerId
    applicationInsightsId: applicationInsightsId
  }
}

// Before the app starts, so that its first look-ups find the private address.
module hostEndpoint './private-endpoints.bicep' = if (privateNetworking) {
  name: 'calendar-host-endpoint'
  params: {
    location: location
    tags: tags
    subnetId: endpointSubnetId
    zoneGroups: zoneGroups
    endpoints: [
      {
        name: 'pep-${environmentName}-calendar-host-blob'
        resourceId: hostStorage.outputs.id
        subResource: 'blob'
        zoneId: blobZoneId
      }
    ]
  }
}

module app './app.bicep' = {
  name: 'calendar-app'
  params: {
    location: location
    tags: tags
    planName: planName
    name: name
    identityId: identity.outputs.runtimeId
    identityClientId: identity.outputs.runtimeClientId
    hostAccountName: hostAccountName
    applicationInsightsConnectionString: applicationInsightsConnectionString
    packageContainerUrl: '${hostStorage.outputs.blobEndpoint}packages'
    nodeVersion: nodeVersion
    instanceMemoryMB: instanceMemoryMB
    maximumInstanceCount: maximumInstanceCount
    alwaysReadyInstances: alwaysReadyInstances
    zoneRedundant: zoneRedundant
    corsOrigins: ['*']
    updateStrategy: updateStrategy
    apis: 'calendar'
    settings: settings
    recordsSettings: {}
    calendarSettings: calendarSettings
    subnetId: subnetId
    publicNetworkAccess: true
    deploymentAddresses: deploymentAddresses
    workspaceId: workspaceId
    pipelineAccess: pipelineAccess
    pipelinePrincipalId: pipelinePrincipalId
    createRoleAssignments: createRoleAssignments
  }
  dependsOn: [access, hostEndpoint]
}

@description('Host name of the app.')
output hostName string = app.outputs.hostName

@description('What the TXT record asuid of a name of the app must have.')
output verificationId string = app.outputs.verificationId

@description('Resource id of the account of its Functions host.')
output hostAccountId string = hostStorage.outputs.id

@description('What is set of the app: its name, its identities, and its properties.')
output configuration { name: string, identity: object, properties: object }[] = app.outputs.configuration

@description('The assignments that the app and the pipeline need: scope, role id, object id of the principal, reason.')
output roleAssignments { scope: string, role: string, principalId: string, reason: string }[] = concat(
  access.outputs.roleAssignments,
  app.outputs.roleAssignments
)
