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
  description = "Name of the environment, in the names of private endpoints."
  type        = string
}

variable "identity_name" {
  description = "Name of the identity that the app runs as."
  type        = string
}

variable "host_account_name" {
  description = "Name of the account of its Functions host."
  type        = string
}

variable "plan_name" {
  description = "Name of the plan."
  type        = string
}

variable "name" {
  description = "Name of the app."
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
}

variable "always_ready_instances" {
  description = "Instances that are always running, for calls without a cold start; billed all the time."
  type        = number
}

variable "zone_redundant" {
  description = "True: storage and instances in several zones."
  type        = bool
}

variable "update_strategy" {
  description = "How new code replaces old: Recreate ends calls in flight; RollingUpdate (preview) lets them finish."
  type        = string

  validation {
    condition     = contains(["Recreate", "RollingUpdate"], var.update_strategy)
    error_message = "Must be one of Recreate, RollingUpdate."
  }
}

variable "settings" {
  description = "App settings of every API by name. No secret among them."
  type        = map(string)
}

variable "calendar_settings" {
  description = "App settings of the calendar API by name. No secret among them."
  type        = map(string)
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

variable "application_insights_connection_string" {
  description = "Address of the ingestion endpoint of Application Insights; not a credential."
  type        = string
}

variable "deployment_addresses" {
  description = "Addresses (CIDR) and service tags that may push packages; empty: any."
  type        = list(string)
}

variable "workspace_id" {
  description = "Resource id of the Log Analytics workspace for diagnostics."
  type        = string
}

variable "private_networking" {
  description = "True: the app reaches its storage through a private endpoint."
  type        = bool
}

variable "subnet_id" {
  description = "Resource id of the subnet through which the app calls out; empty: none."
  type        = string
}

variable "endpoint_subnet_id" {
  description = "Resource id of the subnet of private endpoints; empty: none."
  type        = string
}

variable "blob_zone_id" {
  description = "Resource id of the private DNS zone of blobs; empty: none."
  type        = string
}

variable "zone_groups" {
  description = "True: register private endpoints in their zones; false: a policy does."
  type        = bool
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
  description = "True: create the role assignments; false: only list them."
  type        = bool
}
