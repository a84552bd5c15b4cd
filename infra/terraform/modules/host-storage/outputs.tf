output "id" {
  description = "Resource id of the account."
  value       = azurerm_storage_account.main.id
}

output "blob_endpoint" {
  description = "Address of the blob service of the account, with a trailing slash."
  value       = azurerm_storage_account.main.primary_blob_endpoint
}
