output "DEPLOYED_AS" {
  description = "What the registration was made with: a later run compares it with what it is told."
  value       = var.deployed_as
}

output "API_CLIENT_ID" {
  description = "Client id of the API: the audience of its tokens."
  value       = azuread_application.api.client_id
}

output "API_PRINCIPAL_ID" {
  description = "Object id of the service principal of the API."
  value       = azuread_service_principal.api.object_id
}

output "API_SCOPE" {
  description = "Scope that clients ask for to call the API for a user."
  value       = "${local.identifier_uri}/${local.api.scope.value}"
}

output "CALENDAR_CLIENTS" {
  description = "Clients that know only passwords: their names and client ids, which are their user names."
  value       = [for client in var.calendar_clients : { name = client.name, clientId = azuread_application.clients[client.name].client_id }]
}
