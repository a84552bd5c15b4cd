terraform {
  required_version = ">= 1.9"
  required_providers {
    azurerm = { source = "hashicorp/azurerm", version = "~> 5.2" }
    azapi   = { source = "azure/azapi", version = "~> 2.12" }
  }
}

# Backups of the calendar: an account of their own, in which neither the app nor the pipeline has a right, and the identity that writes
# them every night (.github/workflows/backup.yml). It cannot change or remove them: the account keeps each for 35 days, and then removes it.
# Keys are off.

locals {
  # With zones, copies are in several of them.
  zonal = { LRS = "ZRS", ZRS = "ZRS", GRS = "GZRS", GZRS = "GZRS" }
  # Read from the id: a data source would be unknown in each plan that changes what this module depends on, and an unknown role
  # makes its assignment anew.
  role_definitions      = "/subscriptions/${split("/", var.table_id)[2]}/providers/Microsoft.Authorization/roleDefinitions"
  blob_data_contributor = "ba92f5b4-2d11-453d-a403-e96b0029c9fe"
  blob_data_reader      = "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1"
  table_data_reader     = "76199698-9eea-4c19-bc75-cec21354c6b6"
  reasons = {
    write         = "The nightly backup adds a copy of the calendar and of new pictures."
    read          = "The nightly backup reads the calendar."
    read_pictures = "The nightly backup reads the pictures."
  }
}

resource "azurerm_storage_account" "main" {
  name                             = var.account_name
  resource_group_name              = var.resource_group_name
  location                         = var.location
  tags                             = var.tags
  account_kind                     = "StorageV2"
  account_tier                     = "Standard"
  account_replication_type         = var.zone_redundant ? local.zonal[var.redundancy] : var.redundancy
  shared_access_key_enabled        = false
  allow_nested_items_to_be_public  = false
  cross_tenant_replication_enabled = false
  default_to_oauth_authentication  = true
  local_user_enabled               = false
  min_tls_version                  = "TLS1_2"
  https_traffic_only_enabled       = true
  public_network_access_enabled    = var.public_network_access

  # What is deleted, pictures and whole containers too, can be brought back for as long as backups are kept.
  blob_properties {
    delete_retention_policy {
      days = 35
    }
    container_delete_retention_policy {
      days = 35
    }
  }

  lifecycle {
    # Some changes (region, zones) make an account anew, and Terraform would take the lock away first.
    prevent_destroy = true
  }
}

resource "azurerm_storage_container" "backups" {
  name                  = "backups"
  storage_account_id    = azurerm_storage_account.main.id
  container_access_type = "private"

  lifecycle {
    # A new name would delete the old container with its backups.
    prevent_destroy = true
  }
}

# Nobody changes or deletes a backup in this time, whatever their rights to the data are. The policy is not locked, so that who may manage
# the account can take it away.
resource "azapi_resource" "keep_backups" {
  type      = "Microsoft.Storage/storageAccounts/blobServices/containers/immutabilityPolicies@2025-06-01"
  name      = "default"
  parent_id = "${azurerm_storage_account.main.id}/blobServices/default/containers/${azurerm_storage_container.backups.name}"
  body = {
    properties = {
      immutabilityPeriodSinceCreationInDays = 35
      allowProtectedAppendWrites            = false
    }
  }
}

# The account removes old backups itself, so that no identity needs the right to.
resource "azapi_resource" "lifecycle" {
  type      = "Microsoft.Storage/storageAccounts/managementPolicies@2025-06-01"
  name      = "default"
  parent_id = azurerm_storage_account.main.id
  body = {
    properties = {
      policy = {
        rules = [
          {
            name    = "old-backups"
            enabled = true
            type    = "Lifecycle"
            definition = {
              filters = { blobTypes = ["blockBlob"], prefixMatch = ["backups/"] }
              actions = { baseBlob = { delete = { daysAfterCreationGreaterThan = 35 } } }
            }
          }
        ]
      }
    }
  }

  depends_on = [azurerm_storage_container.backups]
}

resource "azurerm_management_lock" "main" {
  count      = var.delete_lock ? 1 : 0
  name       = "keep-backups"
  scope      = azurerm_storage_account.main.id
  lock_level = "CanNotDelete"
  notes      = "Holds the backups of the calendar."

  # Removed before what is inside, since it keeps that from being removed.
  depends_on = [
    azurerm_monitor_diagnostic_setting.main, azurerm_monitor_diagnostic_setting.blobs, azurerm_role_assignment.write_backups,
    azapi_resource.keep_backups, azapi_resource.lifecycle,
  ]
}

# Tables are for restore drills.
resource "azurerm_monitor_diagnostic_setting" "main" {
  name                       = "to-workspace"
  target_resource_id         = "${azurerm_storage_account.main.id}/tableServices/default"
  log_analytics_workspace_id = var.workspace_id

  enabled_log {
    category = "StorageWrite"
  }
  enabled_log {
    category = "StorageDelete"
  }
  enabled_metric {
    category = "Transaction"
  }
}

moved {
  from = azurerm_monitor_diagnostic_setting.pictures
  to   = azurerm_monitor_diagnostic_setting.blobs
}

# The alert calendar-backup-missing reads what is written here.
resource "azurerm_monitor_diagnostic_setting" "blobs" {
  name                       = "to-workspace"
  target_resource_id         = "${azurerm_storage_account.main.id}/blobServices/default"
  log_analytics_workspace_id = var.workspace_id

  enabled_log {
    category = "StorageWrite"
  }
  enabled_log {
    category = "StorageDelete"
  }
}

resource "azurerm_user_assigned_identity" "main" {
  count               = var.github_repository == "" ? 0 : 1
  name                = var.identity_name
  resource_group_name = var.resource_group_name
  location            = var.location
  tags                = var.tags
}

resource "azurerm_federated_identity_credential" "main" {
  count                     = var.github_repository == "" ? 0 : 1
  name                      = "github"
  user_assigned_identity_id = azurerm_user_assigned_identity.main[0].id
  audience                  = ["api://AzureADTokenExchange"]
  issuer                    = "https://token.actions.githubusercontent.com"
  subject                   = "repo:${var.github_repository}:environment:${var.github_environment}"
}

# The nightly backup reads the calendar.
resource "azurerm_role_assignment" "read_calendar" {
  count              = var.create_role_assignments && var.github_repository != "" ? 1 : 0
  scope              = var.table_id
  role_definition_id = "${local.role_definitions}/${local.table_data_reader}"
  principal_id       = azurerm_user_assigned_identity.main[0].principal_id
  principal_type     = "ServicePrincipal"
  description        = local.reasons.read
}

# The nightly backup adds a copy of the calendar and of new pictures.
resource "azurerm_role_assignment" "write_backups" {
  count              = var.create_role_assignments && var.github_repository != "" ? 1 : 0
  scope              = azurerm_storage_account.main.id
  role_definition_id = "${local.role_definitions}/${local.blob_data_contributor}"
  principal_id       = azurerm_user_assigned_identity.main[0].principal_id
  principal_type     = "ServicePrincipal"
  description        = local.reasons.write
}

# The nightly backup reads the pictures.
resource "azurerm_role_assignment" "read_pictures" {
  count              = var.create_role_assignments && var.github_repository != "" ? 1 : 0
  scope              = var.container_id
  role_definition_id = "${local.role_definitions}/${local.blob_data_reader}"
  principal_id       = azurerm_user_assigned_identity.main[0].principal_id
  principal_type     = "ServicePrincipal"
  description        = local.reasons.read_pictures
}
