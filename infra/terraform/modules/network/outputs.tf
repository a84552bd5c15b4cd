output "app_subnet_id" {
  description = "Resource id of the subnet of the app."
  value       = azurerm_subnet.app.id
}

output "endpoint_subnet_id" {
  description = "Resource id of the subnet of the private endpoints."
  value       = azurerm_subnet.endpoints.id
}

output "gateway_subnet_id" {
  description = "Resource id of the subnet of the gateway; empty without one."
  value       = var.gateway_subnet ? azurerm_subnet.gateway[0].id : ""
}

output "zone_ids" {
  description = "Resource ids of the private DNS zones, by zone: blob, table, sql, sites."
  value       = merge({ for zone, _ in local.own_zones : zone => azurerm_private_dns_zone.main[zone].id }, var.existing_zone_ids)
}
