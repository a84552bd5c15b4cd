output "role_assignments" {
  description = "The assignments that the app needs: scope, role id, object id of the principal, reason."
  value = concat(
    [
      { scope = var.host_account_id, role = local.blob_data_owner, principalId = var.runtime_principal_id, reason = local.reasons.host_blobs },
      { scope = var.application_insights_id, role = local.metrics_publisher, principalId = var.runtime_principal_id, reason = local.reasons.telemetry },
    ],
    var.calendar ? [
      { scope = var.table_id, role = local.table_data_contributor, principalId = var.runtime_principal_id, reason = local.reasons.table },
      { scope = var.container_id, role = local.blob_data_contributor, principalId = var.runtime_principal_id, reason = local.reasons.pictures },
    ] : [],
  )
}
