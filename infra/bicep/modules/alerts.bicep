// Who is told, and when: metric alerts, log alerts, and the availability test on the health address.
// What is watched stands in infra/queries/alerts.json, which both stacks read.

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags object

@description('Name of the environment, in the names of the alerts.')
param environmentName string

@description('E-mail addresses that alerts are sent to.')
param emails string[]

@description('Resource id of the account of the Functions host.')
param hostAccountId string

@description('True: the calendar has an app of its own.')
param calendarApp bool

@description('Resource id of the account of the Functions host of the calendar; empty: none.')
param calendarHostAccountId string

@description('True: the size of the databases is in DTU, of which Azure tells how much is used.')
param sizeInDtu bool

@description('True: there is a gateway.')
param gateway bool

@description('Resource id of the gateway; empty: none.')
param gatewayId string

@description('Resource id of the data account.')
param dataAccountId string

@description('Resource id of the main database.')
param mainDatabaseId string

@description('Resource id of the customization database.')
param customizationDatabaseId string

@description('Resource id of the Application Insights component.')
param applicationInsightsId string

@description('Resource id of the Log Analytics workspace.')
param workspaceId string

@description('Resource id of the workspace of the audit.')
param auditWorkspaceId string

@description('True: there is an account for backups of the calendar, which must be written to.')
param calendarBackup bool

@description('True: test from the internet that the health address answers.')
param availabilityTest bool

@description('Minutes between two availability tests from one place.')
param availabilityTestMinutes int

@description('Address that the availability test calls.')
param healthUrl string

@description('Address of the health of the calendar, with an availability test of its own; empty: none.')
param calendarHealthUrl string

var alerts = loadJsonContent('../../queries/alerts.json')
var scopes = {
  hostAccount: hostAccountId
  calendarHostAccount: calendarHostAccountId
  dataAccount: dataAccountId
  mainDatabase: mainDatabaseId
  customizationDatabase: customizationDatabaseId
  gateway: gatewayId
}
// What is not there is not watched.
var absentScopes = concat(calendarApp ? [] : ['calendarHostAccount'], gateway ? [] : ['gateway'])
var absentMetrics = sizeInDtu ? [] : ['dtu_consumption_percent']
var metricAlertsOfScopes = filter(
  alerts.metricAlerts,
  alert => !contains(absentScopes, alert.scope) && !contains(absentMetrics, alert.metric)
)
var logAlertsOfScopes = filter(alerts.logAlerts, alert => calendarBackup || alert.scope != 'auditWorkspace')
var logScopes = { applicationInsights: applicationInsightsId, workspace: workspaceId, auditWorkspace: auditWorkspaceId }
var healthUrls = union(
  availabilityTest ? { health: healthUrl } : {},
  calendarApp ? { 'calendar-health': calendarHealthUrl } : {}
)

resource operators 'Microsoft.Insights/actionGroups@2023-01-01' = {
  name: 'ag-${environmentName}'
  location: 'global'
  tags: tags
  properties: {
    enabled: true
    groupShortName: environmentName
    emailReceivers: [for email in emails: { name: email, emailAddress: email, useCommonAlertSchema: true }]
  }
}

resource metricAlerts 'Microsoft.Insights/metricAlerts@2026-01-01' = [
  for alert in metricAlertsOfScopes: {
    name: '${environmentName}-${alert.name}'
    location: 'global'
    tags: tags
    properties: {
      description: alert.description
      enabled: true
      severity: alert.severity
      scopes: [scopes[alert.scope]]
      evaluationFrequency: 'PT5M'
      windowSize: alert.window
      criteria: {
        'odata.type': 'Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria'
        allOf: [
          {
            criterionType: 'StaticThresholdCriterion'
            name: alert.name
            metricNamespace: alert.namespace
            metricName: alert.metric
            timeAggregation: alert.aggregation
            operator: alert.operator
            threshold: alert.threshold
            // A resource that was just made has sent no metric yet.
            skipMetricValidation: true
          }
        ]
      }
      autoMitigate: true
      actions: [{ actionGroupId: operators.id }]
    }
  }
]

resource logAlerts 'Microsoft.Insights/scheduledQueryRules@2023-12-01' = [
  for alert in logAlertsOfScopes: {
    name: '${environmentName}-${alert.name}'
    location: location
    tags: tags
    kind: 'LogAlert'
    properties: {
      displayName: '${environmentName}: ${alert.name}'
      description: alert.description
      enabled: true
      severity: alert.severity
      scopes: [logScopes[alert.scope]]
      evaluationFrequency: alert.frequency
      windowSize: alert.window
      criteria: {
        allOf: [{ query: alert.query, timeAggregation: 'Count', operator: 'GreaterThan', threshold: 0 }]
      }
      autoMitigate: true
      // A workspace makes its tables with their first rows.
      skipQueryValidation: alert.scope != 'applicationInsights'
      actions: { actionGroups: [operators.id] }
    }
  }
]

resource availability 'Microsoft.Insights/webtests@2022-06-15' = [
  for test in items(healthUrls): {
    name: '${environmentName}-${test.key}'
    location: location
    tags: union(tags, { 'hidden-link:${applicationInsightsId}': 'Resource' })
    kind: 'standard'
    properties: {
      Kind: 'standard'
      Name: '${environmentName}-${test.key}'
      SyntheticMonitorId: '${environmentName}-${test.key}'
      Enabled: true
      Frequency: availabilityTestMinutes * 60
      Timeout: alerts.availability.timeout
      RetryEnabled: true
      Locations: map(alerts.availability.locations, place => { Id: place })
      Request: { RequestUrl: test.value, HttpVerb: 'GET', FollowRedirects: false, ParseDependentRequests: false }
      ValidationRules: { ExpectedHttpStatusCode: 200, SSLCheck: true, SSLCertRemainingLifetimeCheck: 14 }
    }
  }
]

resource availabilityAlerts 'Microsoft.Insights/metricAlerts@2026-01-01' = [
  for (test, index) in items(healthUrls): {
    name: '${environmentName}-${test.key}'
    location: 'global'
    tags: tags
    properties: {
      description: 'The health address does not answer from ${alerts.availability.failedLocations} places.'
      enabled: true
      severity: 1
      scopes: [availability[index].id, applicationInsightsId]
      evaluationFrequency: 'PT5M'
      windowSize: availabilityTestMinutes == 5 ? 'PT5M' : 'PT15M'
      criteria: {
        'odata.type': 'Microsoft.Azure.Monitor.WebtestLocationAvailabilityCriteria'
        componentId: applicationInsightsId
        webTestId: availability[index].id
        failedLocationCount: alerts.availability.failedLocations
      }
      autoMitigate: true
      actions: [{ actionGroupId: operators.id }]
    }
  }
]

// What Azure itself says of the regions and services of the subscription.
resource serviceHealth 'Microsoft.Insights/activityLogAlerts@2020-10-01' = {
  name: '${environmentName}-service-health'
  location: 'global'
  tags: tags
  properties: {
    description: 'Azure says that a service of the subscription has an incident, or that somebody must act.'
    enabled: true
    scopes: [subscription().id]
    condition: {
      allOf: [
        { field: 'category', equals: 'ServiceHealth' }
        {
          anyOf: [
            { field: 'properties.incidentType', equals: 'Incident' }
            { field: 'properties.incidentType', equals: 'ActionRequired' }
          ]
        }
      ]
    }
    actions: { actionGroups: [{ actionGroupId: operators.id }] }
  }
}
