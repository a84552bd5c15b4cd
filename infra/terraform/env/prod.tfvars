# Production: always on, locked against deletion. Switch on zone_redundant, private_networking and a gateway as needed.
environment_name       = "prod"
instance_memory_mb     = 2048
maximum_instance_count = 40
always_ready_instances = 1
database_sku           = "S0"
database_max_size_gb   = 50
backup_retention_days  = 35
log_retention_days     = 90
daily_log_quota_gb     = 10
monthly_budget         = 200
delete_locks           = true
