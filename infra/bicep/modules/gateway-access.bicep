// What the identity of the gateway may do.

@description('True: create the role assignment; false: only list it, for someone who has the right to assign roles.')
param createRoleAssignments bool

@description('Object id of the identity.')
param principalId string

@description('Resource id of the Application Insights component.')
param applicationInsightsId string

var metricsPublisher = '3913510d-42f4-4e42-8a64-420c390055eb'
var reason = 'The gateway sends telemetry; ingestion accepts Entra identities only.'

resource applicationInsights 'Microsoft.Insights/components@2020-02-02' existing = {
  name: last(split(applicationInsightsId, '/'))
}

// The gateway sends telemetry; ingestion accepts Entra identities only.
resource telemetry 'Microsoft.Authorization/roleAssignments@2022-04-01' = if (createRoleAssignments) {
  name: guid(applicationInsightsId, principalId, metricsPublisher)
  scope: applicationInsights
  properties: {
    principalId: principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', metricsPublisher)
    description: reason
  }
}

@description('The assignments that the gateway needs: scope, role id, object id of the principal, reason.')
output roleAssignments { scope: string, role: string, principalId: string, reason: string }[] = [
  { scope: applicationInsightsId, role: metricsPublisher, principalId: principalId, reason: reason }
]
