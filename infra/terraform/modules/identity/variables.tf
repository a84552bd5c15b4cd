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

variable "runtime_name" {
  description = "Name of the identity that the app runs as."
  type        = string
}

variable "pipeline_name" {
  description = "Name of the identity of the pipeline, which pushes code and migrates the databases."
  type        = string
}

variable "runner_name" {
  description = "Name of the identity by which a runner registers with GitHub; empty: none."
  type        = string
}

variable "github_repository" {
  description = "GitHub repository (owner/name) whose workflows may sign in as the pipeline; empty: no pipeline identity."
  type        = string
}

variable "github_environment" {
  description = "GitHub environment that a workflow must run in to sign in as the pipeline."
  type        = string
}
