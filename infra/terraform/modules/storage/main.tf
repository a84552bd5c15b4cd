terraform {
  required_version = ">= 1.9"
  required_providers {
    azurerm = { source = "hashicorp/azurerm", version = "~> 5.2" }
    azapi   = { source = "azure/azapi", version = "~> 2.12" }
  }
}

# The storage account of the calendar's table and pictures. Apart from those of the Functions hosts, so that the right to the table gives none
# to a host's state, and the data can be locked. Keys are off.

locals {
  # With zones, copies are in several of them.
  zonal = { LRS = "ZRS", ZRS = "ZRS", GRS = "GZRS", GZRS = "GZRS" }
}

resource "azurerm_storage_account" "data" {
  name                             = var.data_account_name
  resource_group_name              = var.resource_group_name
  location                         = var.location
  tags                             = var.tags
  account_kind                     = "StorageV2"
  account_tier                     = "Standard"
  account_replication_type         = var.zone_redundant ? local.zonal[var.data_redundancy] : var.data_redundancy
  shared_access_key_enabled        = false
  allow_nested_items_to_be_public  = false
  cross_tenant_replication_enabled = false
  default_to_oauth_authentication  = true
  local_user_enabled               = false
  min_tls_version                  = "TLS1_2"
  https_traffic_only_enabled       = true
  public_network_access_enabled    = var.public_network_access

  # Deleted pictures and their container can be brought back for two weeks, as deleted rows from a backup.
  blob_properties {
    delete_retention_policy {
      days = 14
    }
    container_delete_retention_policy {
      days = 14
    }
  }

  lifecycle {
    # Some changes (region, zones) make an account anew, and Terraform would take the lock away first.
    prevent_destroy = true
  }
}

# Created here, so that the app needs no right to create tables. azurerm_storage_table would ask the table service itself,
# where deployers have no rights, and which they cannot reach in a private deployment.
resource "azapi_resource" "calendar" {
  type      = "Microsoft.Storage/storageAccounts/tableServices/tables@2025-06-01"
  name      = var.table_name
  parent_id = "${azurerm_storage_account.data.id}/tableServices/default"
  body      = { properties = {} }

  lifecycle {
    # A new name would delete the old table with its rows.
    prevent_destroy = true
  }
}

# Created here, so that the app needs no right to create containers. The app serves the pictures; the container is private.
resource "azurerm_storage_container" "pictures" {
  name                  = "pictures"
  storage_account_id    = azurerm_storage_account.data.id
  container_access_type = "private"

  lifecycle {
    # A new name would delete the old container with its pictures.
    prevent_destroy = true
  }
}

# Pictures of events that are long over are read rarely: the cool tier stores them for half the price.
resource "azapi_resource" "lifecycle" {
  type      = "Microsoft.Storage/storageAccounts/managementPolicies@2025-06-01"
  name      = "default"
  parent_id = azurerm_storage_account.data.id
  body = {
    properties = {
      policy = {
        rules = [
          {
            name    = "old-pictures"
            enabled = true
            type    = "Lifecycle"
            definition = {
              filters = { blobTypes = ["blockBlob"], prefixMatch = ["pictures/"] }
              actions = { baseBlob = { tierToCool = { daysAfterModificationGreaterThan = 180 } } }
            }
          }
        ]
      }
    }
  }
}

resource "azurerm_management_lock" "data" {
  count      = var.delete_lock ? 1 : 0
  name       = "keep-calendar"
  scope      = azurerm_storage_account.data.id
  lock_level = "CanNotDelete"
  notes      = "Holds the calendar; tables have no soft delete."

  # Removed before what is inside, since it keeps that from being removed.
  depends_on = [
    azapi_resource.calendar, azurerm_storage_container.pictures, azapi_resource.lifecycle,
    azurerm_monitor_diagnostic_setting.data, azurerm_monitor_diagnostic_setting.pictures,
  ]
}

# Reads are not logged: every request to the calendar reads a row, and each would be billed as a log line.
resource "azurerm_monitor_diagnostic_setting" "data" {
  name                       = "to-workspace"
  target_resource_id         = "${azurerm_storage_account.data.id}/tableServices/default"
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

resource "azurerm_monitor_diagnostic_setting" "pictures" {
  name                       = "to-workspace"
  target_resource_id         = "${azurerm_storage_account.data.id}/blobServices/default"
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
