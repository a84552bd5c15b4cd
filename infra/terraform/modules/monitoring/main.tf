terraform {
  required_version = ">= 1.9"
  required_providers {
    azurerm = { source = "hashicorp/azurerm", version = "~> 5.2" }
  }
}

# Where logs and telemetry go. Both accept Entra identities only, so that no key can write to them.

resource "azurerm_log_analytics_workspace" "main" {
  name                         = var.workspace_name
  resource_group_name          = var.resource_group_name
  location                     = var.location
  tags                         = var.tags
  sku                          = "PerGB2018"
  retention_in_days            = var.retention_days
  daily_quota_gb               = var.daily_quota_gb
  local_authentication_enabled = false
  # Who may read a resource may read its logs; the provider's default, and written out in Bicep.
  allow_resource_only_permissions = true
}

resource "azurerm_application_insights" "main" {
  name                         = var.application_insights_name
  resource_group_name          = var.resource_group_name
  location                     = var.location
  tags                         = var.tags
  application_type             = "web"
  workspace_id                 = azurerm_log_analytics_workspace.main.id
  local_authentication_enabled = false
}
