output "role_assignments" {
  description = "The assignments that the runner needs: scope, role id, object id of the principal, reason."
  value = [
    { scope = "${var.key_vault_id}/secrets/${var.credential_name}", role = local.secrets_user, principalId = var.principal_id, reason = local.reason },
  ]
}
