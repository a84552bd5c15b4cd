# Who uses a subnet waits for its security group (the gateway is refused without), and who uses a zone for its link:
# the resources themselves do not tell Terraform.

output "app_subnet_id" {
  description = "Resource id of the subnet of the app."
  value       = azurerm_subnet.app.id
  depends_on  = [azurerm_subnet_network_security_group_association.app]
}

output "endpoint_subnet_id" {
  description = "Resource id of the subnet of the private endpoints."
  value       = azurerm_subnet.endpoints.id
  depends_on  = [azurerm_subnet_network_security_group_association.endpoints]
}

output "gateway_subnet_id" {
  description = "Resource id of the subnet of the gateway; empty without one."
  value       = var.gateway_subnet ? azurerm_subnet.gateway[0].id : ""
  depends_on  = [azurerm_subnet_network_security_group_association.gateway]
}

output "runner_subnet_id" {
  description = "Resource id of the subnet of the runner; empty without one."
  value       = var.runner_subnet ? azurerm_subnet.runner[0].id : ""
  depends_on  = [azurerm_subnet_network_security_group_association.runner]
}

output "zone_ids" {
  description = "Resource ids of the private DNS zones, by zone: blob, table, sql, sites; empty where a policy has them."
  value       = var.zones_by_policy ? { for zone, _ in local.zone_names : zone => "" } : merge({ for zone, _ in local.own_zones : zone => azurerm_private_dns_zone.main[zone].id }, var.existing_zone_ids)
  depends_on  = [azurerm_private_dns_zone_virtual_network_link.main]
}
