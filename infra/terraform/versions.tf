terraform {
  required_version = ">= 1.9"
  required_providers {
    azurerm = { source = "hashicorp/azurerm", version = "~> 5.2" }
    azapi   = { source = "azure/azapi", version = "~> 2.12" }
  }
}

provider "azurerm" {
  subscription_id = var.subscription_id

  # Keys are off: whatever the provider asks of storage itself, it asks as the deployer.
  storage_use_azuread = true

  # Microsoft.App is needed for the app's network and is not registered by default.
  resource_providers_to_register = [
    "Microsoft.AlertsManagement", "Microsoft.ApiManagement", "Microsoft.App", "Microsoft.Consumption", "Microsoft.Insights",
    "Microsoft.ManagedIdentity", "Microsoft.Network", "Microsoft.OperationalInsights", "Microsoft.Sql", "Microsoft.Storage",
    "Microsoft.Web",
  ]

  features {
    api_management {
      purge_soft_delete_on_destroy = true
      recover_soft_deleted         = true
    }
  }
}

provider "azapi" {
  subscription_id = var.subscription_id
}
