terraform {
  required_version = ">= 1.9"
  required_providers {
    azurerm = { source = "hashicorp/azurerm", version = "~> 5.2" }
  }
}

# API Management in front of the app: one API with wildcards and one policy (infra/gateway), which checks tokens, limits rate
# and size, and caches public reads of the calendar.

data "azurerm_client_config" "current" {}

locals {
  metrics_publisher = "3913510d-42f4-4e42-8a64-420c390055eb"
  reason            = "The gateway sends telemetry; ingestion accepts Entra identities only."
  policy = templatefile("${path.module}/../../../gateway/policy.xml", {
    TENANT_ID        = data.azurerm_client_config.current.tenant_id
    AUDIENCES        = join("", [for audience in var.audiences : "<audience>${audience}</audience>"])
    BASE_PATH        = lower(var.base_path)
    CALENDAR_PATH    = lower(var.calendar_path)
    RATE_LIMIT_CALLS = var.rate_limit_calls
    CACHE_SECONDS    = var.cache_seconds
    GREEN_SHARE      = var.green_share
    CORS_ORIGINS     = join(",", var.cors_origins)
    CALENDAR_APP     = var.calendar_app ? "true" : "false"
  })
  host_names = merge(
    { blue = var.blue_host_name },
    var.green_app ? { green = var.green_host_name } : {},
    var.calendar_app ? { calendar = var.calendar_host_name } : {},
  )
}

resource "azurerm_api_management" "main" {
  name                 = var.name
  resource_group_name  = var.resource_group_name
  location             = var.location
  tags                 = var.tags
  sku_name             = "${var.sku}_${var.units}"
  publisher_name       = var.publisher_name
  publisher_email      = var.publisher_email
  virtual_network_type = var.subnet_id == "" ? "None" : "External"

  identity {
    type = "SystemAssigned"
  }

  dynamic "virtual_network_configuration" {
    for_each = var.subnet_id == "" ? [] : [var.subnet_id]
    content {
      subnet_id = virtual_network_configuration.value
    }
  }
}

# The gateway sends telemetry; ingestion accepts Entra identities only.
resource "azurerm_role_assignment" "telemetry" {
  count              = var.create_role_assignments ? 1 : 0
  scope              = var.application_insights_id
  role_definition_id = "/subscriptions/${data.azurerm_client_config.current.subscription_id}/providers/Microsoft.Authorization/roleDefinitions/${local.metrics_publisher}"
  principal_id       = azurerm_api_management.main.identity[0].principal_id
  principal_type     = "ServicePrincipal"
  description        = local.reason
}

resource "azurerm_api_management_backend" "main" {
  for_each            = local.host_names
  name                = each.key
  api_management_name = azurerm_api_management.main.name
  resource_group_name = var.resource_group_name
  protocol            = "http"
  url                 = "https://${each.value}"

  tls {
    validate_certificate_chain = true
    validate_certificate_name  = true
  }
}

resource "azurerm_api_management_api" "main" {
  name                = "app"
  api_management_name = azurerm_api_management.main.name
  resource_group_name = var.resource_group_name
  revision            = "1"
  display_name        = "Records and calendar"
  # The root: the calendar answers outside of the base path too.
  path                  = ""
  protocols             = ["https"]
  subscription_required = false

  import {
    content_format = "openapi+json"
    content_value  = file("${path.module}/../../../gateway/openapi.json")
  }
}

resource "azurerm_api_management_api_policy" "main" {
  api_name            = azurerm_api_management_api.main.name
  api_management_name = azurerm_api_management.main.name
  resource_group_name = var.resource_group_name
  xml_content         = local.policy

  depends_on = [azurerm_api_management_backend.main]
}

resource "azurerm_api_management_logger" "main" {
  name                = "application-insights"
  api_management_name = azurerm_api_management.main.name
  resource_group_name = var.resource_group_name
  resource_id         = var.application_insights_id

  application_insights {
    connection_string  = var.application_insights_connection_string
    identity_client_id = "SystemAssigned"
  }
}

resource "azurerm_api_management_api_diagnostic" "main" {
  identifier                = "applicationinsights"
  api_name                  = azurerm_api_management_api.main.name
  api_management_name       = azurerm_api_management.main.name
  resource_group_name       = var.resource_group_name
  api_management_logger_id  = azurerm_api_management_logger.main.id
  always_log_errors         = true
  http_correlation_protocol = "W3C"
  log_client_ip             = false
  verbosity                 = "error"
  sampling_percentage       = 20
}

resource "azurerm_monitor_diagnostic_setting" "main" {
  name                       = "to-workspace"
  target_resource_id         = azurerm_api_management.main.id
  log_analytics_workspace_id = var.workspace_id

  enabled_log {
    category = "GatewayLogs"
  }
  enabled_metric {
    category = "AllMetrics"
  }
}
