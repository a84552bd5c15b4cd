output "id" {
  description = "Resource id of the gateway."
  value       = azurerm_api_management.main.id
}

output "url" {
  description = "Address of the gateway."
  value       = azurerm_api_management.main.gateway_url
}

output "role_assignments" {
  description = "The assignments that the gateway needs: scope, role id, object id of the principal, reason."
  value = [
    { scope = var.application_insights_id, role = local.metrics_publisher, principalId = azurerm_api_management.main.identity[0].principal_id, reason = local.reason },
  ]
}
