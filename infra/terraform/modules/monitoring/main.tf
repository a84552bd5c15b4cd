terraform {
  required_version = ">= 1.9"
  required_providers {
    azapi   = { source = "azure/azapi", version = "~> 2.12" }
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

# Who signs in to the databases and deletes backups is written where no flood of calls can use up the quota of the day.
resource "azurerm_log_analytics_workspace" "audit" {
  name                         = var.audit_workspace_name
  resource_group_name          = var.resource_group_name
  location                     = var.location
  tags                         = var.tags
  sku                          = "PerGB2018"
  retention_in_days            = var.retention_days
  daily_quota_gb               = -1
  local_authentication_enabled = false
  # As above.
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

# The dashboard. A workbook is named by a GUID, unique in its group, which environments may share. The namespace is that of Bicep's guid().
resource "azapi_resource" "workbook" {
  type      = "Microsoft.Insights/workbooks@2023-06-01"
  name      = uuidv5("11fb06fb-712d-4ddd-98c7-e71bbd588830", "workbook-${var.environment_name}")
  parent_id = var.resource_group_id
  location  = var.location
  tags      = var.tags

  body = {
    kind = "shared"
    properties = {
      displayName    = "Records and calendar"
      category       = "workbook"
      sourceId       = azurerm_application_insights.main.id
      serializedData = file("${path.module}/../../../queries/workbook.json")
    }
  }
}
