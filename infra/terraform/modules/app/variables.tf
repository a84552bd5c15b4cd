variable "resource_group_id" {
  description = "Resource id of the resource group."
  type        = string
}

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

variable "plan_name" {
  description = "Name of the plan."
  type        = string
}

variable "name" {
  description = "Name of the app, at most 32 characters: the host id is cut there and would collide."
  type        = string

  validation {
    condition     = length(var.name) <= 32
    error_message = "Must be at most 32 characters."
  }
}

variable "identity_id" {
  description = "Resource id of the identity that the app runs as."
  type        = string
}

variable "identity_client_id" {
  description = "Client id of the identity that the app runs as."
  type        = string
}

variable "host_account_name" {
  description = "Name of the account of the Functions host."
  type        = string
}

variable "application_insights_connection_string" {
  description = "Address of the ingestion endpoint of Application Insights; not a credential."
  type        = string
}

variable "package_container_url" {
  description = "Address of the container that deployment packages are pushed to."
  type        = string
}

variable "node_version" {
  description = "Major version of Node."
  type        = string

  validation {
    condition     = contains(["22", "24"], var.node_version)
    error_message = "Must be one of 22, 24."
  }
}

variable "instance_memory_mb" {
  description = "Memory of an instance, in megabytes."
  type        = number

  validation {
    condition     = contains([512, 2048, 4096], var.instance_memory_mb)
    error_message = "Must be one of 512, 2048, 4096."
  }
}

variable "maximum_instance_count" {
  description = "Instances at most."
  type        = number

  validation {
    condition     = var.maximum_instance_count >= 1 && var.maximum_instance_count <= 1000
    error_message = "Must be 1 to 1000."
  }
}

variable "always_ready_instances" {
  description = "Instances that are always running, for calls without a cold start; billed all the time."
  type        = number
}

variable "zone_redundant" {
  description = "True: instances in several zones; the platform then keeps at least two running."
  type        = bool
}

variable "cors_origins" {
  description = "Origins whose pages may call the app from a browser; *: all."
  type        = list(string)
}

variable "update_strategy" {
  description = "How new code replaces old: Recreate ends calls in flight; RollingUpdate (preview) lets them finish."
  type        = string

  validation {
    condition     = contains(["Recreate", "RollingUpdate"], var.update_strategy)
    error_message = "Must be one of Recreate, RollingUpdate."
  }
}

variable "apis" {
  description = "APIs that the app serves, separated by commas."
  type        = string

  validation {
    condition     = contains(["records", "calendar", "records,calendar"], var.apis)
    error_message = "Must be one of records, calendar, records,calendar."
  }
}

variable "settings" {
  description = "App settings of every API by name. No secret among them."
  type        = map(string)
}

variable "records_settings" {
  description = "App settings of the records API by name. No secret among them."
  type        = map(string)
}

variable "calendar_settings" {
  description = "App settings of the calendar API by name. No secret among them."
  type        = map(string)
}

variable "subnet_id" {
  description = "Resource id of the subnet through which the app calls out; empty: none."
  type        = string
}

variable "public_network_access" {
  description = "True: the app answers calls from the internet; false: through its private endpoint only."
  type        = bool
}

variable "deployment_addresses" {
  description = "Addresses (CIDR) and service tags that may push packages; empty: any."
  type        = list(string)
}

variable "workspace_id" {
  description = "Resource id of the Log Analytics workspace for diagnostics."
  type        = string
}

variable "pipeline_access" {
  description = "True: a pipeline pushes packages to this app."
  type        = bool
}

variable "pipeline_principal_id" {
  description = "Object id of the identity of the pipeline."
  type        = string
}

variable "create_role_assignments" {
  description = "True: create the role assignment; false: only list it."
  type        = bool
}
