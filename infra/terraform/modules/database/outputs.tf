output "server_id" {
  description = "Resource id of the SQL server."
  value       = azurerm_mssql_server.main.id
}

output "server_host_name" {
  description = "Host name of the SQL server."
  value       = azurerm_mssql_server.main.fully_qualified_domain_name
}

output "main_database_id" {
  description = "Resource id of the main database."
  value       = azurerm_mssql_database.main["main"].id
}

output "customization_database_id" {
  description = "Resource id of the customization database."
  value       = azurerm_mssql_database.main["customization"].id
}
