variable "location" {
  description = "Azure region."
  type        = string
}

variable "tags" {
  description = "Tags of every resource."
  type        = map(string)
}

variable "app_id" {
  description = "Resource id of the app."
  type        = string
}

variable "name" {
  description = "Host name that callers use."
  type        = string
}

variable "key_vault_id" {
  description = "Resource id of the key vault that has the certificate; empty: Azure issues and renews one."
  type        = string
}

variable "certificate_name" {
  description = "Name of the certificate in the key vault; empty: Azure issues and renews one."
  type        = string
}
