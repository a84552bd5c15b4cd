# The whole deployment, planned. `terraform test` needs no Azure: the providers are mocked.

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
  environment_name            = "test"
  location                    = "westeurope"
  api_client_id               = "00000000-0000-0000-0000-000000000003"
  sql_administrator_login     = "database-admins"
  sql_administrator_object_id = "00000000-0000-0000-0000-000000000004"
  service_api_username        = "service"
  calendar_site_url           = "https://calendar.example.org"
}

run "defaults_are_public_and_without_extras" {
  command = plan

  assert {
    condition     = length(module.network) == 0 && length(module.data_endpoints) == 0
    error_message = "Without privateNetworking there must be no network."
  }
  assert {
    condition     = length(module.gateway) == 0 && length(module.green) == 0 && length(module.budget) == 0
    error_message = "Gateway, green app and budget must be made on request only."
  }
  assert {
    condition     = output.GATEWAY_NAME == "" && output.GREEN_FUNCTION_APP_NAME == ""
    error_message = "Outputs must be empty for what is not there."
  }
  assert {
    condition     = length(output.FUNCTION_APP_NAME) <= 32
    error_message = "The name of the app must have at most 32 characters."
  }
}

run "one_switch_makes_the_network_private" {
  command = plan
  variables {
    private_networking = true
  }

  assert {
    condition     = length(module.network) == 1 && length(module.data_endpoints) == 1
    error_message = "privateNetworking must make the network and the endpoints of storage and database."
  }
  assert {
    condition     = length(module.blue_endpoint) == 0
    error_message = "The app must stay public until appPublicAccess is false."
  }
}

run "the_app_can_be_private_too" {
  command = plan
  variables {
    private_networking = true
    app_public_access  = false
    green_app          = true
  }

  assert {
    condition     = length(module.blue_endpoint) == 1 && length(module.green_endpoint) == 1
    error_message = "A private app must have a private endpoint, and so must the green one."
  }
}

run "the_calendar_can_have_an_app_of_its_own" {
  command = plan
  variables {
    calendar_app = true
  }

  assert {
    condition     = length(module.calendar) == 1 && output.CALENDAR_APP_NAME == "${output.FUNCTION_APP_NAME}-c"
    error_message = "calendarApp must make a second app, named after the first."
  }
  assert {
    condition     = length(output.CALENDAR_APP_NAME) <= 32
    error_message = "The name of the app must have at most 32 characters."
  }
}

run "everything_at_once" {
  command = plan
  variables {
    calendar_app            = true
    private_networking      = true
    zone_redundant          = true
    database_sku            = "GP_Gen5_2"
    gateway_sku             = "StandardV2"
    gateway_publisher_email = "api@example.org"
    green_app               = true
    green_share             = 10
    github_repository       = "example/records"
    monthly_budget          = 100
    delete_locks            = true
  }

  assert {
    condition     = output.API_BASE_URL == "https://${output.GATEWAY_NAME}.azure-api.net/api"
    error_message = "Clients must come through the gateway where there is one."
  }
}

run "a_name_of_ones_own_leads_to_the_app" {
  command = plan
  variables {
    custom_domain = { name = "events.example.org" }
  }

  assert {
    condition     = length(module.domain) == 1 && output.CUSTOM_DOMAIN == "events.example.org"
    error_message = "customDomain must give the app a name."
  }
  assert {
    condition     = output.API_BASE_URL == "https://events.example.org/api"
    error_message = "Clients must use the name where nothing else is said."
  }
}

run "a_name_of_ones_own_is_that_of_the_calendar_where_it_has_an_app" {
  command = plan
  variables {
    calendar_app            = true
    gateway_sku             = "BasicV2"
    gateway_publisher_email = "api@example.org"
    custom_domain           = { name = "events.example.org", keyVaultId = "/subscriptions/1/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv", certificateName = "events" }
  }

  assert {
    condition     = length(module.domain) == 1 && output.API_BASE_URL == "https://${output.GATEWAY_NAME}.azure-api.net/api"
    error_message = "The records must keep the address of the gateway."
  }
}

run "a_name_of_ones_own_is_a_host_name" {
  command = plan
  variables {
    custom_domain = { name = "https://events.example.org" }
  }
  expect_failures = [output.AZURE_RESOURCE_GROUP]
}

run "a_domain_has_known_parts" {
  command = plan
  variables {
    custom_domain = { name = "events.example.org", certificate = "events" }
  }
  expect_failures = [var.custom_domain]
}

run "node_has_a_known_version" {
  command = plan
  variables {
    node_version = "20"
  }
  expect_failures = [var.node_version]
}

run "names_fit_servers_and_apps" {
  command = plan
  variables {
    environment_name    = "Dev_1"
    calendar_table_name = "my-calendar"
  }
  expect_failures = [var.environment_name, var.calendar_table_name]
}

run "zones_have_known_names" {
  command = plan
  variables {
    existing_private_dns_zone_ids = { web = "/subscriptions/1/resourceGroups/hub/providers/Microsoft.Network/privateDnsZones/web" }
    existing_subnet_ids           = { web = "/subscriptions/1/resourceGroups/hub/providers/Microsoft.Network/virtualNetworks/hub/subnets/web" }
    resource_names                = { web = "web" }
  }
  expect_failures = [var.existing_private_dns_zone_ids, var.existing_subnet_ids, var.resource_names]
}

run "what_belongs_together_is_given_together" {
  command = plan
  variables {
    gateway_sku = "BasicV2"
  }
  expect_failures = [output.AZURE_RESOURCE_GROUP]
}

run "a_group_that_is_there_is_used" {
  command = plan
  variables {
    existing_resource_group_name = "rg-of-others"
    resource_names               = { app = "func-of-ours" }
  }

  assert {
    condition     = length(azurerm_resource_group.main) == 0 && output.AZURE_RESOURCE_GROUP == "rg-of-others"
    error_message = "No group must be made where one is given."
  }
  assert {
    condition     = output.FUNCTION_APP_NAME == "func-of-ours"
    error_message = "A resource must have the name that it is given."
  }
}

run "names_have_room" {
  command = plan
  variables {
    environment_name = "much-too-long"
  }
  expect_failures = [var.environment_name]
}
