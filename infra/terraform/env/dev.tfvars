# Development: costs little when idle, and can be thrown away.
environment_name            = "dev"
instance_memory_mb          = 512
maximum_instance_count      = 10
database_sku                = "GP_S_Gen5_1"
database_auto_pause_minutes = 60
database_max_size_gb        = 2
backup_retention_days       = 1
daily_log_quota_gb          = 1
monthly_budget              = 20
