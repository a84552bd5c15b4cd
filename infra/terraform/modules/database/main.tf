terraform {
  required_version = ">= 1.9"
  required_providers {
    azurerm = { source = "hashicorp/azurerm", version = "~> 5.2" }
  }
}

# The SQL server, which knows Entra identities only, and the two databases.

data "azurerm_client_config" "current" {}

locals {
  # With zones, backups are in several of them.
  zonal        = { Local = "Zone", Zone = "Zone", Geo = "GeoZone", GeoZone = "GeoZone" }
  keeps_long   = var.weekly_retention != "PT0S" || var.monthly_retention != "PT0S" || var.yearly_retention != "PT0S"
  serverless   = startswith(var.sku, "GP_S_")
  vcore        = startswith(var.sku, "GP_")
  dtu_sizes_gb = var.sku == "Basic" ? [1, 2] : [1, 2, 5, 10, 20, 30, 40, 50, 100, 150, 200, 250]
  databases = {
    main          = var.main_database_name
    customization = var.customization_database_name
  }
}

resource "azurerm_mssql_server" "main" {
  name                          = var.server_name
  resource_group_name           = var.resource_group_name
  location                      = var.location
  tags                          = var.tags
  version                       = "12.0"
  minimum_tls_version           = "1.2"
  public_network_access_enabled = var.public_network_access

  azuread_administrator {
    azuread_authentication_only = true
    login_username              = var.administrator_login
    object_id                   = var.administrator_object_id
    tenant_id                   = data.azurerm_client_config.current.tenant_id
  }

  lifecycle {
    # Microsoft Defender for SQL switches it on, in subscriptions that have it.
    ignore_changes = [express_vulnerability_assessment_enabled]
    # A server takes the backups of its databases with it.
    prevent_destroy = true
  }
}

resource "azurerm_mssql_database" "main" {
  for_each                    = local.databases
  name                        = each.value
  server_id                   = azurerm_mssql_server.main.id
  tags                        = var.tags
  sku_name                    = var.sku
  collation                   = var.collation
  max_size_gb                 = var.max_size_gb
  auto_pause_delay_in_minutes = local.serverless ? var.auto_pause_minutes : null
  min_capacity                = local.serverless ? 0.5 : null
  zone_redundant              = var.zone_redundant
  storage_account_type        = var.zone_redundant ? local.zonal[var.backup_redundancy] : var.backup_redundancy

  short_term_retention_policy {
    retention_days = var.backup_retention_days
  }

  dynamic "long_term_retention_policy" {
    for_each = local.keeps_long ? [1] : []
    content {
      weekly_retention  = var.weekly_retention
      monthly_retention = var.monthly_retention
      yearly_retention  = var.yearly_retention
      week_of_year      = 1
    }
  }

  lifecycle {
    # Some changes (name, collation, region) make a database anew, and Terraform would take the lock away first.
    prevent_destroy = true

    precondition {
      condition     = !var.zone_redundant || local.vcore
      error_message = "Zone redundancy needs a database size that starts with GP_."
    }
    precondition {
      condition     = local.vcore || contains(local.dtu_sizes_gb, var.max_size_gb)
      error_message = "A database of size ${var.sku} can be this large, in GB: ${join(", ", local.dtu_sizes_gb)}."
    }
    precondition {
      condition     = var.sku != "Basic" || var.backup_retention_days <= 7
      error_message = "A database of size Basic keeps backups for 7 days at most."
    }
  }
}

# A Flex Consumption app without a network has no addresses of its own; this rule admits Azure's. Who comes through it
# must still sign in with an Entra identity that has a user in the database.
resource "azurerm_mssql_firewall_rule" "azure_services" {
  count            = var.public_network_access ? 1 : 0
  name             = "AllowAllWindowsAzureIps"
  server_id        = azurerm_mssql_server.main.id
  start_ip_address = "0.0.0.0"
  end_ip_address   = "0.0.0.0"
}

resource "azurerm_mssql_server_extended_auditing_policy" "main" {
  server_id              = azurerm_mssql_server.main.id
  enabled                = true
  log_monitoring_enabled = true
  # Sign-ins, and changes of rights and objects. The default has every statement, with the values in it.
  audit_actions_and_groups = [
    "FAILED_DATABASE_AUTHENTICATION_GROUP",
    "SUCCESSFUL_DATABASE_AUTHENTICATION_GROUP",
    "DATABASE_OBJECT_CHANGE_GROUP",
    "DATABASE_OBJECT_PERMISSION_CHANGE_GROUP",
    "DATABASE_PERMISSION_CHANGE_GROUP",
    "DATABASE_PRINCIPAL_CHANGE_GROUP",
    "DATABASE_ROLE_MEMBER_CHANGE_GROUP",
    "SCHEMA_OBJECT_CHANGE_GROUP",
    "SCHEMA_OBJECT_PERMISSION_CHANGE_GROUP",
  ]

  # The server makes master by itself, some time after it is there.
  depends_on = [azurerm_mssql_database.main]
}

resource "azurerm_monitor_diagnostic_setting" "audit" {
  name                       = "to-workspace"
  target_resource_id         = "${azurerm_mssql_server.main.id}/databases/master"
  log_analytics_workspace_id = var.audit_workspace_id

  enabled_log {
    category = "SQLSecurityAuditEvents"
  }

  depends_on = [azurerm_mssql_database.main, azurerm_mssql_server_extended_auditing_policy.main]
}

resource "azurerm_monitor_diagnostic_setting" "databases" {
  for_each                   = local.databases
  name                       = "to-workspace"
  target_resource_id         = azurerm_mssql_database.main[each.key].id
  log_analytics_workspace_id = var.workspace_id

  enabled_log {
    category = "Errors"
  }
  enabled_log {
    category = "Timeouts"
  }
  enabled_log {
    category = "Blocks"
  }
  enabled_log {
    category = "Deadlocks"
  }
  enabled_log {
    category = "QueryStoreRuntimeStatistics"
  }
  enabled_log {
    category = "QueryStoreWaitStatistics"
  }
  enabled_metric {
    category = "Basic"
  }
}

resource "azurerm_management_lock" "databases" {
  for_each   = var.delete_lock ? local.databases : {}
  name       = "keep-database"
  scope      = azurerm_mssql_database.main[each.key].id
  lock_level = "CanNotDelete"
  notes      = "Holds the records."

  # Removed before what is inside, since it keeps that from being removed.
  depends_on = [azurerm_monitor_diagnostic_setting.databases]
}
