variable "resource_group_name" {
  description = "Name of the resource group."
  type        = string
}

variable "location" {
  description = "Azure region."
  type        = string
}

variable "tags" {
  description = "Tags of every resource."
  type        = map(string)
}

variable "account_name" {
  description = "Name of the account."
  type        = string
}

variable "zone_redundant" {
  description = "True: copies in three zones."
  type        = bool
}

variable "redundancy" {
  description = "Copies of the backups: in one place (LRS), in three zones (ZRS), and also in a second region (GRS, GZRS)."
  type        = string
}

variable "public_network_access" {
  description = "True: reachable from the internet (by Entra identities only); false: through private endpoints only."
  type        = bool
}

variable "delete_lock" {
  description = "True: the account cannot be deleted until its lock is removed."
  type        = bool
}

variable "identity_name" {
  description = "Name of the identity that writes backups."
  type        = string
}

variable "github_repository" {
  description = "GitHub repository (owner/name) whose workflow writes backups; empty: no identity."
  type        = string
}

variable "github_environment" {
  description = "GitHub environment that the workflow runs in."
  type        = string
}

variable "container_id" {
  description = "Resource id of the container of pictures."
  type        = string
}

variable "table_id" {
  description = "Resource id of the table of the calendar."
  type        = string
}

variable "create_role_assignments" {
  description = "True: create the role assignments; false: only list them, for someone who has the right to assign roles."
  type        = bool
}

variable "workspace_id" {
  description = "Resource id of the workspace of the audit, for diagnostics."
  type        = string
}
