terraform {
  required_version = ">= 1.9"
  required_providers {
    azurerm = { source = "hashicorp/azurerm", version = "~> 5.2" }
  }
}

# The calendar in an app of its own, which is public: with an identity that has no right to the databases nor to anything of the
# records' app, and an account of its own for its Functions host, since who writes there decides what code runs.

module "identity" {
  source              = "../identity"
  resource_group_name = var.resource_group_name
  location            = var.location
  tags                = var.tags
  runtime_name        = var.identity_name
  pipeline_name       = ""
  runner_name         = ""
  github_repository   = ""
  github_environment  = ""
}

module "host_storage" {
  source                  = "../host-storage"
  resource_group_name     = var.resource_group_name
  location                = var.location
  tags                    = var.tags
  name                    = var.host_account_name
  package_container_names = ["packages"]
  zone_redundant          = var.zone_redundant
  public_network_access   = !var.private_networking
  workspace_id            = var.workspace_id
}

module "access" {
  source                  = "../access"
  create_role_assignments = var.create_role_assignments
  runtime_principal_id    = module.identity.runtime_principal_id
  host_account_id         = module.host_storage.id
  calendar                = true
  table_id                = var.table_id
  container_id            = var.container_id
  application_insights_id = var.application_insights_id
}

# Before the app starts, so that its first look-ups find the private address.
module "host_endpoint" {
  count               = var.private_networking ? 1 : 0
  source              = "../private-endpoints"
  resource_group_name = var.resource_group_name
  location            = var.location
  tags                = var.tags
  subnet_id           = var.endpoint_subnet_id
  zone_groups         = var.zone_groups
  endpoints = [
    {
      name         = "pep-${var.environment_name}-calendar-host-blob"
      resource_id  = module.host_storage.id
      sub_resource = "blob"
      zone_id      = var.blob_zone_id
    },
  ]
}

module "app" {
  source                                 = "../app"
  resource_group_name                    = var.resource_group_name
  resource_group_id                      = var.resource_group_id
  location                               = var.location
  tags                                   = var.tags
  plan_name                              = var.plan_name
  name                                   = var.name
  identity_id                            = module.identity.runtime_id
  identity_client_id                     = module.identity.runtime_client_id
  host_account_name                      = var.host_account_name
  application_insights_connection_string = var.application_insights_connection_string
  package_container_url                  = "${module.host_storage.blob_endpoint}packages"
  node_version                           = var.node_version
  instance_memory_mb                     = var.instance_memory_mb
  maximum_instance_count                 = var.maximum_instance_count
  always_ready_instances                 = var.always_ready_instances
  zone_redundant                         = var.zone_redundant
  cors_origins                           = ["*"]
  update_strategy                        = var.update_strategy
  apis                                   = "calendar"
  settings                               = var.settings
  records_settings                       = {}
  calendar_settings                      = var.calendar_settings
  subnet_id                              = var.subnet_id
  public_network_access                  = true
  deployment_addresses                   = var.deployment_addresses
  workspace_id                           = var.workspace_id
  pipeline_access                        = var.pipeline_access
  pipeline_principal_id                  = var.pipeline_principal_id
  create_role_assignments                = var.create_role_assignments

  depends_on = [module.access, module.host_endpoint]
}
