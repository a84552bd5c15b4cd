// A way into a private network: a job of Container Apps in a subnet of it. It starts a runner for each queued job of the repository that
// wants its label, and nothing is running in between. The runner signs in to Azure as the workflow does; its own identity reads one secret.

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags object

@description('Name of the environment of Container Apps.')
param name string

@description('Name of the job.')
param jobName string

@description('Resource id of the identity that reads the credential of GitHub.')
param identityId string

@description('Resource id of the subnet of the runners.')
param subnetId string

@description('GitHub repository (owner/name) whose jobs are run.')
param repository string

@description('Label that a job wants to be run here.')
param label string

@description('Address of the secret that holds the credential: the private key of a GitHub App, or a token.')
param credentialUrl string

@description('Id of the GitHub App; empty: the secret is a token.')
param applicationId string

@description('Id of the installation of the GitHub App.')
param installationId string

@description('Image of the runner.')
param image string

@description('True: in several zones.')
param zoneRedundant bool

@description('Resource id of the Log Analytics workspace for diagnostics.')
param workspaceId string

var ofApp = empty(applicationId) ? {} : { applicationID: applicationId, installationID: installationId }

resource managedEnvironment 'Microsoft.App/managedEnvironments@2025-01-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    vnetConfiguration: { infrastructureSubnetId: subnetId, internal: true }
    workloadProfiles: [{ name: 'Consumption', workloadProfileType: 'Consumption' }]
    zoneRedundant: zoneRedundant
    // Through a diagnostic setting, since the other way needs the key of the workspace.
    appLogsConfiguration: { destination: 'azure-monitor' }
  }
}

resource job 'Microsoft.App/jobs@2025-01-01' = {
  name: jobName
  location: location
  tags: tags
  identity: { type: 'UserAssigned', userAssignedIdentities: { '${identityId}': {} } }
  properties: {
    environmentId: managedEnvironment.id
    workloadProfileName: 'Consumption'
    configuration: {
      triggerType: 'Event'
      // A runner that was started for nothing ends; a workflow may take three hours.
      replicaTimeout: 10800
      replicaRetryLimit: 0
      // The platform reads the secret; what runs in the container can't act as this identity.
      identitySettings: [{ identity: identityId, lifecycle: 'None' }]
      secrets: [{ name: 'github', keyVaultUrl: credentialUrl, identity: identityId }]
      eventTriggerConfig: {
        parallelism: 1
        replicaCompletionCount: 1
        scale: {
          minExecutions: 0
          maxExecutions: 2
          pollingInterval: 30
          rules: [
            {
              name: 'github'
              type: 'github-runner'
              metadata: union(
                {
                  owner: split(repository, '/')[0]
                  repos: split(repository, '/')[1]
                  runnerScope: 'repo'
                  labels: label
                  noDefaultLabels: 'true'
                  targetWorkflowQueueLength: '1'
                },
                ofApp
              )
              auth: [
                { triggerParameter: empty(applicationId) ? 'personalAccessToken' : 'appKey', secretRef: 'github' }
              ]
            }
          ]
        }
      }
    }
    template: {
      containers: [
        {
          name: 'runner'
          image: image
          command: ['/bin/bash', '-c']
          args: [loadTextContent('../../runner/start.sh')]
          resources: { cpu: 2, memory: '4Gi' }
          env: [
            { name: 'REPOSITORY', value: repository }
            { name: 'LABEL', value: label }
            { name: 'APPLICATION_ID', value: applicationId }
            { name: 'INSTALLATION_ID', value: installationId }
            { name: 'GITHUB_CREDENTIAL', secretRef: 'github' }
          ]
        }
      ]
    }
  }
}

resource diagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: managedEnvironment
  properties: {
    workspaceId: workspaceId
    logs: [
      { category: 'ContainerAppConsoleLogs', enabled: true }
      { category: 'ContainerAppSystemLogs', enabled: true }
    ]
  }
}
