terraform {
  required_version = ">= 1.9"
  required_providers {
    azurerm = { source = "hashicorp/azurerm", version = "~> 5.2" }
    azapi   = { source = "azure/azapi", version = "~> 2.12" }
  }
}

# Who is told, and when: metric alerts, log alerts, and the availability test on the health address.
# What is watched stands in infra/queries/alerts.json, which both stacks read.

locals {
  alerts = jsondecode(file("${path.module}/../../../queries/alerts.json"))
  scopes = {
    hostAccount           = var.host_account_id
    calendarHostAccount   = var.calendar_host_account_id
    dataAccount           = var.data_account_id
    mainDatabase          = var.main_database_id
    customizationDatabase = var.customization_database_id
    gateway               = var.gateway_id
  }
  # What is not there is not watched.
  absent_scopes           = concat(var.calendar_app ? [] : ["calendarHostAccount"], var.gateway ? [] : ["gateway"])
  absent_metrics          = var.size_in_dtu ? [] : ["dtu_consumption_percent"]
  metric_alerts_of_scopes = { for alert in local.alerts.metricAlerts : alert.name => alert if !contains(local.absent_scopes, alert.scope) && !contains(local.absent_metrics, alert.metric) }
  log_alerts_of_scopes    = { for alert in local.alerts.logAlerts : alert.name => alert if var.calendar_backup || alert.scope != "auditWorkspace" }
  log_scopes              = { applicationInsights = var.application_insights_id, workspace = var.workspace_id, auditWorkspace = var.audit_workspace_id }
  health_urls = merge(
    var.availability_test ? { health = var.health_url } : {},
    var.calendar_app ? { calendar-health = var.calendar_health_url } : {},
  )
}

resource "azurerm_monitor_action_group" "operators" {
  name                = "ag-${var.environment_name}"
  resource_group_name = var.resource_group_name
  tags                = var.tags
  short_name          = var.environment_name
  enabled             = true

  dynamic "email_receiver" {
    for_each = toset(var.emails)
    content {
      name                    = email_receiver.value
      email_address           = email_receiver.value
      use_common_alert_schema = true
    }
  }
}

resource "azurerm_monitor_metric_alert" "metrics" {
  for_each            = local.metric_alerts_of_scopes
  name                = "${var.environment_name}-${each.key}"
  resource_group_name = var.resource_group_name
  tags                = var.tags
  description         = each.value.description
  enabled             = true
  severity            = each.value.severity
  scopes              = [local.scopes[each.value.scope]]
  frequency           = "PT5M"
  window_size         = each.value.window
  auto_mitigate       = true

  criteria {
    metric_namespace = each.value.namespace
    metric_name      = each.value.metric
    aggregation      = each.value.aggregation
    operator         = each.value.operator
    threshold        = each.value.threshold
    # A resource that was just made has sent no metric yet.
    skip_metric_validation = true
  }

  action {
    action_group_id = azurerm_monitor_action_group.operators.id
  }
}

resource "azurerm_monitor_scheduled_query_rules_alert_v2" "logs" {
  for_each                = local.log_alerts_of_scopes
  name                    = "${var.environment_name}-${each.key}"
  resource_group_name     = var.resource_group_name
  location                = var.location
  tags                    = var.tags
  display_name            = "${var.environment_name}: ${each.key}"
  description             = each.value.description
  enabled                 = true
  severity                = each.value.severity
  scopes                  = [local.log_scopes[each.value.scope]]
  evaluation_frequency    = each.value.frequency
  window_duration         = each.value.window
  auto_mitigation_enabled = true
  # A workspace makes its tables with their first rows.
  skip_query_validation = each.value.scope != "applicationInsights"

  criteria {
    query                   = each.value.query
    time_aggregation_method = "Count"
    operator                = "GreaterThan"
    threshold               = 0
  }

  action {
    action_groups = [azurerm_monitor_action_group.operators.id]
  }
}

moved {
  from = azurerm_application_insights_standard_web_test.health[0]
  to   = azurerm_application_insights_standard_web_test.health["health"]
}

moved {
  from = azurerm_monitor_metric_alert.health[0]
  to   = azurerm_monitor_metric_alert.health["health"]
}

resource "azurerm_application_insights_standard_web_test" "health" {
  for_each                = local.health_urls
  name                    = "${var.environment_name}-${each.key}"
  resource_group_name     = var.resource_group_name
  location                = var.location
  tags                    = var.tags
  application_insights_id = var.application_insights_id
  enabled                 = true
  frequency               = var.availability_test_minutes * 60
  timeout                 = local.alerts.availability.timeout
  retry_enabled           = true
  geo_locations           = local.alerts.availability.locations

  request {
    url                              = each.value
    http_verb                        = "GET"
    follow_redirects_enabled         = false
    parse_dependent_requests_enabled = false
  }

  validation_rules {
    expected_status_code        = 200
    ssl_check_enabled           = true
    ssl_cert_remaining_lifetime = 14
  }
}

resource "azurerm_monitor_metric_alert" "health" {
  for_each            = local.health_urls
  name                = "${var.environment_name}-${each.key}"
  resource_group_name = var.resource_group_name
  tags                = var.tags
  description         = "The health address does not answer from ${local.alerts.availability.failedLocations} places."
  enabled             = true
  severity            = 1
  scopes              = [azurerm_application_insights_standard_web_test.health[each.key].id, var.application_insights_id]
  frequency           = "PT5M"
  window_size         = var.availability_test_minutes == 5 ? "PT5M" : "PT15M"
  auto_mitigate       = true

  application_insights_web_test_location_availability_criteria {
    component_id          = var.application_insights_id
    web_test_id           = azurerm_application_insights_standard_web_test.health[each.key].id
    failed_location_count = local.alerts.availability.failedLocations
  }

  action {
    action_group_id = azurerm_monitor_action_group.operators.id
  }
}

# What Azure itself says of the regions and services of the subscription.
resource "azapi_resource" "service_health" {
  type      = "Microsoft.Insights/activityLogAlerts@2020-10-01"
  name      = "${var.environment_name}-service-health"
  parent_id = var.resource_group_id
  location  = "global"
  tags      = var.tags

  body = {
    properties = {
      description = "Azure says that a service of the subscription has an incident, or that somebody must act."
      enabled     = true
      scopes      = [var.subscription_id]
      condition = {
        allOf = [
          { field = "category", equals = "ServiceHealth" },
          {
            anyOf = [
              { field = "properties.incidentType", equals = "Incident" },
              { field = "properties.incidentType", equals = "ActionRequired" },
            ]
          },
        ]
      }
      actions = { actionGroups = [{ actionGroupId = azurerm_monitor_action_group.operators.id }] }
    }
  }
}
