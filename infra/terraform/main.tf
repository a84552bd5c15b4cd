# The whole deployment of one environment: a resource group and everything in it, module by module.
# infra/bicep is the same, in Bicep; infra/README.md explains both.

data "azurerm_client_config" "current" {}

locals {
  # Azure takes a region as it is written, "West Europe" or "westeurope"; names are made of one spelling.
  region    = lower(replace(var.location, " ", ""))
  suffix    = substr(sha256("${data.azurerm_client_config.current.subscription_id}/${var.environment_name}/${local.region}"), 0, 13)
  base_path = "/api"
  # What is in the group waits for it where it is made.
  group_name             = var.existing_resource_group_name == "" ? azurerm_resource_group.main[0].name : var.existing_resource_group_name
  group_id               = "/subscriptions/${data.azurerm_client_config.current.subscription_id}/resourceGroups/${local.group_name}"
  identity_name          = lookup(var.resource_names, "identity", "id-${var.environment_name}-${local.suffix}")
  pipeline_identity_name = lookup(var.resource_names, "pipelineIdentity", "id-${var.environment_name}-${local.suffix}-pipeline")
  own_server_name        = lookup(var.resource_names, "sqlServer", "sql-${var.environment_name}-${local.suffix}")
  brings_subnets         = length(var.existing_subnet_ids) > 0
  app_subnet_id          = lookup(var.existing_subnet_ids, "app", try(module.network[0].app_subnet_id, ""))
  endpoint_subnet_id     = lookup(var.existing_subnet_ids, "endpoints", try(module.network[0].endpoint_subnet_id, ""))
  runner_subnet_id       = lookup(var.existing_subnet_ids, "runner", try(module.network[0].runner_subnet_id, ""))
  runner_enabled         = length(var.runner) > 0
  runner_identity_name   = local.runner_enabled ? lookup(var.resource_names, "runnerIdentity", "id-${var.environment_name}-${local.suffix}-runner") : ""
  credential_url         = "https://${try(split("/", var.runner["keyVaultId"])[8], "")}.vault.azure.net/secrets/${lookup(var.runner, "secretName", "")}"
  runner_label           = "inside-${var.environment_name}"
  gateway_subnet_id      = lookup(var.existing_subnet_ids, "gateway", try(module.network[0].gateway_subnet_id, ""))
  zone_ids               = { for zone in ["blob", "table", "sql", "sites"] : zone => local.brings_subnets ? lookup(var.existing_private_dns_zone_ids, zone, "") : try(module.network[0].zone_ids[zone], "") }
  all_tags               = merge(var.tags, { azd-env-name = var.environment_name, deployed-with = "terraform" })
  app_public             = var.app_public_access || !var.private_networking
  gateway_enabled        = var.gateway_sku != "None"
  gateway_name           = lookup(var.resource_names, "gateway", "apim-${var.environment_name}-${local.suffix}")
  sql_server_name        = var.existing_sql_server_id == "" ? local.own_server_name : split("/", var.existing_sql_server_id)[8]
  sql_server_id          = var.existing_sql_server_id == "" ? module.database[0].server_id : var.existing_sql_server_id
  sql_host_name          = var.existing_sql_server_id == "" ? module.database[0].server_host_name : "${local.sql_server_name}.database.windows.net"
  publisher_email        = var.gateway_publisher_email == "" ? try(var.alert_emails[0], "") : var.gateway_publisher_email
  blue_app_name          = lookup(var.resource_names, "app", "func-${var.environment_name}-${local.suffix}")
  calendar_app_name      = lookup(var.resource_names, "calendarApp", "func-${var.environment_name}-${local.suffix}-c")
  green_app_name         = lookup(var.resource_names, "greenApp", "func-${var.environment_name}-${local.suffix}-g")
  host_account_name      = lookup(var.resource_names, "hostAccount", "sthost${local.suffix}")
  data_account_name      = lookup(var.resource_names, "dataAccount", "stdata${local.suffix}")
  domain_name            = lookup(var.custom_domain, "name", "")
  domain_url             = length(var.custom_domain) == 0 ? "" : "https://${local.domain_name}${local.base_path}"
  # Where the calendar has an app of its own, the name is that of the calendar, and the records keep the address of the gateway.
  own_url           = var.calendar_app ? "" : local.domain_url
  base_url          = var.public_base_url != "" ? var.public_base_url : local.own_url != "" ? local.own_url : local.gateway_enabled ? "https://${local.gateway_name}.azure-api.net${local.base_path}" : ""
  calendar_base_url = local.domain_url == "" ? local.base_url : local.domain_url
  api_url           = local.base_url != "" ? local.base_url : "https://${module.blue.host_name}${local.base_path}"
  connections       = var.database_pool_max * var.maximum_instance_count * (var.green_app ? 2 : 1)
  keeps_long        = var.backup_weekly_retention != "PT0S" || var.backup_monthly_retention != "PT0S" || var.backup_yearly_retention != "PT0S"
  # Requests that a database of each size works on at once.
  database_workers = jsondecode(file("${path.module}/../concurrency.json")).databaseWorkers
  login_endpoint   = "https://login.microsoftonline.com/"

  # Settings of the apps: the table in shared/config/variables.ts. Those of the platform are in modules/app.
  service_settings = {
    AppRegistration__ClientId   = var.api_client_id
    AppRegistration__TenantId   = data.azurerm_client_config.current.tenant_id
    AppRegistration__Authority  = "${local.login_endpoint}${data.azurerm_client_config.current.tenant_id}/v2.0"
    AppRegistration__EmailClaim = var.email_claim
    AppRegistration__Audiences  = join(",", var.api_audiences)
    SERVICE_API_BASE_URL        = local.base_path
    PUBLIC_BASE_URL             = local.base_url
    PAGES                       = var.pages ? "true" : "false"
    TRUST_FORWARDED_HEADERS     = var.trust_forwarded_headers ? "true" : "false"
    CORS_ORIGINS                = join(",", var.cors_origins)

    AzureFunctionsJobHost__telemetryMode = var.telemetry
  }
  records_settings = {
    SERVICE_API_USERNAME        = var.service_api_username
    DB_SERVER                   = local.sql_host_name
    DB_NAME                     = var.main_database_name
    DB_CUSTOMIZATION_NAME       = var.customization_database_name
    DB_TRUSTED_CONNECTION       = "true"
    DB_ENCRYPT                  = "true"
    DB_TRUST_SERVER_CERTIFICATE = "false"
    DB_POOL_MAX                 = tostring(var.database_pool_max)
    OBJECT_TYPES                = var.object_types
    OBJECT_METADATA             = var.object_metadata
    BIND_USERS                  = var.bind_users ? "true" : "false"
  }
  calendar_settings = {
    CALENDAR_TABLE_ENDPOINT = module.storage.table_endpoint
    CALENDAR_TABLE_NAME     = var.calendar_table_name
    CALENDAR_BLOB_ENDPOINT  = module.storage.blob_endpoint
    CALENDAR_NAME           = var.calendar_name
    CALENDAR_BASE_PATH      = var.calendar_base_path
    CALENDAR_SITE_ROOTS     = var.calendar_site_roots
    CALENDAR_BASIC          = var.calendar_basic ? "true" : "false"
    CALENDAR_SITE_URL       = var.calendar_site_url
    CALENDAR_TIME_ZONE      = var.calendar_time_zone
    CALENDAR_LANGUAGE       = var.calendar_language
    CALENDAR_CURRENCY       = var.calendar_currency
    CALENDAR_STALE_IF_ERROR = tostring(var.calendar_stale_if_error_seconds)
    SITE_NAME               = var.site_name
    SITE_COLOR              = var.site_color
    SITE_LOGO               = var.site_logo
    SITE_IMAGE              = var.site_image
    SITE_HOME               = var.site_home
    SITE_ADDRESS            = var.site_address
    SITE_CONTACT            = var.site_contact
    SITE_ACCESSIBILITY      = var.site_accessibility
    SITE_PRIVACY            = var.site_privacy
    SITE_LINKS              = var.site_links
    EMBED_ORIGINS           = var.embed_origins
    MAP_TILES               = var.map_tiles
  }
}

resource "azurerm_resource_group" "main" {
  count    = var.existing_resource_group_name == "" ? 1 : 0
  name     = lookup(var.resource_names, "resourceGroup", "rg-${var.environment_name}-${local.suffix}")
  location = var.location
  tags     = local.all_tags
}

moved {
  from = azurerm_resource_group.main
  to   = azurerm_resource_group.main[0]
}

module "identity" {
  source              = "./modules/identity"
  resource_group_name = local.group_name
  location            = var.location
  tags                = local.all_tags
  runtime_name        = local.identity_name
  pipeline_name       = local.pipeline_identity_name
  runner_name         = local.runner_identity_name
  github_repository   = var.github_repository
  github_environment  = var.environment_name
}

module "monitoring" {
  source                    = "./modules/monitoring"
  resource_group_name       = local.group_name
  resource_group_id         = local.group_id
  location                  = var.location
  tags                      = local.all_tags
  environment_name          = var.environment_name
  workspace_name            = lookup(var.resource_names, "workspace", "log-${var.environment_name}-${local.suffix}")
  audit_workspace_name      = lookup(var.resource_names, "auditWorkspace", "log-${var.environment_name}-${local.suffix}-audit")
  application_insights_name = lookup(var.resource_names, "applicationInsights", "appi-${var.environment_name}-${local.suffix}")
  retention_days            = var.log_retention_days
  daily_quota_gb            = var.daily_log_quota_gb
}

module "network" {
  count               = var.private_networking && !local.brings_subnets ? 1 : 0
  source              = "./modules/network"
  resource_group_name = local.group_name
  location            = var.location
  tags                = local.all_tags
  name                = lookup(var.resource_names, "network", "vnet-${var.environment_name}-${local.suffix}")
  address_prefix      = var.network_address_prefix
  gateway_subnet      = var.gateway_sku == "StandardV2"
  runner_subnet       = local.runner_enabled
  existing_zone_ids   = var.existing_private_dns_zone_ids
  zones_by_policy     = var.private_dns_zones_by_policy
}

module "host_storage" {
  source                  = "./modules/host-storage"
  resource_group_name     = local.group_name
  location                = var.location
  tags                    = local.all_tags
  name                    = local.host_account_name
  package_container_names = var.green_app ? ["packages-blue", "packages-green"] : ["packages-blue"]
  zone_redundant          = var.zone_redundant
  public_network_access   = !var.private_networking
  workspace_id            = module.monitoring.workspace_id
}

moved {
  from = module.storage.azurerm_storage_account.host
  to   = module.host_storage.azurerm_storage_account.main
}

moved {
  from = module.storage.azurerm_storage_container.packages
  to   = module.host_storage.azurerm_storage_container.packages
}

moved {
  from = module.storage.azurerm_monitor_diagnostic_setting.host
  to   = module.host_storage.azurerm_monitor_diagnostic_setting.main
}

module "storage" {
  source                = "./modules/storage"
  resource_group_name   = local.group_name
  location              = var.location
  tags                  = local.all_tags
  data_account_name     = local.data_account_name
  data_redundancy       = var.calendar_redundancy
  table_name            = var.calendar_table_name
  zone_redundant        = var.zone_redundant
  public_network_access = !var.private_networking
  delete_lock           = var.delete_locks
  workspace_id          = module.monitoring.workspace_id
}

moved {
  from = module.database
  to   = module.database[0]
}

module "database" {
  count                       = var.existing_sql_server_id == "" ? 1 : 0
  source                      = "./modules/database"
  resource_group_name         = local.group_name
  location                    = var.location
  tags                        = local.all_tags
  server_name                 = local.own_server_name
  main_database_name          = var.main_database_name
  customization_database_name = var.customization_database_name
  administrator_login         = var.sql_administrator_login
  administrator_object_id     = var.sql_administrator_object_id
  administrator_type          = var.sql_administrator_type
  sku                         = var.database_sku
  auto_pause_minutes          = var.database_auto_pause_minutes
  max_size_gb                 = var.database_max_size_gb
  collation                   = var.database_collation
  backup_retention_days       = var.backup_retention_days
  backup_redundancy           = var.database_backup_redundancy
  weekly_retention            = var.backup_weekly_retention
  monthly_retention           = var.backup_monthly_retention
  yearly_retention            = var.backup_yearly_retention
  zone_redundant              = var.zone_redundant
  public_network_access       = !var.private_networking
  delete_lock                 = var.delete_locks
  workspace_id                = module.monitoring.workspace_id
  audit_workspace_id          = module.monitoring.audit_workspace_id
}

module "access" {
  source                  = "./modules/access"
  create_role_assignments = var.create_role_assignments
  runtime_principal_id    = module.identity.runtime_principal_id
  host_account_id         = module.host_storage.id
  calendar                = !var.calendar_app
  table_id                = module.storage.table_id
  container_id            = module.storage.container_id
  application_insights_id = module.monitoring.application_insights_id
}

# Before the app starts, so that its first look-ups find the private addresses.
module "data_endpoints" {
  count               = var.private_networking ? 1 : 0
  source              = "./modules/private-endpoints"
  resource_group_name = local.group_name
  location            = var.location
  tags                = local.all_tags
  subnet_id           = local.endpoint_subnet_id
  zone_groups         = !var.private_dns_zones_by_policy
  endpoints = [
    {
      name         = "pep-${var.environment_name}-host-blob"
      resource_id  = module.host_storage.id
      sub_resource = "blob"
      zone_id      = local.zone_ids["blob"]
    },
    {
      name         = "pep-${var.environment_name}-data-table"
      resource_id  = module.storage.data_account_id
      sub_resource = "table"
      zone_id      = local.zone_ids["table"]
    },
    {
      name         = "pep-${var.environment_name}-data-blob"
      resource_id  = module.storage.data_account_id
      sub_resource = "blob"
      zone_id      = local.zone_ids["blob"]
    },
    {
      name         = "pep-${var.environment_name}-sql"
      resource_id  = local.sql_server_id
      sub_resource = "sqlServer"
      zone_id      = local.zone_ids["sql"]
    },
  ]
}

module "blue" {
  source                                 = "./modules/app"
  resource_group_name                    = local.group_name
  resource_group_id                      = local.group_id
  location                               = var.location
  tags                                   = local.all_tags
  plan_name                              = lookup(var.resource_names, "plan", "plan-${var.environment_name}-${local.suffix}")
  name                                   = local.blue_app_name
  identity_id                            = module.identity.runtime_id
  identity_client_id                     = module.identity.runtime_client_id
  host_account_name                      = local.host_account_name
  application_insights_connection_string = module.monitoring.connection_string
  package_container_url                  = "${module.host_storage.blob_endpoint}packages-blue"
  node_version                           = var.node_version
  instance_memory_mb                     = var.instance_memory_mb
  maximum_instance_count                 = var.maximum_instance_count
  always_ready_instances                 = var.always_ready_instances
  zone_redundant                         = var.zone_redundant
  cors_origins                           = var.cors_origins
  update_strategy                        = var.update_strategy
  apis                                   = var.calendar_app ? "records" : "records,calendar"
  settings                               = local.service_settings
  records_settings                       = local.records_settings
  calendar_settings                      = local.calendar_settings
  subnet_id                              = local.app_subnet_id
  public_network_access                  = local.app_public
  deployment_addresses                   = var.deployment_addresses
  workspace_id                           = module.monitoring.workspace_id
  pipeline_access                        = var.github_repository != ""
  pipeline_principal_id                  = module.identity.pipeline_principal_id
  create_role_assignments                = var.create_role_assignments

  depends_on = [module.access, module.data_endpoints]
}

module "green" {
  count                                  = var.green_app ? 1 : 0
  source                                 = "./modules/app"
  resource_group_name                    = local.group_name
  resource_group_id                      = local.group_id
  location                               = var.location
  tags                                   = local.all_tags
  plan_name                              = lookup(var.resource_names, "greenPlan", "plan-${var.environment_name}-${local.suffix}-g")
  name                                   = local.green_app_name
  identity_id                            = module.identity.runtime_id
  identity_client_id                     = module.identity.runtime_client_id
  host_account_name                      = local.host_account_name
  application_insights_connection_string = module.monitoring.connection_string
  package_container_url                  = "${module.host_storage.blob_endpoint}packages-green"
  node_version                           = var.node_version
  instance_memory_mb                     = var.instance_memory_mb
  maximum_instance_count                 = var.maximum_instance_count
  always_ready_instances                 = var.always_ready_instances
  zone_redundant                         = var.zone_redundant
  cors_origins                           = var.cors_origins
  update_strategy                        = var.update_strategy
  apis                                   = var.calendar_app ? "records" : "records,calendar"
  settings                               = local.service_settings
  records_settings                       = local.records_settings
  calendar_settings                      = local.calendar_settings
  subnet_id                              = local.app_subnet_id
  public_network_access                  = local.app_public
  deployment_addresses                   = var.deployment_addresses
  workspace_id                           = module.monitoring.workspace_id
  pipeline_access                        = var.github_repository != ""
  pipeline_principal_id                  = module.identity.pipeline_principal_id
  create_role_assignments                = var.create_role_assignments

  depends_on = [module.access, module.data_endpoints]
}

module "calendar" {
  count                                  = var.calendar_app ? 1 : 0
  source                                 = "./modules/calendar-app"
  resource_group_name                    = local.group_name
  resource_group_id                      = local.group_id
  location                               = var.location
  tags                                   = local.all_tags
  environment_name                       = var.environment_name
  identity_name                          = lookup(var.resource_names, "calendarIdentity", "id-${var.environment_name}-${local.suffix}-c")
  host_account_name                      = lookup(var.resource_names, "calendarHostAccount", "stcal${local.suffix}")
  plan_name                              = lookup(var.resource_names, "calendarPlan", "plan-${var.environment_name}-${local.suffix}-c")
  name                                   = local.calendar_app_name
  node_version                           = var.node_version
  instance_memory_mb                     = var.instance_memory_mb
  maximum_instance_count                 = var.maximum_instance_count
  always_ready_instances                 = var.always_ready_instances
  zone_redundant                         = var.zone_redundant
  update_strategy                        = var.update_strategy
  settings                               = merge(local.service_settings, { PUBLIC_BASE_URL = local.calendar_base_url })
  calendar_settings                      = local.calendar_settings
  table_id                               = module.storage.table_id
  container_id                           = module.storage.container_id
  application_insights_id                = module.monitoring.application_insights_id
  application_insights_connection_string = module.monitoring.connection_string
  workspace_id                           = module.monitoring.workspace_id
  deployment_addresses                   = var.deployment_addresses
  private_networking                     = var.private_networking
  subnet_id                              = local.app_subnet_id
  endpoint_subnet_id                     = local.endpoint_subnet_id
  blob_zone_id                           = local.zone_ids["blob"]
  zone_groups                            = !var.private_dns_zones_by_policy
  pipeline_access                        = var.github_repository != ""
  pipeline_principal_id                  = module.identity.pipeline_principal_id
  create_role_assignments                = var.create_role_assignments

  depends_on = [module.data_endpoints]
}

module "domain" {
  count            = length(var.custom_domain) > 0 ? 1 : 0
  source           = "./modules/domain"
  location         = var.location
  tags             = local.all_tags
  app_id           = var.calendar_app ? module.calendar[0].id : module.blue.id
  name             = local.domain_name
  key_vault_id     = lookup(var.custom_domain, "keyVaultId", "")
  certificate_name = lookup(var.custom_domain, "certificateName", "")
}

module "blue_endpoint" {
  count               = local.app_public ? 0 : 1
  source              = "./modules/private-endpoints"
  resource_group_name = local.group_name
  location            = var.location
  tags                = local.all_tags
  subnet_id           = local.endpoint_subnet_id
  zone_groups         = !var.private_dns_zones_by_policy
  endpoints = [
    {
      name         = "pep-${var.environment_name}-app-blue"
      resource_id  = module.blue.id
      sub_resource = "sites"
      zone_id      = local.zone_ids["sites"]
    },
  ]
}

module "green_endpoint" {
  count               = !local.app_public && var.green_app ? 1 : 0
  source              = "./modules/private-endpoints"
  resource_group_name = local.group_name
  location            = var.location
  tags                = local.all_tags
  subnet_id           = local.endpoint_subnet_id
  zone_groups         = !var.private_dns_zones_by_policy
  endpoints = [
    {
      name         = "pep-${var.environment_name}-app-green"
      resource_id  = module.green[0].id
      sub_resource = "sites"
      zone_id      = local.zone_ids["sites"]
    },
  ]
}

module "gateway" {
  count                                  = local.gateway_enabled ? 1 : 0
  source                                 = "./modules/gateway"
  resource_group_name                    = local.group_name
  location                               = var.location
  tags                                   = local.all_tags
  name                                   = local.gateway_name
  sku                                    = var.gateway_sku == "StandardV2" ? "StandardV2" : "BasicV2"
  units                                  = var.gateway_units
  publisher_name                         = var.gateway_publisher_name
  publisher_email                        = local.publisher_email
  subnet_id                              = local.gateway_subnet_id
  base_path                              = local.base_path
  blue_host_name                         = module.blue.host_name
  green_app                              = var.green_app
  green_host_name                        = try(module.green[0].host_name, "")
  green_share                            = var.green_app ? var.green_share : 0
  calendar_app                           = var.calendar_app
  calendar_host_name                     = try(module.calendar[0].host_name, "")
  cors_origins                           = var.cors_origins
  audiences                              = distinct(concat([var.api_client_id, "api://${var.api_client_id}"], var.api_audiences))
  calendar_path                          = var.calendar_base_path
  rate_limit_calls                       = var.gateway_rate_limit_calls
  cache_seconds                          = var.gateway_cache_seconds
  application_insights_id                = module.monitoring.application_insights_id
  application_insights_connection_string = module.monitoring.connection_string
  workspace_id                           = module.monitoring.workspace_id
  create_role_assignments                = var.create_role_assignments
}

module "backup" {
  count                   = var.calendar_backup ? 1 : 0
  source                  = "./modules/backup"
  resource_group_name     = local.group_name
  location                = var.location
  tags                    = local.all_tags
  account_name            = lookup(var.resource_names, "backupAccount", "stbackup${local.suffix}")
  zone_redundant          = var.zone_redundant
  redundancy              = var.calendar_redundancy
  public_network_access   = !var.private_networking
  delete_lock             = var.delete_locks
  identity_name           = lookup(var.resource_names, "backupIdentity", "id-${var.environment_name}-${local.suffix}-backup")
  github_repository       = var.github_repository
  github_environment      = "${var.environment_name}-backup"
  table_id                = module.storage.table_id
  container_id            = module.storage.container_id
  create_role_assignments = var.create_role_assignments
  workspace_id            = module.monitoring.audit_workspace_id
}

module "backup_endpoint" {
  count               = var.calendar_backup && var.private_networking ? 1 : 0
  source              = "./modules/private-endpoints"
  resource_group_name = local.group_name
  location            = var.location
  tags                = local.all_tags
  subnet_id           = local.endpoint_subnet_id
  zone_groups         = !var.private_dns_zones_by_policy
  endpoints = [
    {
      name         = "pep-${var.environment_name}-backup-table"
      resource_id  = module.backup[0].account_id
      sub_resource = "table"
      zone_id      = local.zone_ids["table"]
    },
    {
      name         = "pep-${var.environment_name}-backup-blob"
      resource_id  = module.backup[0].account_id
      sub_resource = "blob"
      zone_id      = local.zone_ids["blob"]
    },
  ]
}

module "runner_access" {
  count                   = local.runner_enabled ? 1 : 0
  source                  = "./modules/runner-access"
  create_role_assignments = var.create_role_assignments
  principal_id            = module.identity.runner_principal_id
  key_vault_id            = lookup(var.runner, "keyVaultId", "")
  credential_name         = lookup(var.runner, "secretName", "")
}

# After its role, since the platform reads the secret when the job is made.
module "runner_job" {
  count             = local.runner_enabled ? 1 : 0
  source            = "./modules/runner"
  resource_group_id = local.group_id
  location          = var.location
  tags              = local.all_tags
  name              = lookup(var.resource_names, "runnerEnvironment", "cae-${var.environment_name}-${local.suffix}")
  job_name          = lookup(var.resource_names, "runnerJob", "caj-${var.environment_name}-${local.suffix}")
  identity_id       = module.identity.runner_id
  subnet_id         = local.runner_subnet_id
  repository        = lookup(var.runner, "repository", "")
  label             = local.runner_label
  credential_url    = local.credential_url
  application_id    = lookup(var.runner, "applicationId", "")
  installation_id   = lookup(var.runner, "installationId", "")
  # Not pinned: GitHub gives no jobs to a runner whose release is older than 30 days.
  image          = lookup(var.runner, "image", "ghcr.io/actions/actions-runner:latest")
  zone_redundant = var.zone_redundant
  workspace_id   = module.monitoring.workspace_id

  depends_on = [module.runner_access]
}

module "alerts" {
  source                    = "./modules/alerts"
  resource_group_name       = local.group_name
  location                  = var.location
  tags                      = local.all_tags
  environment_name          = var.environment_name
  emails                    = var.alert_emails
  host_account_id           = module.host_storage.id
  calendar_app              = var.calendar_app
  calendar_host_account_id  = try(module.calendar[0].host_account_id, "")
  data_account_id           = module.storage.data_account_id
  resource_group_id         = local.group_id
  subscription_id           = "/subscriptions/${data.azurerm_client_config.current.subscription_id}"
  size_in_dtu               = var.existing_sql_server_id == "" && !startswith(var.database_sku, "GP_")
  gateway                   = local.gateway_enabled
  gateway_id                = try(module.gateway[0].id, "")
  main_database_id          = var.existing_sql_server_id == "" ? module.database[0].main_database_id : "${var.existing_sql_server_id}/databases/${var.main_database_name}"
  customization_database_id = var.existing_sql_server_id == "" ? module.database[0].customization_database_id : "${var.existing_sql_server_id}/databases/${var.customization_database_name}"
  application_insights_id   = module.monitoring.application_insights_id
  workspace_id              = module.monitoring.workspace_id
  audit_workspace_id        = module.monitoring.audit_workspace_id
  calendar_backup           = var.calendar_backup
  availability_test         = local.app_public || local.base_url != ""
  availability_test_minutes = var.availability_test_minutes
  health_url                = "${local.api_url}/health"
  calendar_health_url       = !var.calendar_app ? "" : local.domain_url == "" ? "https://${module.calendar[0].host_name}${local.base_path}/health" : "${local.domain_url}/health"
}

module "budget" {
  count             = var.monthly_budget > 0 ? 1 : 0
  source            = "./modules/budget"
  resource_group_id = local.group_id
  name              = "budget-${var.environment_name}"
  amount            = var.monthly_budget
  start_date        = var.budget_start_date
  emails            = var.alert_emails
}
