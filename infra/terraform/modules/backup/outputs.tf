output "account_id" {
  description = "Resource id of the account."
  value       = azurerm_storage_account.main.id
}

output "table_endpoint" {
  description = "Address of the table service of the account."
  value       = azurerm_storage_account.main.primary_table_endpoint
}

output "blob_endpoint" {
  description = "Address of the blob service of the account."
  value       = azurerm_storage_account.main.primary_blob_endpoint
}

output "client_id" {
  description = "Client id of the identity that writes backups; empty without one."
  value       = var.github_repository == "" ? "" : azurerm_user_assigned_identity.main[0].client_id
}

output "role_assignments" {
  description = "The assignments that the backup needs: scope, role id, object id of the principal, reason."
  value = var.github_repository == "" ? [] : [
    { scope = var.table_id, role = local.table_data_reader, principalId = azurerm_user_assigned_identity.main[0].principal_id, reason = local.reasons.read },
    { scope = azurerm_storage_account.main.id, role = local.blob_data_contributor, principalId = azurerm_user_assigned_identity.main[0].principal_id, reason = local.reasons.write },
    { scope = var.container_id, role = local.blob_data_reader, principalId = azurerm_user_assigned_identity.main[0].principal_id, reason = local.reasons.read_pictures },
  ]
}
