variable "resource_group_name" {
  description = "Name of the resource group."
  type        = string
}

variable "resource_group_id" {
  description = "Resource id of the resource group."
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
  description = "Name of the environment."
  type        = string
}

variable "workspace_name" {
  description = "Name of the Log Analytics workspace."
  type        = string
}

variable "audit_workspace_name" {
  description = "Name of the workspace of the audit."
  type        = string
}

variable "application_insights_name" {
  description = "Name of the Application Insights component."
  type        = string
}

variable "retention_days" {
  description = "Days for which logs are kept."
  type        = number
}

variable "daily_quota_gb" {
  description = "Gigabytes of logs a day, after which ingestion stops until the next day; -1: no limit."
  type        = number
}
