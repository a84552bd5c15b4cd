terraform {
  required_version = ">= 1.9"
  required_providers {
    azurerm = { source = "hashicorp/azurerm", version = "~> 5.2" }
  }
}

# A storage account of a Functions host: its state, and the packages of the apps that share it. Keys are off.

resource "azurerm_storage_account" "main" {
  name                             = var.name
  resource_group_name              = var.resource_group_name
  location                         = var.location
  tags                             = var.tags
  account_kind                     = "StorageV2"
  account_tier                     = "Standard"
  account_replication_type         = var.zone_redundant ? "ZRS" : "LRS"
  shared_access_key_enabled        = false
  allow_nested_items_to_be_public  = false
  cross_tenant_replication_enabled = false
  default_to_oauth_authentication  = true
  local_user_enabled               = false
  min_tls_version                  = "TLS1_2"
  https_traffic_only_enabled       = true
  public_network_access_enabled    = var.public_network_access

  blob_properties {
    delete_retention_policy {
      days = 14
    }
  }
}

resource "azurerm_storage_container" "packages" {
  for_each              = toset(var.package_container_names)
  name                  = each.value
  storage_account_id    = azurerm_storage_account.main.id
  container_access_type = "private"
}

# Reads are not logged: the host reads leases all the time, and each would be billed as a log line.
resource "azurerm_monitor_diagnostic_setting" "main" {
  name                       = "to-workspace"
  target_resource_id         = "${azurerm_storage_account.main.id}/blobServices/default"
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
