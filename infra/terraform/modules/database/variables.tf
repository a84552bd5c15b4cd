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

variable "server_name" {
  description = "Name of the SQL server."
  type        = string
}

variable "main_database_name" {
  description = "Name of the main database."
  type        = string
}

variable "customization_database_name" {
  description = "Name of the customization database."
  type        = string
}

variable "administrator_login" {
  description = "Display name of the Entra administrator; a group is best: people change, the template does not."
  type        = string
}

variable "administrator_object_id" {
  description = "Object id of the Entra administrator (client id when it is an application)."
  type        = string
}

variable "administrator_type" {
  description = "Kind of the Entra administrator."
  type        = string

  validation {
    condition     = contains(["Group", "User", "Application"], var.administrator_type)
    error_message = "Must be one of Group, User, Application."
  }
}

variable "sku" {
  description = "Size of each database. GP_S_*: serverless, pauses when idle; GP_*: provisioned; the others: DTU, cheap and always on."
  type        = string

  validation {
    condition     = contains(["Basic", "S0", "S1", "S2", "GP_S_Gen5_1", "GP_S_Gen5_2", "GP_S_Gen5_4", "GP_Gen5_2", "GP_Gen5_4"], var.sku)
    error_message = "Must be one of Basic, S0, S1, S2, GP_S_Gen5_1, GP_S_Gen5_2, GP_S_Gen5_4, GP_Gen5_2, GP_Gen5_4."
  }
}

variable "auto_pause_minutes" {
  description = "Minutes without use after which a serverless database pauses; -1: never."
  type        = number
}

variable "max_size_gb" {
  description = "Largest size of each database, in gigabytes. Of a GP_ size it is billed whether used or not; in the others it is included."
  type        = number
}

variable "collation" {
  description = "Collation of the databases; cannot be changed later."
  type        = string
}

variable "backup_retention_days" {
  description = "Days back to which each database can be restored."
  type        = number

  validation {
    condition     = var.backup_retention_days >= 1 && var.backup_retention_days <= 35
    error_message = "Must be 1 to 35."
  }
}

variable "zone_redundant" {
  description = "True: replicas in several zones; needs a GP_ size."
  type        = bool
}

variable "public_network_access" {
  description = "True: reachable from Azure services (by Entra identities only); false: through the private endpoint only."
  type        = bool
}

variable "delete_lock" {
  description = "True: the databases cannot be deleted until their locks are removed."
  type        = bool
}

variable "audit_workspace_id" {
  description = "Resource id of the workspace of the audit."
  type        = string
}

variable "workspace_id" {
  description = "Resource id of the Log Analytics workspace for diagnostics."
  type        = string
}

variable "backup_redundancy" {
  description = "Where backups of the databases are kept: here (Local, Zone), or also in a second region (Geo, GeoZone)."
  type        = string
}

variable "weekly_retention" {
  description = "How long a backup of each week is kept; PT0S: not at all."
  type        = string
}

variable "monthly_retention" {
  description = "How long a backup of each month is kept; PT0S: not at all."
  type        = string
}

variable "yearly_retention" {
  description = "How long the backup of the first week of each year is kept; PT0S: not at all."
  type        = string
}
