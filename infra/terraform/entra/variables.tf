variable "environment_name" {
  description = "Name of the environment, in the names of the registration."
  type        = string

  validation {
    condition     = length(var.environment_name) >= 2 && length(var.environment_name) <= 10
    error_message = "Must be 2 to 10 characters."
  }
}

variable "display_name" {
  description = "Name of the API as people see it on consent screens; empty: one with the name of the environment."
  type        = string
  default     = ""
}

variable "subscription_id" {
  description = "Subscription of the environment, in the unique name."
  type        = string
}

variable "unique_name" {
  description = "Unique name of the registration, which never changes; empty: one for the environment and the subscription."
  type        = string
  default     = ""
}

variable "redirect_uris" {
  description = "Addresses that pages and the API explorer may be sent back to after sign-in, such as https://api.example.org/api/swagger/oauth2-redirect.html."
  type        = list(string)
  default     = []
}

variable "pre_authorized_client_ids" {
  description = "Client ids of applications that may call the API for their users without asking for consent."
  type        = list(string)
  default     = []
}

variable "service_access_principal_ids" {
  description = "Object ids of service principals (pipelines, background services) that get the role Service.Access."
  type        = list(string)
  default     = []
}

variable "calendar_clients" {
  description = "Clients that know only passwords: a registration each, by its name (small letters, digits, dashes), with a role in the calendar (Calendar.Contributor, Calendar.Author or Calendar.Editor). Their secrets are made by hand."
  type        = list(object({ name = string, role = string }))
  default     = []

  validation {
    condition     = alltrue([for client in var.calendar_clients : can(regex("^[a-z0-9-]+$", client.name)) && can(regex("^Calendar\\.(Contributor|Author|Editor)$", client.role))])
    error_message = "Names must be small letters, digits and dashes, roles Calendar.Contributor, Calendar.Author or Calendar.Editor."
  }
}

variable "deployed_as" {
  description = "What the registration is made with, as npm run deploy writes it; empty: by other tools."
  type        = string
  default     = ""
}
