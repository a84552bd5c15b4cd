# The names are in capitals because azd turns outputs into variables of its environment.

output "AZURE_RESOURCE_GROUP" {
  description = "Name of the resource group."
  value       = azurerm_resource_group.main.name
}

output "FUNCTION_APP_NAME" {
  description = "Name of the app."
  value       = local.blue_app_name
}

output "FUNCTION_APP_URL" {
  description = "Address of the app itself, without the base path."
  value       = "https://${module.blue.host_name}"
}

output "GREEN_FUNCTION_APP_NAME" {
  description = "Name of the second app; empty: none."
  value       = var.green_app ? local.green_app_name : ""
}

output "GREEN_FUNCTION_APP_URL" {
  description = "Address of the second app itself; empty: none."
  value       = var.green_app ? "https://${module.green[0].host_name}" : ""
}

output "CALENDAR_APP_NAME" {
  description = "Name of the app of the calendar; empty: the calendar has none of its own."
  value       = var.calendar_app ? local.calendar_app_name : ""
}

output "CALENDAR_APP_URL" {
  description = "Address of the app of the calendar itself; empty: the calendar has none of its own."
  value       = var.calendar_app ? "https://${module.calendar[0].host_name}" : ""
}

output "API_BASE_URL" {
  description = "Address of the API for clients, with the base path."
  value       = local.api_url
}

output "API_CLIENT_ID" {
  description = "Client id of the API: the audience of its tokens."
  value       = var.api_client_id
}

output "CORS_ORIGINS" {
  description = "Origins whose pages may call the app from a browser; *: all."
  value       = var.cors_origins
}

output "GATEWAY_NAME" {
  description = "Name of the gateway; empty: none."
  value       = local.gateway_enabled ? local.gateway_name : ""
}

output "SQL_SERVER_NAME" {
  description = "Name of the SQL server, without its domain."
  value       = local.sql_server_name
}

output "SQL_SERVER_RESOURCE_GROUP" {
  description = "Resource group of the SQL server."
  value       = var.existing_sql_server_id == "" ? azurerm_resource_group.main.name : split("/", var.existing_sql_server_id)[4]
}

output "DB_SERVER" {
  description = "Host name of the SQL server."
  value       = local.sql_host_name
}

output "DB_NAME" {
  description = "Name of the main database."
  value       = var.main_database_name
}

output "DB_CUSTOMIZATION_NAME" {
  description = "Name of the customization database."
  value       = var.customization_database_name
}

output "SERVICE_API_USERNAME" {
  description = "Account of the service in tUserSettings of the main database."
  value       = var.service_api_username
}

output "OBJECT_TYPES" {
  description = "Numbers of the kinds of objects."
  value       = var.object_types
}

output "OBJECT_METADATA" {
  description = "Kinds of objects whose metadata is served."
  value       = var.object_metadata
}

output "CALENDAR_BASE_PATH" {
  description = "Path of the calendar API below the base path."
  value       = var.calendar_base_path
}

output "RUNTIME_IDENTITY_NAME" {
  description = "Name of the identity of the app; also its user name in the databases."
  value       = "id-${var.environment_name}-${local.suffix}"
}

output "RUNTIME_IDENTITY_CLIENT_ID" {
  description = "Client id of the identity of the app."
  value       = module.identity.runtime_client_id
}

output "PIPELINE_IDENTITY_NAME" {
  description = "Name of the identity of the pipeline; empty: none."
  value       = var.github_repository == "" ? "" : "id-${var.environment_name}-${local.suffix}-pipeline"
}

output "PIPELINE_IDENTITY_CLIENT_ID" {
  description = "Client id of the identity of the pipeline; empty: none."
  value       = module.identity.pipeline_client_id
}

output "PIPELINE_IDENTITY_PRINCIPAL_ID" {
  description = "Object id of the identity of the pipeline; empty: none."
  value       = module.identity.pipeline_principal_id
}

output "ROLE_ASSIGNMENTS_CREATED" {
  description = "True: the role assignments were created; false: someone with the right to assign roles must create them."
  value       = var.create_role_assignments
}

output "ROLE_ASSIGNMENTS" {
  description = "Every role assignment of the deployment: scope, role id, object id of the principal, reason."
  value = concat(
    module.access.role_assignments,
    module.blue.role_assignments,
    var.green_app ? module.green[0].role_assignments : [],
    var.calendar_app ? module.calendar[0].role_assignments : [],
    local.gateway_enabled ? module.gateway[0].role_assignments : [],
  )
}
