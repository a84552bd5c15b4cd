terraform {
  required_version = ">= 1.9"
  required_providers {
    azurerm = { source = "hashicorp/azurerm", version = "~> 5.2" }
    azapi   = { source = "azure/azapi", version = "~> 2.12" }
  }
}

# A way into a private network: a job of Container Apps in a subnet of it. It starts a runner for each queued job of the repository that
# wants its label, and nothing is running in between. The runner signs in to Azure as the workflow does; its own identity reads one secret.

locals {
  of_app = { for name, value in { applicationID = var.application_id, installationID = var.installation_id } : name => value if var.application_id != "" }
}

resource "azapi_resource" "managed_environment" {
  type      = "Microsoft.App/managedEnvironments@2025-01-01"
  name      = var.name
  parent_id = var.resource_group_id
  location  = var.location
  tags      = var.tags

  body = {
    properties = {
      vnetConfiguration = { infrastructureSubnetId = var.subnet_id, internal = true }
      workloadProfiles  = [{ name = "Consumption", workloadProfileType = "Consumption" }]
      zoneRedundant     = var.zone_redundant
      # Through a diagnostic setting, since the other way needs the key of the workspace.
      appLogsConfiguration = { destination = "azure-monitor" }
    }
  }
}

resource "azapi_resource" "job" {
  type      = "Microsoft.App/jobs@2025-01-01"
  name      = var.job_name
  parent_id = var.resource_group_id
  location  = var.location
  tags      = var.tags

  identity {
    type         = "UserAssigned"
    identity_ids = [var.identity_id]
  }

  body = {
    properties = {
      environmentId       = azapi_resource.managed_environment.id
      workloadProfileName = "Consumption"
      configuration = {
        triggerType = "Event"
        # A runner that was started for nothing ends; a workflow may take three hours.
        replicaTimeout    = 10800
        replicaRetryLimit = 0
        # The platform reads the secret; what runs in the container can't act as this identity.
        identitySettings = [{ identity = var.identity_id, lifecycle = "None" }]
        secrets          = [{ name = "github", keyVaultUrl = var.credential_url, identity = var.identity_id }]
        eventTriggerConfig = {
          parallelism            = 1
          replicaCompletionCount = 1
          scale = {
            minExecutions   = 0
            maxExecutions   = 2
            pollingInterval = 30
            rules = [
              {
                name = "github"
                type = "github-runner"
                metadata = merge(
                  {
                    owner                     = split("/", var.repository)[0]
                    repos                     = split("/", var.repository)[1]
                    runnerScope               = "repo"
                    labels                    = var.label
                    noDefaultLabels           = "true"
                    targetWorkflowQueueLength = "1"
                  },
                  local.of_app,
                )
                auth = [
                  { triggerParameter = var.application_id == "" ? "personalAccessToken" : "appKey", secretRef = "github" },
                ]
              },
            ]
          }
        }
      }
      template = {
        containers = [
          {
            name      = "runner"
            image     = var.image
            command   = ["/bin/bash", "-c"]
            args      = [file("${path.module}/../../../runner/start.sh")]
            resources = { cpu = 2, memory = "4Gi" }
            env = [
              { name = "REPOSITORY", value = var.repository },
              { name = "LABEL", value = var.label },
              { name = "APPLICATION_ID", value = var.application_id },
              { name = "INSTALLATION_ID", value = var.installation_id },
              { name = "GITHUB_CREDENTIAL", secretRef = "github" },
            ]
          },
        ]
      }
    }
  }

  # New role assignments take a while until every service knows them; the secret is read when the job is made.
  retry = {
    error_message_regex  = ["Forbidden", "does not have", "AuthorizationFailed"]
    interval_seconds     = 15
    max_interval_seconds = 60
  }
}

resource "azurerm_monitor_diagnostic_setting" "main" {
  name                       = "to-workspace"
  target_resource_id         = azapi_resource.managed_environment.id
  log_analytics_workspace_id = var.workspace_id

  enabled_log {
    category = "ContainerAppConsoleLogs"
  }
  enabled_log {
    category = "ContainerAppSystemLogs"
  }
}
