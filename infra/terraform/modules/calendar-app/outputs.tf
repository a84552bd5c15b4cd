output "id" {
  description = "Resource id of the app."
  value       = module.app.id
}

output "verification_id" {
  description = "What the TXT record asuid of a name of the app must have."
  value       = module.app.verification_id
}

output "host_name" {
  description = "Host name of the app."
  value       = module.app.host_name
}

output "host_account_id" {
  description = "Resource id of the account of its Functions host."
  value       = module.host_storage.id
}

output "configuration" {
  description = "What is set of the app: its name, its identities, and its properties."
  value       = module.app.configuration
  sensitive   = true
}

output "role_assignments" {
  description = "The assignments that the app and the pipeline need: scope, role id, object id of the principal, reason."
  value       = concat(module.access.role_assignments, module.app.role_assignments)
}
