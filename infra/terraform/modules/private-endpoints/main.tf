terraform {
  required_version = ">= 1.9"
  required_providers {
    azurerm = { source = "hashicorp/azurerm", version = "~> 5.2" }
  }
}

# Private endpoints, each registered in its private DNS zone, unless a policy does that. An account takes one endpoint at a time; azurerm tries
# again by itself while another one is made (StorageAccountOperationInProgress).

resource "azurerm_private_endpoint" "main" {
  for_each            = { for endpoint in var.endpoints : endpoint.name => endpoint }
  name                = each.value.name
  resource_group_name = var.resource_group_name
  location            = var.location
  tags                = var.tags
  subnet_id           = var.subnet_id

  private_service_connection {
    name                           = each.value.sub_resource
    is_manual_connection           = false
    private_connection_resource_id = each.value.resource_id
    subresource_names              = [each.value.sub_resource]
  }

  dynamic "private_dns_zone_group" {
    for_each = var.zone_groups ? ["default"] : []
    content {
      name                 = private_dns_zone_group.value
      private_dns_zone_ids = [each.value.zone_id]
    }
  }
}
