terraform {
  required_version = ">= 1.9"
  required_providers {
    azurerm = { source = "hashicorp/azurerm", version = "~> 5.2" }
  }
}

# What the identity of the runner may do: read one secret, in a key vault that may be in another resource group.

locals {
  # Read from the id: a data source would be unknown in each plan that changes what this module depends on, and an unknown role
  # makes its assignment anew.
  subscription_id = split("/", var.key_vault_id)[2]
  secrets_user    = "4633458b-17de-408a-b874-0445c86b69e6"
  reason          = "The runner registers with GitHub by this secret."
}

# The runner registers with GitHub by this secret.
resource "azurerm_role_assignment" "read_secret" {
  count              = var.create_role_assignments ? 1 : 0
  scope              = "${var.key_vault_id}/secrets/${var.credential_name}"
  role_definition_id = "/subscriptions/${local.subscription_id}/providers/Microsoft.Authorization/roleDefinitions/${local.secrets_user}"
  principal_id       = var.principal_id
  principal_type     = "ServicePrincipal"
  description        = local.reason
}
