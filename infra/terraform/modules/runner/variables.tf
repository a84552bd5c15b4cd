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

variable "name" {
  description = "Name of the environment of Container Apps."
  type        = string
}

variable "job_name" {
  description = "Name of the job."
  type        = string
}

variable "identity_id" {
  description = "Resource id of the identity that reads the credential of GitHub."
  type        = string
}

variable "subnet_id" {
  description = "Resource id of the subnet of the runners."
  type        = string
}

variable "repository" {
  description = "GitHub repository (owner/name) whose jobs are run."
  type        = string
}

variable "label" {
  description = "Label that a job wants to be run here."
  type        = string
}

variable "credential_url" {
  description = "Address of the secret that holds the credential: the private key of a GitHub App, or a token."
  type        = string
}

variable "application_id" {
  description = "Id of the GitHub App; empty: the secret is a token."
  type        = string
}

variable "installation_id" {
  description = "Id of the installation of the GitHub App."
  type        = string
}

variable "image" {
  description = "Image of the runner."
  type        = string
}

variable "zone_redundant" {
  description = "True: in several zones."
  type        = bool
}

variable "workspace_id" {
  description = "Resource id of the Log Analytics workspace for diagnostics."
  type        = string
}
