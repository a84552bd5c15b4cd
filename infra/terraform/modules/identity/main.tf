terraform {
  required_version = ">= 1.9"
  required_providers {
    azurerm = { source = "hashicorp/azurerm", version = "~> 5.2" }
  }
}

# The identities: one for the running app; one, on request, for the pipeline that pushes code and migrates, and one for a runner.

resource "azurerm_user_assigned_identity" "runtime" {
  name                = var.runtime_name
  resource_group_name = var.resource_group_name
  location            = var.location
  tags                = var.tags
}

resource "azurerm_user_assigned_identity" "pipeline" {
  count               = var.github_repository == "" ? 0 : 1
  name                = var.pipeline_name
  resource_group_name = var.resource_group_name
  location            = var.location
  tags                = var.tags
}

resource "azurerm_federated_identity_credential" "pipeline" {
  count                     = var.github_repository == "" ? 0 : 1
  name                      = "github"
  user_assigned_identity_id = azurerm_user_assigned_identity.pipeline[0].id
  audience                  = ["api://AzureADTokenExchange"]
  issuer                    = "https://token.actions.githubusercontent.com"
  subject                   = "repo:${var.github_repository}:environment:${var.github_environment}"
}

resource "azurerm_user_assigned_identity" "runner" {
  count               = var.runner_name == "" ? 0 : 1
  name                = var.runner_name
  resource_group_name = var.resource_group_name
  location            = var.location
  tags                = var.tags
}
