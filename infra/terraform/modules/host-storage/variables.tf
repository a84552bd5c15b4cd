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

variable "name" {
  description = "Name of the account."
  type        = string
}

variable "package_container_names" {
  description = "Names of the containers for deployment packages, one per app."
  type        = list(string)
}

variable "zone_redundant" {
  description = "True: copies in three zones."
  type        = bool
}

variable "public_network_access" {
  description = "True: reachable from the internet (by Entra identities only); false: through private endpoints only."
  type        = bool
}

variable "workspace_id" {
  description = "Resource id of the Log Analytics workspace for diagnostics."
  type        = string
}
