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

variable "data_account_name" {
  description = "Name of the account that holds the calendar."
  type        = string
}

variable "table_name" {
  description = "Name of the table of the calendar."
  type        = string
}

variable "zone_redundant" {
  description = "True: copies in three zones."
  type        = bool
}

variable "public_network_access" {
  description = "True: reachable from the internet (by Entra identities only); false: through private endpoints only."
  type        = bool
}

variable "delete_lock" {
  description = "True: the data account cannot be deleted until its lock is removed."
  type        = bool
}

variable "workspace_id" {
  description = "Resource id of the Log Analytics workspace for diagnostics."
  type        = string
}

variable "data_redundancy" {
  description = "Copies of the calendar: in one place (LRS), in three zones (ZRS), and also in a second region (GRS, GZRS)."
  type        = string
}
