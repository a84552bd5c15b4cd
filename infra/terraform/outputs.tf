# The names are those of the outputs of Bicep, so that one script reads both.

output "AZURE_ENV_NAME" {
  description = "Name of the environment."
  value       = var.environment_name
}

output "DEPLOYED_AS" {
  description = "What the environment was deployed as: a later run compares it with what it is told."
  value       = var.deployed_as
}

output "AZURE_RESOURCE_GROUP" {
  description = "Name of the resource group."
  value       = local.group_name

  # What must not be deployed; infra/deploy/guards.ts says the same before anything is started.
  precondition {
    condition     = var.app_public_access || var.private_networking
    error_message = "appPublicAccess=false closes the app only with privateNetworking=true; without it the app would stay public."
  }
  precondition {
    condition     = var.gateway_sku != "BasicV2" || var.app_public_access
    error_message = "A gateway of the tier BasicV2 cannot reach an app without public access: choose StandardV2."
  }
  precondition {
    condition     = var.green_share == 0 || (var.gateway_sku != "None" && var.green_app)
    error_message = "greenShare needs a gateway, which shares the calls out, and greenApp=true, which they go to."
  }
  precondition {
    condition     = lower(var.main_database_name) != lower(var.customization_database_name)
    error_message = "mainDatabaseName and customizationDatabaseName must differ."
  }
  precondition {
    condition     = !local.keeps_long || !startswith(var.database_sku, "GP_S_") || var.database_auto_pause_minutes == -1
    error_message = "A database with long-term backups never pauses: set databaseAutoPauseMinutes=-1, or another databaseSku."
  }
  precondition {
    condition     = !local.brings_subnets || (var.private_networking && contains(keys(var.existing_subnet_ids), "app") && contains(keys(var.existing_subnet_ids), "endpoints") && (var.gateway_sku != "StandardV2" || contains(keys(var.existing_subnet_ids), "gateway")) && (!local.runner_enabled || contains(keys(var.existing_subnet_ids), "runner")))
    error_message = "existingSubnetIds needs privateNetworking=true, and the subnets app and endpoints; with gatewaySku=StandardV2 also gateway, with runner also runner."
  }
  precondition {
    condition     = !local.runner_enabled || (var.private_networking && contains(keys(var.runner), "repository") && contains(keys(var.runner), "keyVaultId") && contains(keys(var.runner), "secretName") && contains(keys(var.runner), "applicationId") == contains(keys(var.runner), "installationId"))
    error_message = "runner needs privateNetworking=true, and repository, keyVaultId and secretName; a GitHub App has applicationId and installationId."
  }
  precondition {
    condition     = !local.brings_subnets || var.private_dns_zones_by_policy || length(var.existing_private_dns_zone_ids) == 4
    error_message = "With existingSubnetIds no DNS zones are made: give blob, table, sql and sites in existingPrivateDnsZoneIds, or privateDnsZonesByPolicy=true."
  }
  precondition {
    condition     = length(var.custom_domain) == 0 || (can(regex("^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.){2,}[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", local.domain_name)) && length(local.domain_name) <= 253)
    error_message = "customDomain needs a name below a domain of yours, such as events.example.org, in small letters and without https://."
  }
  precondition {
    condition     = contains(keys(var.custom_domain), "keyVaultId") == contains(keys(var.custom_domain), "certificateName")
    error_message = "customDomain takes keyVaultId and certificateName together; without both Azure issues the certificate."
  }
  precondition {
    condition     = length(var.custom_domain) == 0 || var.calendar_app || (var.gateway_sku == "None" && var.app_public_access)
    error_message = "customDomain is the name of an app that callers reach: give it to the gateway, or to what leads to the closed app, or let the calendar have an app of its own (calendarApp=true)."
  }
  precondition {
    condition     = !var.production || length(var.alert_emails) > 0
    error_message = "Production needs alertEmails: without them nobody is told of an alert."
  }
  precondition {
    condition     = !var.production || var.private_networking
    error_message = "Production needs privateNetworking=true: without it every Azure customer may call the databases."
  }
  precondition {
    condition     = !var.production || local.connections <= local.database_workers[var.database_sku]
    error_message = "databasePoolMax x maximumInstanceCount (of both apps) is more than a database of this size serves at once."
  }
  precondition {
    condition     = var.gateway_sku == "None" || local.publisher_email != ""
    error_message = "A gateway needs gatewayPublisherEmail, or alertEmails."
  }
}

output "RESOURCE_GROUP_MADE" {
  description = "True: the resource group was made by the deployment; false: it was there before, and stays."
  value       = var.existing_resource_group_name == ""
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

output "CUSTOM_DOMAIN" {
  description = "Name of your own for the app that callers reach, which is that of the calendar where it has one; empty: none."
  value       = local.domain_name
}

output "DOMAIN_VERIFICATION_ID" {
  description = "What the TXT record asuid of a name of your own must have, for the app that callers reach."
  value       = var.calendar_app ? module.calendar[0].verification_id : module.blue.verification_id
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
  value       = var.existing_sql_server_id == "" ? local.group_name : split("/", var.existing_sql_server_id)[4]
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

output "CALENDAR_PLACE" {
  description = "Address of the calendar in its table, for backups."
  value       = "${module.storage.table_endpoint}${var.calendar_table_name}/${var.calendar_name}"
}

output "PICTURES_PLACE" {
  description = "Address of the pictures of the calendar, for backups."
  value       = "${module.storage.blob_endpoint}pictures/${var.calendar_name}"
}

output "BACKUP_BLOB_URL" {
  description = "Address of the blob service for backups of pictures; empty: none."
  value       = try(module.backup[0].blob_endpoint, "")
}

output "BACKUP_ACCOUNT_URL" {
  description = "Address of the account for backups of the calendar; empty: none."
  value       = try(module.backup[0].table_endpoint, "")
}

output "BACKUP_IDENTITY_CLIENT_ID" {
  description = "Client id of the identity that writes backups; empty: none."
  value       = try(module.backup[0].client_id, "")
}

output "RUNTIME_IDENTITY_NAME" {
  description = "Name of the identity of the app; also its user name in the databases."
  value       = local.identity_name
}

output "RUNTIME_IDENTITY_CLIENT_ID" {
  description = "Client id of the identity of the app."
  value       = module.identity.runtime_client_id
}

output "PIPELINE_IDENTITY_NAME" {
  description = "Name of the identity of the pipeline; empty: none."
  value       = var.github_repository == "" ? "" : local.pipeline_identity_name
}

output "PIPELINE_IDENTITY_CLIENT_ID" {
  description = "Client id of the identity of the pipeline; empty: none."
  value       = module.identity.pipeline_client_id
}

output "PIPELINE_IDENTITY_PRINCIPAL_ID" {
  description = "Object id of the identity of the pipeline; empty: none."
  value       = module.identity.pipeline_principal_id
}

output "RUNNER_LABEL" {
  description = "Label of the runner inside of the network, for the variable of the repository RUNNER_ and the name of the environment; empty: none."
  value       = local.runner_enabled ? local.runner_label : ""
}

# Sensitive, since azurerm calls the address of the ingestion endpoint so.
output "APP_CONFIGURATION" {
  description = "What is set of each app, its name, its identities and its properties: npm run deploy -- drift compares it with Azure."
  value = concat(
    module.blue.configuration,
    var.green_app ? module.green[0].configuration : [],
    var.calendar_app ? module.calendar[0].configuration : [],
  )
  sensitive = true
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
    local.runner_enabled ? module.runner_access[0].role_assignments : [],
    var.calendar_backup ? module.backup[0].role_assignments : [],
  )
}
