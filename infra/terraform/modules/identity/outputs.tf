output "runtime_id" {
  description = "Resource id of the identity of the app."
  value       = azurerm_user_assigned_identity.runtime.id
}

output "runtime_principal_id" {
  description = "Object id of the identity of the app, for role assignments."
  value       = azurerm_user_assigned_identity.runtime.principal_id
}

output "runtime_client_id" {
  description = "Client id of the identity of the app, for settings and the database user."
  value       = azurerm_user_assigned_identity.runtime.client_id
}

output "pipeline_principal_id" {
  description = "Object id of the identity of the pipeline; empty without one."
  value       = var.github_repository == "" ? "" : azurerm_user_assigned_identity.pipeline[0].principal_id
}

output "pipeline_client_id" {
  description = "Client id of the identity of the pipeline; empty without one."
  value       = var.github_repository == "" ? "" : azurerm_user_assigned_identity.pipeline[0].client_id
}

output "runner_id" {
  description = "Resource id of the identity of the runner; empty without one."
  value       = try(azurerm_user_assigned_identity.runner[0].id, "")
}

output "runner_principal_id" {
  description = "Object id of the identity of the runner; empty without one."
  value       = try(azurerm_user_assigned_identity.runner[0].principal_id, "")
}
