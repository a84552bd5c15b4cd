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
  description = "Name of the gateway."
  type        = string
}

variable "sku" {
  description = "Tier of the gateway. Consumption is not offered: it can limit no caller and caches nothing."
  type        = string

  validation {
    condition     = contains(["BasicV2", "StandardV2"], var.sku)
    error_message = "Must be one of BasicV2, StandardV2."
  }
}

variable "units" {
  description = "Units: each serves more calls, and costs as much as the first."
  type        = number
}

variable "publisher_name" {
  description = "Name of the organisation that publishes the API."
  type        = string
}

variable "publisher_email" {
  description = "E-mail address for messages about the gateway."
  type        = string
}

variable "subnet_id" {
  description = "Resource id of the subnet through which the gateway reaches the app; empty: over the internet."
  type        = string
}

variable "base_path" {
  description = "Base path of the API, with a leading slash."
  type        = string
}

variable "blue_host_name" {
  description = "Host name of the app."
  type        = string
}

variable "green_app" {
  description = "True: there is a second app, for blue/green releases."
  type        = bool
}

variable "green_host_name" {
  description = "Host name of the second app."
  type        = string
}

variable "green_share" {
  description = "Share of calls that go to the second app, in percent."
  type        = number

  validation {
    condition     = var.green_share >= 0 && var.green_share <= 100
    error_message = "Must be 0 to 100."
  }
}

variable "calendar_app" {
  description = "True: the calendar has an app of its own."
  type        = bool
}

variable "calendar_host_name" {
  description = "Host name of the app of the calendar; empty: it has none of its own."
  type        = string
}

variable "cors_origins" {
  description = "Origins whose pages may read the answers of the gateway itself; *: all."
  type        = list(string)
}

variable "audiences" {
  description = "Audiences of the tokens that are accepted."
  type        = list(string)
}

variable "calendar_path" {
  description = "Path of the calendar below the base path."
  type        = string
}

variable "rate_limit_calls" {
  description = "Calls a minute that one caller may make."
  type        = number
}

variable "cache_seconds" {
  description = "Seconds for which public reads of the calendar are answered from the cache."
  type        = number
}

variable "application_insights_id" {
  description = "Resource id of the Application Insights component."
  type        = string
}

variable "application_insights_connection_string" {
  description = "Address of the ingestion endpoint of Application Insights; not a credential."
  type        = string
}

variable "workspace_id" {
  description = "Resource id of the Log Analytics workspace for diagnostics."
  type        = string
}

variable "create_role_assignments" {
  description = "True: create the role assignment; false: only list it."
  type        = bool
}
