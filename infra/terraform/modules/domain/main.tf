terraform {
  required_version = ">= 1.9"
  required_providers {
    azapi = { source = "azure/azapi", version = "~> 2.12" }
  }
}

# A name of one's own at the app that callers reach: its certificate, and the binding of the two. The name itself must be bound to the app
# before (`npm run deploy -- provision` does so, az functionapp config hostname add elsewhere): Azure issues a certificate for bound names
# only, and binding a name anew would take its certificate away for a while.
# By azapi, since azurerm looks for the certificates of Flex Consumption where they are not.

resource "azapi_resource" "certificate" {
  type      = "Microsoft.Web/sites/certificates@2025-03-01"
  name      = replace(var.name, ".", "-")
  parent_id = var.app_id
  location  = var.location
  tags      = var.tags
  body = {
    properties = {
      canonicalName      = var.key_vault_id == "" ? var.name : null
      keyVaultId         = var.key_vault_id == "" ? null : var.key_vault_id
      keyVaultSecretName = var.key_vault_id == "" ? null : var.certificate_name
    }
  }

  ignore_null_property   = true
  response_export_values = ["properties.thumbprint"]
}

resource "azapi_update_resource" "binding" {
  type      = "Microsoft.Web/sites/hostNameBindings@2025-03-01"
  name      = var.name
  parent_id = var.app_id
  body = {
    properties = {
      hostNameType                = "Verified"
      customHostNameDnsRecordType = "CName"
      sslState                    = "SniEnabled"
      thumbprint                  = azapi_resource.certificate.output.properties.thumbprint
    }
  }
}
