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
  description = "Name of the virtual network."
  type        = string
}

variable "address_prefix" {
  description = "Address range of the virtual network, at least a /23."
  type        = string
}

variable "gateway_subnet" {
  description = "True: also a subnet through which the gateway reaches the app."
  type        = bool
}

variable "runner_subnet" {
  description = "True: also a subnet in which a runner does the steps that need the network."
  type        = bool
}

variable "existing_zone_ids" {
  description = "Resource ids of private DNS zones that exist already (in a hub), by zone: blob, table, sql, sites. Missing ones are created."
  type        = map(string)
}

variable "zones_by_policy" {
  description = "True: a policy registers private endpoints in DNS; no zones are made."
  type        = bool
}
