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

variable "subnet_id" {
  description = "Resource id of the subnet of the endpoints."
  type        = string
}

variable "zone_groups" {
  description = "True: register them in their zones; false: a policy does."
  type        = bool
}

variable "endpoints" {
  description = "The endpoints: name, the resource they lead to, its sub-resource, and the DNS zone that names them."
  type = list(object({
    name         = string
    resource_id  = string
    sub_resource = string
    zone_id      = string
  }))
}
