# The registration, planned, without a directory.

mock_provider "azuread" {
  mock_data "azuread_client_config" {
    defaults = {
      tenant_id = "00000000-0000-0000-0000-000000000002"
    }
  }
}

variables {
  environment_name          = "test"
  subscription_id           = "00000000-0000-0000-0000-000000000001"
  pre_authorized_client_ids = ["04b07795-8ddb-461a-bbee-02f9e1bf7b46"]
}

run "tokens_are_version_2_and_carry_the_email" {
  command = plan

  assert {
    condition     = azuread_application.api.api[0].requested_access_token_version == 2
    error_message = "Tokens must be version 2."
  }
  assert {
    condition     = contains(azuread_application.api.optional_claims[0].access_token[*].name, "email")
    error_message = "Access tokens must carry the e-mail address."
  }
  assert {
    condition     = sort(azuread_application.api.app_role[*].value) == tolist(["Calendar.Author", "Calendar.Contributor", "Calendar.Editor", "Service.Access"])
    error_message = "There must be exactly four app roles."
  }
  assert {
    condition     = length(azuread_application_pre_authorized.clients) == 1
    error_message = "Each known client must be authorized."
  }
}

run "clients_with_passwords_get_a_role_of_the_calendar" {
  command = plan
  variables {
    calendar_clients = [{ name = "importer", role = "Calendar.Author" }]
  }

  assert {
    condition     = azuread_app_role_assignment.client_roles["importer"].app_role_id == "0d9a6b1f-7c35-4e82-a6d0-5b1c8e7f9332"
    error_message = "A client must get the role that it was given."
  }
}

run "passwords_never_open_the_records" {
  command = plan
  variables {
    calendar_clients = [{ name = "importer", role = "Service.Access" }]
  }
  expect_failures = [var.calendar_clients]
}
