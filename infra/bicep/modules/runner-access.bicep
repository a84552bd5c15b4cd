// What the identity of the runner may do: read one secret, in a key vault that may be in another resource group.

@description('True: create the role assignments; false: only list them, for someone who has the right to assign roles.')
param createRoleAssignments bool

@description('Object id of the identity of the runner.')
param principalId string

@description('Resource id of the key vault.')
param keyVaultId string

@description('Name of the secret.')
param credentialName string

var secretsUser = '4633458b-17de-408a-b874-0445c86b69e6'
var reason = 'The runner registers with GitHub by this secret.'

resource vault 'Microsoft.KeyVault/vaults@2024-11-01' existing = {
  name: last(split(keyVaultId, '/'))
}

resource secret 'Microsoft.KeyVault/vaults/secrets@2024-11-01' existing = {
  parent: vault
  name: credentialName
}

// The runner registers with GitHub by this secret.
resource readSecret 'Microsoft.Authorization/roleAssignments@2022-04-01' = if (createRoleAssignments) {
  name: guid('${keyVaultId}/secrets/${credentialName}', principalId, secretsUser)
  scope: secret
  properties: {
    principalId: principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', secretsUser)
    description: reason
  }
}

@description('The assignments that the runner needs: scope, role id, object id of the principal, reason.')
output roleAssignments { scope: string, role: string, principalId: string, reason: string }[] = [
  { scope: '${keyVaultId}/secrets/${credentialName}', role: secretsUser, principalId: principalId, reason: reason }
]
