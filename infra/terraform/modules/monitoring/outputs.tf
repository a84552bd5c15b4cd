output "workspace_id" {
  description = "Resource id of the Log Analytics workspace."
  value       = azurerm_log_analytics_workspace.main.id
}

output "audit_workspace_id" {
  description = "Resource id of the workspace of the audit."
  value       = azurerm_log_analytics_workspace.audit.id
}

output "application_insights_id" {
  description = "Resource id of the Application Insights component."
  value       = azurerm_application_insights.main.id
}

output "connection_string" {
  description = "Address of the ingestion endpoint. Not a credential, since local authentication is off."
  value       = azurerm_application_insights.main.connection_string
}
