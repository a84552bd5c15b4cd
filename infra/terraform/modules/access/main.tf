terraform {
  required_version = ">= 1.9"
  required_providers {
    azurerm = { source = "hashicorp/azurerm", version = "~> 5.2" }
  }
}

# What a running app may do in Azure: two or four roles, each on the smallest scope that works.
# Its rights inside the databases come from contained users (infra/deploy), not from here.
# Host storage needs no queue or table role: the app has HTTP triggers only.

locals {
  # Not from a data source: in a module that waits for others it is unknown whenever those change, and the roles would be made anew.
  role_definitions       = "/subscriptions/${split("/", var.application_insights_id)[2]}/providers/Microsoft.Authorization/roleDefinitions"
  blob_data_owner        = "b7e6dc6d-f1e8-4753-8033-0f276bb0955b"
  blob_data_contributor  = "ba92f5b4-2d11-453d-a403-e96b0029c9fe"
  table_data_contributor = "0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3"
  metrics_publisher      = "3913510d-42f4-4e42-8a64-420c390055eb"
  reasons = {
    host_blobs = "The Functions host keeps leases and host keys as blobs, and reads the deployment package."
    table      = "The app reads and writes the calendar, in this one table."
    pictures   = "The app stores and reads pictures, in this one container."
    telemetry  = "The app sends telemetry; ingestion accepts Entra identities only."
  }
}

# The Functions host keeps leases and host keys as blobs, and reads the deployment package.
resource "azurerm_role_assignment" "host_blobs" {
  count              = var.create_role_assignments ? 1 : 0
  scope              = var.host_account_id
  role_definition_id = "${local.role_definitions}/${local.blob_data_owner}"
  principal_id       = var.runtime_principal_id
  principal_type     = "ServicePrincipal"
  description        = local.reasons.host_blobs
}

# The app reads and writes the calendar, in this one table.
resource "azurerm_role_assignment" "calendar_table" {
  count              = var.create_role_assignments && var.calendar ? 1 : 0
  scope              = var.table_id
  role_definition_id = "${local.role_definitions}/${local.table_data_contributor}"
  principal_id       = var.runtime_principal_id
  principal_type     = "ServicePrincipal"
  description        = local.reasons.table
}

# The app stores and reads pictures, in this one container.
resource "azurerm_role_assignment" "calendar_pictures" {
  count              = var.create_role_assignments && var.calendar ? 1 : 0
  scope              = var.container_id
  role_definition_id = "${local.role_definitions}/${local.blob_data_contributor}"
  principal_id       = var.runtime_principal_id
  principal_type     = "ServicePrincipal"
  description        = local.reasons.pictures
}

# The app sends telemetry; ingestion accepts Entra identities only.
resource "azurerm_role_assignment" "telemetry" {
  count              = var.create_role_assignments ? 1 : 0
  scope              = var.application_insights_id
  role_definition_id = "${local.role_definitions}/${local.metrics_publisher}"
  principal_id       = var.runtime_principal_id
  principal_type     = "ServicePrincipal"
  description        = local.reasons.telemetry
}
