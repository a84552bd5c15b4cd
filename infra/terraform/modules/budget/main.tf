terraform {
  required_version = ">= 1.9"
  required_providers {
    azurerm = { source = "hashicorp/azurerm", version = "~> 5.2" }
  }
}

# A monthly budget of the resource group: a message at 80 and 100 % spent, and when 100 % is foreseen.

resource "azurerm_consumption_budget_resource_group" "main" {
  name              = var.name
  resource_group_id = var.resource_group_id
  amount            = var.amount
  time_grain        = "Monthly"

  time_period {
    start_date = "${coalesce(var.start_date, formatdate("YYYY-MM-01", plantimestamp()))}T00:00:00Z"
  }

  notification {
    enabled        = true
    operator       = "GreaterThanOrEqualTo"
    threshold      = 80
    threshold_type = "Actual"
    contact_emails = var.emails
    contact_roles  = ["Owner"]
  }
  notification {
    enabled        = true
    operator       = "GreaterThanOrEqualTo"
    threshold      = 100
    threshold_type = "Actual"
    contact_emails = var.emails
    contact_roles  = ["Owner"]
  }
  notification {
    enabled        = true
    operator       = "GreaterThanOrEqualTo"
    threshold      = 100
    threshold_type = "Forecasted"
    contact_emails = var.emails
    contact_roles  = ["Owner"]
  }

  lifecycle {
    # The first month stays what it was when the budget was made.
    ignore_changes = [time_period]
  }
}
