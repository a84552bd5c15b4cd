variable "resource_group_id" {
  description = "Resource id of the resource group."
  type        = string
}

variable "name" {
  description = "Name of the budget."
  type        = string
}

variable "amount" {
  description = "Amount a month, in the currency of the subscription."
  type        = number
}

variable "start_date" {
  description = "First day of the budget, yyyy-MM-01; empty: of the current month."
  type        = string
}

variable "emails" {
  description = "E-mail addresses that are told; the owners of the resource group are told in any case."
  type        = list(string)
}
