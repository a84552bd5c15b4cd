variable "create_role_assignments" {
  description = "True: create the role assignments; false: only list them, for someone who has the right to assign roles."
  type        = bool
}

variable "runtime_principal_id" {
  description = "Object id of the identity of the app."
  type        = string
}

variable "host_account_id" {
  description = "Resource id of the account of the Functions host."
  type        = string
}

variable "calendar" {
  description = "True: the app serves the calendar, and may use its table."
  type        = bool
}

variable "table_id" {
  description = "Resource id of the table of the calendar."
  type        = string
}

variable "container_id" {
  description = "Resource id of the container of pictures."
  type        = string
}

variable "application_insights_id" {
  description = "Resource id of the Application Insights component."
  type        = string
}
