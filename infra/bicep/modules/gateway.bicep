// API Management in front of the app: one API with wildcards and one policy (infra/gateway), which checks tokens, limits rate
// and size, and caches public reads of the calendar.

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags object

@description('Name of the gateway.')
param name string

@description('Tier of the gateway. Consumption is not offered: it can limit no caller and caches nothing.')
@allowed(['BasicV2', 'StandardV2'])
param sku string

@description('Units: each serves more calls, and costs as much as the first.')
param units int

@description('Name of the organisation that publishes the API.')
param publisherName string

@description('E-mail address for messages about the gateway.')
param publisherEmail string

@description('Resource id of the subnet through which the gateway reaches the app; empty: over the internet.')
param subnetId string

@description('Base path of the API, with a leading slash.')
param basePath string

@description('Host name of the app.')
param blueHostName string

@description('True: there is a second app, for blue/green releases.')
param greenApp bool

@description('Host name of the second app.')
param greenHostName string

@description('Share of calls that go to the second app, in percent.')
@minValue(0)
@maxValue(100)
param greenShare int

@description('True: the calendar has an app of its own.')
param calendarApp bool

@description('Host name of the app of the calendar; empty: it has none of its own.')
param calendarHostName string

@description('Origins whose pages may read the answers of the gateway itself; *: all.')
param corsOrigins string[]

@description('Audiences of the tokens that are accepted.')
param audiences string[]

@description('Path of the calendar below the base path.')
param calendarPath string

@description('Calls a minute that one caller may make.')
param rateLimitCalls int

@description('Seconds for which public reads of the calendar are answered from the cache.')
param cacheSeconds int

@description('Resource id of the Application Insights component.')
param applicationInsightsId string

@description('Address of the ingestion endpoint of Application Insights; not a credential.')
param applicationInsightsConnectionString string

@description('Resource id of the Log Analytics workspace for diagnostics.')
param workspaceId string

@description('True: create the role assignment; false: only list it.')
param createRoleAssignments bool

var policyValues = {
  TENANT_ID: tenant().tenantId
  AUDIENCES: join(map(audiences, audience => '<audience>${audience}</audience>'), '')
  BASE_PATH: toLower(basePath)
  CALENDAR_PATH: toLower(calendarPath)
  RATE_LIMIT_CALLS: string(rateLimitCalls)
  CACHE_SECONDS: string(cacheSeconds)
  GREEN_SHARE: string(greenShare)
  CORS_ORIGINS: join(corsOrigins, ',')
  CALENDAR_APP: calendarApp ? 'true' : 'false'
}
var policy = reduce(
  items(policyValues),
  loadTextContent('../../gateway/policy.xml'),
  (text, value) => replace(text, '\${${value.key}}', value.value)
)
var hostNames = union(
  { blue: blueHostName },
  greenApp ? { green: greenHostName } : {},
  calendarApp ? { calendar: calendarHostName } : {}
)

resource gateway 'Microsoft.ApiManagement/service@2024-05-01' = {
  name: name
  location: location
  tags: tags
  sku: { name: sku, capacity: units }
  identity: { type: 'SystemAssigned' }
  properties: {
    publisherName: publisherName
    publisherEmail: publisherEmail
    virtualNetworkType: empty(subnetId) ? 'None' : 'External'
    virtualNetworkConfiguration: empty(subnetId) ? null : { subnetResourceId: subnetId }
  }
}

// By the object id of its identity, which is known here only where it is a parameter.
module access './gateway-access.bicep' = {
  name: 'gateway-access'
  params: {
    createRoleAssignments: createRoleAssignments
    principalId: gateway.identity.principalId
    applicationInsightsId: applicationInsightsId
  }
}

resource backends 'Microsoft.ApiManagement/service/backends@2024-05-01' = [
  for host in items(hostNames): {
    parent: gateway
    name: host.key
    properties: {
      protocol: 'http'
      url: 'https://${host.value}'
      tls: { validateCertificateChain: true, validateCertificateName: true }
    }
  }
]

resource api 'Microsoft.ApiManagement/service/apis@2024-05-01' = {
  parent: gateway
  name: 'app'
  properties: {
    displayName: 'Records and calendar'
    // The root: the calendar answers outside of the base path too.
    path: ''
    protocols: ['https']
    subscriptionRequired: false
    format: 'openapi+json'
    value: loadTextContent('../../gateway/openapi.json')
  }
}

resource apiPolicy 'Microsoft.ApiManagement/service/apis/policies@2024-05-01' = {
  parent: api
  name: 'policy'
  properties: { format: 'rawxml', value: policy }
  dependsOn: [backends]
}

resource logger 'Microsoft.ApiManagement/service/loggers@2024-05-01' = {
  parent: gateway
  name: 'application-insights'
  properties: {
    loggerType: 'applicationInsights'
    resourceId: applicationInsightsId
    credentials: {
      connectionString: applicationInsightsConnectionString
      identityClientId: 'SystemAssigned'
    }
  }
}

resource apiDiagnostics 'Microsoft.ApiManagement/service/apis/diagnostics@2024-05-01' = {
  parent: api
  name: 'applicationinsights'
  properties: {
    loggerId: logger.id
    alwaysLog: 'allErrors'
    httpCorrelationProtocol: 'W3C'
    logClientIp: false
    verbosity: 'error'
    sampling: { samplingType: 'fixed', percentage: 20 }
  }
}

resource diagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: gateway
  properties: {
    workspaceId: workspaceId
    logs: [{ category: 'GatewayLogs', enabled: true }]
    metrics: [{ category: 'AllMetrics', enabled: true }]
  }
}

@description('Resource id of the gateway.')
output id string = gateway.id

@description('Address of the gateway.')
output url string = gateway.properties.gatewayUrl

@description('The assignments that the gateway needs: scope, role id, object id of the principal, reason.')
output roleAssignments { scope: string, role: string, principalId: string, reason: string }[] = access.outputs.roleAssignments
