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

variable "environment_name" {
  description = "Name of the environment, in the names of the alerts."
  type        = string
}

variable "emails" {
  description = "E-mail addresses that alerts are sent to."
  type        = list(string)
}

variable "host_account_id" {
  description = "Resource id of the account of the Functions host."
  type        = string
}

variable "calendar_app" {
  description = "True: the calendar has an app of its own."
  type        = bool
}

variable "calendar_host_account_id" {
  description = "Resource id of the account of the Functions host of the calendar; empty: none."
  type        = string
}

variable "data_account_id" {
  description = "Resource id of the data account."
  type        = string
}

variable "main_database_id" {
  description = "Resource id of the main database."
  type        = string
}

variable "customization_database_id" {
  description = "Resource id of the customization database."
  type        = string
}

variable "application_insights_id" {
  description = "Resource id of the Application Insights component."
  type        = string
}

variable "availability_test" {
  description = "True: test from the internet that the health address answers."
  type        = bool
}

variable "availability_test_minutes" {
  description = "Minutes between two availability tests from one place."
  type        = number
}

variable "health_url" {
  description = "Address that the availability test calls."
  type        = string
}

variable "calendar_health_url" {
  description = "Address of the health of the calendar, with an availability test of its own; empty: none."
  type        = string
}

variable "audit_workspace_id" {
  description = "Resource id of the workspace of the audit."
  type        = string
}

variable "workspace_id" {
  description = "Resource id of the Log Analytics workspace."
  type        = string
}

variable "calendar_backup" {
  description = "True: there is an account for backups of the calendar, which must be written to."
  type        = bool
}

variable "resource_group_id" {
  description = "Resource id of the resource group."
  type        = string
}

variable "subscription_id" {
  description = "Resource id of the subscription, whose services are watched."
  type        = string
}

variable "size_in_dtu" {
  description = "True: the size of the databases is in DTU, of which Azure tells how much is used."
  type        = bool
}

variable "gateway" {
  description = "True: there is a gateway."
  type        = bool
}

variable "gateway_id" {
  description = "Resource id of the gateway; empty: none."
  type        = string
}
