terraform {
  required_version = ">= 1.9"
  required_providers {
    azurerm = { source = "hashicorp/azurerm", version = "~> 5.2" }
    azapi   = { source = "azure/azapi", version = "~> 2.12" }
  }
}

# One Flex Consumption plan and the one app on it. Used again for the green app of a blue/green release, and for a calendar of its own.
# The app is an azapi resource, with the same body as in Bicep: azurerm_function_app_flex_consumption would add an
# AzureWebJobsStorage connection string without a key, which competes with the identity-based form.

locals {
  # Read from the group: a data source would be unknown in each plan that changes what this module depends on, and an unknown
  # role makes its assignment anew.
  subscription_id     = split("/", var.resource_group_id)[2]
  website_contributor = "de139f84-1756-47ae-9be6-808fbbe84772"
  reason              = "The pipeline pushes packages to this app."

  # Requests that an instance takes at once, by its memory: their bodies fit beside host and app (docs/reference.md, "Choose the size of an instance").
  concurrency      = jsondecode(file("${path.module}/../../../concurrency.json"))
  requests_at_once = local.concurrency.requestsInFlight[tostring(var.instance_memory_mb)]

  # Requests in flight from which on the platform starts another instance: before this one refuses anything, and before callers wait for its connections.
  scale_out_by_memory = local.concurrency.scaleOutAt[tostring(var.instance_memory_mb)]
  scale_out_at = strcontains(var.apis, "records") ? min(
    local.scale_out_by_memory,
    local.concurrency.scaleOutPerConnection * tonumber(var.records_settings.DB_POOL_MAX),
  ) : local.scale_out_by_memory

  # The platform's settings, and what an app is.
  platform_settings = {
    AzureWebJobsStorage__accountName                                = var.host_account_name
    AzureWebJobsStorage__credential                                 = "managedidentity"
    AzureWebJobsStorage__clientId                                   = var.identity_client_id
    APPLICATIONINSIGHTS_CONNECTION_STRING                           = var.application_insights_connection_string
    APPLICATIONINSIGHTS_AUTHENTICATION_STRING                       = "ClientId=${var.identity_client_id};Authorization=AAD"
    FUNCTIONS_REQUEST_BODY_SIZE_LIMIT                               = "5242880"
    AzureFunctionsJobHost__extensions__http__maxOutstandingRequests = tostring(local.requests_at_once)
    AZURE_CLIENT_ID                                                 = var.identity_client_id
    APIS                                                            = var.apis
  }
  all_settings = merge(
    local.platform_settings,
    var.settings,
    strcontains(var.apis, "records") ? var.records_settings : {},
    strcontains(var.apis, "calendar") ? var.calendar_settings : {},
  )

  # Everything that is set of the app: the output says it too, so that a change by hand can be told (npm run deploy -- drift).
  identity = { type = "UserAssigned", userAssignedIdentities = { (var.identity_id) = {} } }
  properties = {
    serverFarmId           = azurerm_service_plan.main.id
    httpsOnly              = true
    clientAffinityEnabled  = false
    publicNetworkAccess    = var.public_network_access ? "Enabled" : "Disabled"
    virtualNetworkSubnetId = var.subnet_id == "" ? null : var.subnet_id
    # It counts when an app is made, and no other one can have certificates.
    siteScopedCertificatesEnabled = true
    functionAppConfig = {
      deployment = {
        storage = {
          type  = "blobContainer"
          value = var.package_container_url
          authentication = {
            type                           = "UserAssignedIdentity"
            userAssignedIdentityResourceId = var.identity_id
          }
        }
      }
      runtime = { name = "node", version = var.node_version }
      scaleAndConcurrency = {
        instanceMemoryMB     = var.instance_memory_mb
        maximumInstanceCount = var.maximum_instance_count
        triggers             = { http = { perInstanceConcurrency = local.scale_out_at } }
        alwaysReady          = var.always_ready_instances > 0 ? [{ name = "http", instanceCount = var.always_ready_instances }] : []
      }
      siteUpdateStrategy = { type = var.update_strategy }
    }
    siteConfig = {
      minTlsVersion    = "1.2"
      scmMinTlsVersion = "1.2"
      http20Enabled    = true
      # Whoever pushes needs a role as well.
      scmIpSecurityRestrictionsDefaultAction = length(var.deployment_addresses) == 0 ? "Allow" : "Deny"
      scmIpSecurityRestrictions = [for index, address in var.deployment_addresses : {
        name      = "deployment-${index}"
        action    = "Allow"
        priority  = 100 + index
        ipAddress = address
        tag       = strcontains(address, "/") ? "Default" : "ServiceTag"
      }]
      # The host answers preflights itself, before the app, and refuses every origin where this is not set.
      cors        = { allowedOrigins = var.cors_origins, supportCredentials = false }
      appSettings = [for name, value in local.all_settings : { name = name, value = value }]
    }
  }
}

resource "azurerm_service_plan" "main" {
  name                   = var.plan_name
  resource_group_name    = var.resource_group_name
  location               = var.location
  tags                   = var.tags
  os_type                = "Linux"
  sku_name               = "FC1"
  zone_balancing_enabled = var.zone_redundant
}

resource "azapi_resource" "site" {
  type      = "Microsoft.Web/sites@2025-03-01"
  name      = var.name
  parent_id = var.resource_group_id
  location  = var.location
  tags      = var.tags

  identity {
    type         = local.identity.type
    identity_ids = keys(local.identity.userAssignedIdentities)
  }

  body = {
    kind       = "functionapp,linux"
    properties = local.properties
  }

  # The type library does not know siteUpdateStrategy and siteScopedCertificatesEnabled yet.
  schema_validation_enabled = false
  ignore_null_property      = true
  response_export_values    = ["properties.defaultHostName", "properties.customDomainVerificationId"]

  # New role assignments take a while until every service knows them.
  retry = {
    error_message_regex  = ["AuthorizationFailed", "AuthorizationPermissionMismatch", "does not have authorization"]
    interval_seconds     = 15
    max_interval_seconds = 60
  }

  lifecycle {
    # Azure does not change it of an app that is there.
    ignore_changes = [body.properties.siteScopedCertificatesEnabled]
  }
}

# Code is pushed with Entra identities only; user names and passwords for publishing are off.
resource "azapi_update_resource" "scm_credentials" {
  type      = "Microsoft.Web/sites/basicPublishingCredentialsPolicies@2025-03-01"
  name      = "scm"
  parent_id = azapi_resource.site.id
  body      = { properties = { allow = false } }
}

resource "azapi_update_resource" "ftp_credentials" {
  type      = "Microsoft.Web/sites/basicPublishingCredentialsPolicies@2025-03-01"
  name      = "ftp"
  parent_id = azapi_resource.site.id
  body      = { properties = { allow = false } }
}

# Metrics only: the app's logs are in Application Insights already, and would be billed twice.
resource "azurerm_monitor_diagnostic_setting" "main" {
  name                       = "to-workspace"
  target_resource_id         = azapi_resource.site.id
  log_analytics_workspace_id = var.workspace_id

  enabled_metric {
    category = "AllMetrics"
  }
}

# The pipeline pushes packages to this app.
resource "azurerm_role_assignment" "push_packages" {
  count              = var.create_role_assignments && var.pipeline_access ? 1 : 0
  scope              = azapi_resource.site.id
  role_definition_id = "/subscriptions/${local.subscription_id}/providers/Microsoft.Authorization/roleDefinitions/${local.website_contributor}"
  principal_id       = var.pipeline_principal_id
  principal_type     = "ServicePrincipal"
  description        = local.reason
}
