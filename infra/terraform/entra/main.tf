# The API in Entra ID: its app registration, with roles, a scope and claims, and its service principal.
# A configuration of its own, since it needs rights in the directory that deployers of Azure resources often lack;
# without them, give the client id of a registration made by someone else to the main configuration.

data "azuread_client_config" "current" {}

locals {
  api = jsondecode(file("${path.module}/../../entra/api.json"))
  # The calendar's roles alone: a password must never open the records.
  calendar_roles = { for role in local.api.appRoles : role.value => role.id if startswith(role.value, "Calendar.") }
  # Environments of one name in two subscriptions of a directory are two registrations.
  suffix         = substr(sha256("${var.subscription_id}/${var.environment_name}"), 0, 13)
  unique_name    = var.unique_name == "" ? "records-and-calendar-${var.environment_name}-${local.suffix}" : var.unique_name
  identifier_uri = "api://${data.azuread_client_config.current.tenant_id}/${local.unique_name}"
}

resource "azuread_application" "api" {
  display_name     = var.display_name == "" ? "Records and calendar (${var.environment_name})" : var.display_name
  sign_in_audience = "AzureADMyOrg"
  identifier_uris  = [local.identifier_uri]

  api {
    requested_access_token_version = 2

    oauth2_permission_scope {
      id                         = local.api.scope.id
      value                      = local.api.scope.value
      type                       = "User"
      enabled                    = true
      admin_consent_display_name = local.api.scope.adminConsentDisplayName
      admin_consent_description  = local.api.scope.adminConsentDescription
      user_consent_display_name  = local.api.scope.userConsentDisplayName
      user_consent_description   = local.api.scope.userConsentDescription
    }
  }

  dynamic "app_role" {
    for_each = local.api.appRoles
    content {
      id                   = app_role.value.id
      value                = app_role.value.value
      display_name         = app_role.value.displayName
      description          = app_role.value.description
      allowed_member_types = app_role.value.allowedMemberTypes
      enabled              = true
    }
  }

  optional_claims {
    access_token {
      name      = "email"
      essential = false
    }
    access_token {
      name      = "idtyp"
      essential = false
    }
  }

  single_page_application {
    redirect_uris = var.redirect_uris
  }
}

resource "azuread_application_pre_authorized" "clients" {
  for_each             = toset(var.pre_authorized_client_ids)
  application_id       = azuread_application.api.id
  authorized_client_id = each.value
  permission_ids       = [local.api.scope.id]
}

resource "azuread_service_principal" "api" {
  client_id = azuread_application.api.client_id
}

# Callers without a user, such as the smoke test of a pipeline, are let in by this role.
resource "azuread_app_role_assignment" "service_access" {
  for_each            = toset(var.service_access_principal_ids)
  app_role_id         = local.api.appRoles[0].id
  principal_object_id = each.value
  resource_object_id  = azuread_service_principal.api.object_id
}

resource "azuread_application" "clients" {
  for_each         = { for client in var.calendar_clients : client.name => client }
  display_name     = "Calendar client ${each.key} (${var.environment_name})"
  sign_in_audience = "AzureADMyOrg"
  identifier_uris  = ["${local.identifier_uri}-${each.key}"]

  api {
    requested_access_token_version = 2
  }
}

resource "azuread_service_principal" "clients" {
  for_each  = { for client in var.calendar_clients : client.name => client }
  client_id = azuread_application.clients[each.key].client_id
}

# What a client may do in the calendar; without a role it may do nothing.
resource "azuread_app_role_assignment" "client_roles" {
  for_each            = { for client in var.calendar_clients : client.name => client }
  app_role_id         = local.calendar_roles[each.value.role]
  principal_object_id = azuread_service_principal.clients[each.key].object_id
  resource_object_id  = azuread_service_principal.api.object_id
}
