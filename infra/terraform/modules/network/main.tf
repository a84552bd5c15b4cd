terraform {
  required_version = ">= 1.9"
  required_providers {
    azurerm = { source = "hashicorp/azurerm", version = "~> 5.2" }
  }
}

# The virtual network of a private deployment: a subnet each for the app, the private endpoints, the gateway and a runner,
# and the private DNS zones by which the app finds the endpoints.

locals {
  prefix_length = tonumber(split("/", var.address_prefix)[1])
  zone_names = {
    blob  = "privatelink.blob.core.windows.net"
    table = "privatelink.table.core.windows.net"
    sql   = "privatelink.database.windows.net"
    sites = "privatelink.azurewebsites.net"
  }
  own_zones = { for zone, name in local.zone_names : zone => name if !var.zones_by_policy && !contains(keys(var.existing_zone_ids), zone) }
}

resource "azurerm_network_security_group" "app" {
  name                = "nsg-${var.name}-app"
  resource_group_name = var.resource_group_name
  location            = var.location
  tags                = var.tags
}

resource "azurerm_network_security_group" "endpoints" {
  name                = "nsg-${var.name}-endpoints"
  resource_group_name = var.resource_group_name
  location            = var.location
  tags                = var.tags

  security_rule {
    name                       = "deny-from-internet"
    description                = "Private endpoints answer callers inside the network only."
    direction                  = "Inbound"
    access                     = "Deny"
    priority                   = 4000
    protocol                   = "*"
    source_address_prefix      = "Internet"
    source_port_range          = "*"
    destination_address_prefix = "*"
    destination_port_range     = "*"
  }
}

resource "azurerm_network_security_group" "gateway" {
  count               = var.gateway_subnet ? 1 : 0
  name                = "nsg-${var.name}-gateway"
  resource_group_name = var.resource_group_name
  location            = var.location
  tags                = var.tags
}

resource "azurerm_network_security_group" "runner" {
  count               = var.runner_subnet ? 1 : 0
  name                = "nsg-${var.name}-runner"
  resource_group_name = var.resource_group_name
  location            = var.location
  tags                = var.tags
}

resource "azurerm_virtual_network" "main" {
  name                = var.name
  resource_group_name = var.resource_group_name
  location            = var.location
  tags                = var.tags
  address_space       = [var.address_prefix]
}

# Subnets of one network are changed one after the other; parallel changes fail with AnotherOperationInProgress.
resource "azurerm_subnet" "app" {
  name                 = "snet-app"
  resource_group_name  = var.resource_group_name
  virtual_network_name = azurerm_virtual_network.main.name
  address_prefixes     = [cidrsubnet(var.address_prefix, 26 - local.prefix_length, 0)]
  # The app calls the sign-in service and Application Insights, which have no address in the network.
  default_outbound_access_enabled = true

  delegation {
    name = "flex-consumption"
    service_delegation {
      name    = "Microsoft.App/environments"
      actions = ["Microsoft.Network/virtualNetworks/subnets/join/action"]
    }
  }
}

resource "azurerm_subnet" "endpoints" {
  name                              = "snet-endpoints"
  resource_group_name               = var.resource_group_name
  virtual_network_name              = azurerm_virtual_network.main.name
  address_prefixes                  = [cidrsubnet(var.address_prefix, 27 - local.prefix_length, 2)]
  private_endpoint_network_policies = "Enabled"
  # Nothing calls out from here.
  default_outbound_access_enabled = false

  depends_on = [azurerm_subnet.app]
}

resource "azurerm_subnet" "gateway" {
  count                           = var.gateway_subnet ? 1 : 0
  name                            = "snet-gateway"
  resource_group_name             = var.resource_group_name
  virtual_network_name            = azurerm_virtual_network.main.name
  address_prefixes                = [cidrsubnet(var.address_prefix, 27 - local.prefix_length, 3)]
  default_outbound_access_enabled = true

  delegation {
    name = "api-management"
    service_delegation {
      name    = "Microsoft.Web/serverFarms"
      actions = ["Microsoft.Network/virtualNetworks/subnets/action"]
    }
  }

  depends_on = [azurerm_subnet.endpoints]
}

# Apart from that of the app: an environment of Container Apps shares its subnet with nothing.
resource "azurerm_subnet" "runner" {
  count                = var.runner_subnet ? 1 : 0
  name                 = "snet-runner"
  resource_group_name  = var.resource_group_name
  virtual_network_name = azurerm_virtual_network.main.name
  address_prefixes     = [cidrsubnet(var.address_prefix, 27 - local.prefix_length, 4)]
  # The runner calls GitHub, the sign-in service and Azure, which have no address in the network.
  default_outbound_access_enabled = true

  delegation {
    name = "container-apps"
    service_delegation {
      name    = "Microsoft.App/environments"
      actions = ["Microsoft.Network/virtualNetworks/subnets/join/action"]
    }
  }

  depends_on = [azurerm_subnet.gateway, azurerm_subnet.endpoints]
}

resource "azurerm_subnet_network_security_group_association" "app" {
  subnet_id                 = azurerm_subnet.app.id
  network_security_group_id = azurerm_network_security_group.app.id
}

resource "azurerm_subnet_network_security_group_association" "endpoints" {
  subnet_id                 = azurerm_subnet.endpoints.id
  network_security_group_id = azurerm_network_security_group.endpoints.id
}

resource "azurerm_subnet_network_security_group_association" "gateway" {
  count                     = var.gateway_subnet ? 1 : 0
  subnet_id                 = azurerm_subnet.gateway[0].id
  network_security_group_id = azurerm_network_security_group.gateway[0].id
}

resource "azurerm_subnet_network_security_group_association" "runner" {
  count                     = var.runner_subnet ? 1 : 0
  subnet_id                 = azurerm_subnet.runner[0].id
  network_security_group_id = azurerm_network_security_group.runner[0].id
}

resource "azurerm_private_dns_zone" "main" {
  for_each            = local.own_zones
  name                = each.value
  resource_group_name = var.resource_group_name
  tags                = var.tags
}

resource "azurerm_private_dns_zone_virtual_network_link" "main" {
  for_each             = local.own_zones
  name                 = var.name
  private_dns_zone_id  = azurerm_private_dns_zone.main[each.key].id
  virtual_network_id   = azurerm_virtual_network.main.id
  registration_enabled = false
  tags                 = var.tags
}
