output "data_account_id" {
  description = "Resource id of the data account."
  value       = azurerm_storage_account.data.id
}

output "table_id" {
  description = "Resource id of the table of the calendar."
  value       = azapi_resource.calendar.id
}

output "container_id" {
  description = "Resource id of the container of pictures."
  value       = azurerm_storage_container.pictures.id
}

output "blob_endpoint" {
  description = "Address of the blob service of the data account."
  value       = azurerm_storage_account.data.primary_blob_endpoint
}

output "table_endpoint" {
  description = "Address of the table service of the data account."
  value       = azurerm_storage_account.data.primary_table_endpoint
}
