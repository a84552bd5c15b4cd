# Module by module: what protects the data, in the plan.

mock_provider "azurerm" {
  mock_data "azurerm_client_config" {
    defaults = {
      subscription_id = "00000000-0000-0000-0000-000000000001"
      tenant_id       = "00000000-0000-0000-0000-000000000002"
    }
  }
}
mock_provider "azapi" {}

variables {
  resource_group_name  = "rg-test"
  resource_group_id    = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-test"
  location             = "westeurope"
  tags                 = { purpose = "test" }
  workspace_id         = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-test/providers/Microsoft.OperationalInsights/workspaces/log"
  audit_workspace_id   = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-test/providers/Microsoft.OperationalInsights/workspaces/audit"
  deployment_addresses = ["10.0.0.0/8", "AzureCloud"]
}

run "storage_has_no_keys" {
  command = plan
  module {
    source = "./modules/storage"
  }
  variables {
    data_account_name     = "stdata"
    data_redundancy       = "LRS"
    table_name            = "calendar"
    zone_redundant        = true
    public_network_access = false
    delete_lock           = true
  }

  assert {
    condition     = !azurerm_storage_account.data.shared_access_key_enabled
    error_message = "Shared keys must be off."
  }
  assert {
    condition     = azurerm_storage_account.data.account_replication_type == "ZRS"
    error_message = "Zone redundancy must keep copies in three zones."
  }
  assert {
    condition     = !azurerm_storage_account.data.public_network_access_enabled
    error_message = "A private deployment must close storage to the internet."
  }
  assert {
    condition     = azurerm_management_lock.data[0].lock_level == "CanNotDelete"
    error_message = "The lock must prevent deletion."
  }
}

run "host_storage_has_no_keys" {
  command = plan
  module {
    source = "./modules/host-storage"
  }
  variables {
    name                    = "sthost"
    package_container_names = ["packages-blue"]
    zone_redundant          = true
    public_network_access   = false
  }

  assert {
    condition     = !azurerm_storage_account.main.shared_access_key_enabled
    error_message = "Shared keys must be off."
  }
  assert {
    condition     = azurerm_storage_account.main.account_replication_type == "ZRS"
    error_message = "Zone redundancy must keep copies in three zones."
  }
}

run "database_knows_entra_only" {
  command = plan
  module {
    source = "./modules/database"
  }
  variables {
    backup_redundancy           = "Geo"
    weekly_retention            = "PT0S"
    monthly_retention           = "PT0S"
    yearly_retention            = "PT0S"
    server_name                 = "sql-test"
    main_database_name          = "records"
    customization_database_name = "customization"
    administrator_login         = "database-admins"
    administrator_object_id     = "00000000-0000-0000-0000-000000000004"
    administrator_type          = "Group"
    sku                         = "GP_S_Gen5_1"
    auto_pause_minutes          = 60
    max_size_gb                 = 2
    collation                   = "SQL_Latin1_General_CP1_CI_AS"
    backup_retention_days       = 7
    zone_redundant              = false
    public_network_access       = false
    delete_lock                 = false
  }

  assert {
    condition     = azurerm_mssql_server.main.azuread_administrator[0].azuread_authentication_only
    error_message = "SQL logins must be off."
  }
  assert {
    condition     = length(azurerm_mssql_database.main) == 2 && alltrue([for database in azurerm_mssql_database.main : database.min_capacity == 0.5])
    error_message = "There must be two databases, serverless ones with half a core at least."
  }
  assert {
    condition     = length(azurerm_mssql_firewall_rule.azure_services) == 0
    error_message = "A private deployment must have no firewall opening."
  }
}

run "zone_redundancy_needs_a_vcore_size" {
  command = plan
  module {
    source = "./modules/database"
  }
  variables {
    backup_redundancy           = "Geo"
    weekly_retention            = "PT0S"
    monthly_retention           = "PT0S"
    yearly_retention            = "PT0S"
    server_name                 = "sql-test"
    main_database_name          = "records"
    customization_database_name = "customization"
    administrator_login         = "database-admins"
    administrator_object_id     = "00000000-0000-0000-0000-000000000004"
    administrator_type          = "Group"
    sku                         = "S0"
    auto_pause_minutes          = -1
    max_size_gb                 = 2
    collation                   = "SQL_Latin1_General_CP1_CI_AS"
    backup_retention_days       = 7
    zone_redundant              = true
    public_network_access       = true
    delete_lock                 = false
  }
  expect_failures = [azurerm_mssql_database.main]
}

run "dtu_databases_come_in_certain_sizes_only" {
  command = plan
  module {
    source = "./modules/database"
  }
  variables {
    backup_redundancy           = "Geo"
    weekly_retention            = "PT0S"
    monthly_retention           = "PT0S"
    yearly_retention            = "PT0S"
    server_name                 = "sql-test"
    main_database_name          = "records"
    customization_database_name = "customization"
    administrator_login         = "database-admins"
    administrator_object_id     = "00000000-0000-0000-0000-000000000004"
    administrator_type          = "Group"
    sku                         = "S0"
    auto_pause_minutes          = -1
    max_size_gb                 = 32
    collation                   = "SQL_Latin1_General_CP1_CI_AS"
    backup_retention_days       = 7
    zone_redundant              = false
    public_network_access       = true
    delete_lock                 = false
  }
  expect_failures = [azurerm_mssql_database.main]
}

run "basic_databases_keep_backups_for_a_week_at_most" {
  command = plan
  module {
    source = "./modules/database"
  }
  variables {
    backup_redundancy           = "Geo"
    weekly_retention            = "PT0S"
    monthly_retention           = "PT0S"
    yearly_retention            = "PT0S"
    server_name                 = "sql-test"
    main_database_name          = "records"
    customization_database_name = "customization"
    administrator_login         = "database-admins"
    administrator_object_id     = "00000000-0000-0000-0000-000000000004"
    administrator_type          = "Group"
    sku                         = "Basic"
    auto_pause_minutes          = -1
    max_size_gb                 = 2
    collation                   = "SQL_Latin1_General_CP1_CI_AS"
    backup_retention_days       = 35
    zone_redundant              = false
    public_network_access       = true
    delete_lock                 = false
  }
  expect_failures = [azurerm_mssql_database.main]
}

run "app_runs_node_with_its_identity" {
  command = plan
  module {
    source = "./modules/app"
  }
  variables {
    plan_name                              = "plan-test"
    name                                   = "func-test"
    identity_client_id                     = "00000000-0000-0000-0000-000000000007"
    host_account_name                      = "sthost"
    application_insights_connection_string = "InstrumentationKey=none"
    identity_id                            = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-test/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id"
    package_container_url                  = "https://sthost.blob.core.windows.net/packages-blue"
    node_version                           = "24"
    instance_memory_mb                     = 512
    maximum_instance_count                 = 10
    always_ready_instances                 = 1
    zone_redundant                         = false
    cors_origins                           = ["*"]
    update_strategy                        = "Recreate"
    apis                                   = "records"
    settings                               = { SERVICE_API_BASE_URL = "/api" }
    records_settings                       = { DB_NAME = "records", DB_POOL_MAX = "6" }
    calendar_settings                      = { CALENDAR_NAME = "default" }
    subnet_id                              = ""
    public_network_access                  = true
    pipeline_access                        = true
    pipeline_principal_id                  = "00000000-0000-0000-0000-000000000005"
    create_role_assignments                = true
  }

  assert {
    condition     = azurerm_service_plan.main.sku_name == "FC1"
    error_message = "The plan must be Flex Consumption."
  }
  assert {
    condition     = azapi_resource.site.body.properties.functionAppConfig.runtime == { name = "node", version = "24" }
    error_message = "The app must run Node 24."
  }
  assert {
    condition     = azapi_resource.site.body.properties.functionAppConfig.deployment.storage.authentication.type == "UserAssignedIdentity"
    error_message = "Packages must be read with the identity."
  }
  assert {
    condition     = { for setting in azapi_resource.site.body.properties.siteConfig.appSettings : setting.name => setting.value if !startswith(setting.name, "A") && !startswith(setting.name, "F") } == { SERVICE_API_BASE_URL = "/api", DB_NAME = "records", DB_POOL_MAX = "6" }
    error_message = "The app must have the settings of its APIs and none of others."
  }
  assert {
    condition     = azapi_resource.site.body.properties.functionAppConfig.scaleAndConcurrency.triggers.http.perInstanceConcurrency == 60
    error_message = "Another instance must start before callers wait for the connections of one."
  }
  assert {
    condition     = endswith(azurerm_role_assignment.push_packages[0].role_definition_id, "/de139f84-1756-47ae-9be6-808fbbe84772")
    error_message = "The pipeline must be a Website Contributor, on the app only."
  }
}

run "role_assignments_can_be_left_to_someone_else" {
  command = plan
  module {
    source = "./modules/access"
  }
  variables {
    create_role_assignments = false
    runtime_principal_id    = "00000000-0000-0000-0000-000000000006"
    host_account_id         = "/host"
    calendar                = true
    table_id                = "/table"
    container_id            = "/container"
    application_insights_id = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-test/providers/Microsoft.Insights/components/insights"
  }

  assert {
    condition     = length(azurerm_role_assignment.host_blobs) + length(azurerm_role_assignment.calendar_table) + length(azurerm_role_assignment.calendar_pictures) + length(azurerm_role_assignment.telemetry) == 0
    error_message = "Nothing must be assigned."
  }
  assert {
    condition     = [for one in output.role_assignments : one.scope] == ["/host", "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-test/providers/Microsoft.Insights/components/insights", "/table", "/container"]
    error_message = "The assignments must be listed."
  }
}

run "alerts_watch_what_the_shared_list_says" {
  command = plan
  module {
    source = "./modules/alerts"
  }
  variables {
    environment_name          = "test"
    emails                    = ["ops@example.org"]
    host_account_id           = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-test/providers/Microsoft.Storage/storageAccounts/host"
    calendar_app              = false
    calendar_host_account_id  = ""
    calendar_health_url       = ""
    resource_group_id         = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-test"
    subscription_id           = "/subscriptions/00000000-0000-0000-0000-000000000001"
    size_in_dtu               = true
    gateway                   = false
    gateway_id                = ""
    data_account_id           = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-test/providers/Microsoft.Storage/storageAccounts/data"
    main_database_id          = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-test/providers/Microsoft.Sql/servers/server/databases/main"
    customization_database_id = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-test/providers/Microsoft.Sql/servers/server/databases/customization"
    application_insights_id   = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-test/providers/Microsoft.Insights/components/insights"
    workspace_id              = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg-test/providers/Microsoft.OperationalInsights/workspaces/logs"
    calendar_backup           = true
    availability_test         = true
    availability_test_minutes = 15
    health_url                = "https://example.org/api/health"
  }

  assert {
    condition     = one(azurerm_monitor_metric_alert.metrics["host-storage-availability"].scopes) == var.host_account_id
    error_message = "The storage of the host must be watched on its account."
  }
  assert {
    condition     = one(azurerm_monitor_scheduled_query_rules_alert_v2.logs["calendar-backup-missing"].scopes) == var.audit_workspace_id
    error_message = "Missing backups must be looked for in the workspace of the audit."
  }
  assert {
    condition     = azurerm_application_insights_standard_web_test.health["health"].request[0].url == "https://example.org/api/health"
    error_message = "The availability test must call the health address."
  }
}
