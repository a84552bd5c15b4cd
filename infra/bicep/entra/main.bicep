// The API in Entra ID: its app registration, with roles, a scope and claims, and its service principal.
// A template of its own, since it needs rights in the directory that deployers of Azure resources often lack;
// without them, give the client id of a registration made by someone else to the main template.
extension microsoftGraphV1

targetScope = 'subscription'

@description('Name of the environment, in the names of the registration.')
@minLength(2)
@maxLength(10)
param environmentName string

@description('Name of the API as people see it on consent screens; empty: one with the name of the environment.')
param displayName string = ''

@description('Unique name of the registration, which never changes; empty: one for the environment and the subscription.')
param uniqueName string = ''

@description('Addresses that pages and the API explorer may be sent back to after sign-in, such as https://api.example.org/api/swagger/oauth2-redirect.html.')
param redirectUris string[] = []

@description('Client ids of applications that may call the API for their users without asking for consent.')
param preAuthorizedClientIds string[] = []

@description('Object ids of service principals (pipelines, background services) that get the role Service.Access.')
param serviceAccessPrincipalIds string[] = []

@description('Clients that know only passwords: a registration each, by its name (small letters, digits, dashes), with a role in the calendar (Calendar.Contributor, Calendar.Author or Calendar.Editor). Their secrets are made by hand.')
param calendarClients { name: string, role: string }[] = []

@description('What the registration is made with, as npm run deploy writes it; empty: by other tools.')
param deployedAs string = ''

var api = loadJsonContent('../../entra/api.json')
// The calendar's roles alone: a password must never open the records.
var calendarRoles = toObject(filter(api.appRoles, role => startsWith(role.value, 'Calendar.')), role => role.value, role => role.id)
// Environments of one name in two subscriptions of a directory are two registrations.
var ownName = empty(uniqueName)
  ? 'records-and-calendar-${environmentName}-${uniqueString(subscription().id, environmentName)}'
  : uniqueName

resource application 'Microsoft.Graph/applications@v1.0' = {
  uniqueName: ownName
  displayName: empty(displayName) ? 'Records and calendar (${environmentName})' : displayName
  signInAudience: 'AzureADMyOrg'
  identifierUris: ['api://${tenant().tenantId}/${ownName}']
  api: {
    requestedAccessTokenVersion: 2
    oauth2PermissionScopes: [
      {
        id: api.scope.id
        value: api.scope.value
        type: 'User'
        isEnabled: true
        adminConsentDisplayName: api.scope.adminConsentDisplayName
        adminConsentDescription: api.scope.adminConsentDescription
        userConsentDisplayName: api.scope.userConsentDisplayName
        userConsentDescription: api.scope.userConsentDescription
      }
    ]
    preAuthorizedApplications: [
      for clientId in preAuthorizedClientIds: { appId: clientId, delegatedPermissionIds: [api.scope.id] }
    ]
  }
  appRoles: [
    for role in api.appRoles: {
      id: role.id
      value: role.value
      displayName: role.displayName
      description: role.description
      allowedMemberTypes: role.allowedMemberTypes
      isEnabled: true
    }
  ]
  optionalClaims: {
    accessToken: [
      { name: 'email', essential: false }
      { name: 'idtyp', essential: false }
    ]
  }
  spa: { redirectUris: redirectUris }
}

resource servicePrincipal 'Microsoft.Graph/servicePrincipals@v1.0' = {
  appId: application.appId
}

// Callers without a user, such as the smoke test of a pipeline, are let in by this role.
resource serviceAccess 'Microsoft.Graph/appRoleAssignedTo@v1.0' = [
  for principalId in serviceAccessPrincipalIds: {
    appRoleId: api.appRoles[0].id
    principalId: principalId
    resourceId: servicePrincipal.id
  }
]

resource clients 'Microsoft.Graph/applications@v1.0' = [
  for client in calendarClients: {
    uniqueName: '${ownName}-${client.name}'
    displayName: 'Calendar client ${client.name} (${environmentName})'
    signInAudience: 'AzureADMyOrg'
    identifierUris: ['api://${tenant().tenantId}/${ownName}-${client.name}']
    api: { requestedAccessTokenVersion: 2 }
  }
]

resource clientPrincipals 'Microsoft.Graph/servicePrincipals@v1.0' = [
  for (client, index) in calendarClients: {
    appId: clients[index].appId
  }
]

// What a client may do in the calendar; without a role it may do nothing.
resource clientRoles 'Microsoft.Graph/appRoleAssignedTo@v1.0' = [
  for (client, index) in calendarClients: {
    appRoleId: calendarRoles[client.role]
    principalId: clientPrincipals[index].id
    resourceId: servicePrincipal.id
  }
]

@description('What the registration was made with: a later run compares it with what it is told.')
output DEPLOYED_AS string = deployedAs

@description('Client id of the API: the audience of its tokens.')
output API_CLIENT_ID string = application.appId

@description('Object id of the service principal of the API.')
output API_PRINCIPAL_ID string = servicePrincipal.id

@description('Scope that clients ask for to call the API for a user.')
output API_SCOPE string = 'api://${tenant().tenantId}/${ownName}/${api.scope.value}'

@description('Clients that know only passwords: their names and client ids, which are their user names.')
output CALENDAR_CLIENTS { name: string, clientId: string }[] = [
  for (client, index) in calendarClients: { name: client.name, clientId: clients[index].appId }
]
