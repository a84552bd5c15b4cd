output "id" {
  description = "Resource id of the app."
  value       = azapi_resource.site.id
}

output "host_name" {
  description = "Host name of the app."
  value       = azapi_resource.site.output.properties.defaultHostName
}

output "verification_id" {
  description = "What the TXT record asuid of a name of the app must have."
  value       = azapi_resource.site.output.properties.customDomainVerificationId
}

# Sensitive, since azurerm calls the address of the ingestion endpoint so.
output "configuration" {
  description = "What is set of the app: its name, its identities, and its properties."
  value       = [{ name = var.name, identity = local.identity, properties = local.properties }]
  sensitive   = true
}

output "role_assignments" {
  description = "The assignments that the pipeline needs: scope, role id, object id of the principal, reason."
  value = var.pipeline_access ? [
    { scope = azapi_resource.site.id, role = local.website_contributor, principalId = var.pipeline_principal_id, reason = local.reason },
  ] : []
}
