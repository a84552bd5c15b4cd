// The identities: one for the running app; one, on request, for the pipeline that pushes code and migrates, and one for a runner.

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags object

@description('Name of the identity that the app runs as.')
param runtimeName string

@description('Name of the identity of the pipeline, which pushes code and migrates the databases.')
param pipelineName string

@description('Name of the identity by which a runner registers with GitHub; empty: none.')
param runnerName string

@description('GitHub repository (owner/name) whose workflows may sign in as the pipeline; empty: no pipeline identity.')
param githubRepository string

@description('GitHub environment that a workflow must run in to sign in as the pipeline.')
param githubEnvironment string

resource runtime 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' = {
  name: runtimeName
  location: location
  tags: tags
}

resource pipeline 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' = if (!empty(githubRepository)) {
  name: pipelineName
  location: location
  tags: tags
}

resource pipelineTrust 'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials@2024-11-30' = if (!empty(githubRepository)) {
  parent: pipeline
  name: 'github'
  properties: {
    audiences: ['api://AzureADTokenExchange']
    issuer: 'https://token.actions.githubusercontent.com'
    subject: 'repo:${githubRepository}:environment:${githubEnvironment}'
  }
}

resource runner 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' = if (!empty(runnerName)) {
  name: runnerName
  location: location
  tags: tags
}

@description('Resource id of the identity of the app.')
output runtimeId string = runtime.id

@description('Object id of the identity of the app, for role assignments.')
output runtimePrincipalId string = runtime.properties.principalId

@description('Client id of the identity of the app, for settings and the database user.')
output runtimeClientId string = runtime.properties.clientId

@description('Object id of the identity of the pipeline; empty without one.')
output pipelinePrincipalId string = pipeline.?properties.principalId ?? ''

@description('Client id of the identity of the pipeline; empty without one.')
output pipelineClientId string = pipeline.?properties.clientId ?? ''

@description('Resource id of the identity of the runner; empty without one.')
output runnerId string = runner.?id ?? ''

@description('Object id of the identity of the runner; empty without one.')
output runnerPrincipalId string = runner.?properties.principalId ?? ''
