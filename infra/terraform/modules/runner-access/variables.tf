variable "create_role_assignments" {
  description = "True: create the role assignments; false: only list them, for someone who has the right to assign roles."
  type        = bool
}

variable "principal_id" {
  description = "Object id of the identity of the runner."
  type        = string
}

variable "key_vault_id" {
  description = "Resource id of the key vault."
  type        = string
}

variable "credential_name" {
  description = "Name of the secret."
  type        = string
}
