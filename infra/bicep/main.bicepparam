// Values of every parameter: first those that DEPLOYMENT_VALUES holds (JSON, by the names in infra/profiles), then
// those of the profile that DEPLOYMENT_PROFILE names; without it, of the profile with the name of the environment, else of dev.
using './main.bicep'

var name = readEnvironmentVariable('AZURE_ENV_NAME')
var profiles = {
  dev: loadJsonContent('../profiles/dev.tfvars.json')
  prod: loadJsonContent('../profiles/prod.tfvars.json')
  small: loadJsonContent('../profiles/small.tfvars.json')
}
var named = readEnvironmentVariable('DEPLOYMENT_PROFILE', '')
var profile = profiles[!empty(named) ? named : contains(profiles, name) ? name : 'dev']
var values = union(profile, json(readEnvironmentVariable('DEPLOYMENT_VALUES', '{}')))

param environmentName = name
param location = readEnvironmentVariable('AZURE_LOCATION')
param apiClientId = readEnvironmentVariable('API_CLIENT_ID')
param sqlAdministratorLogin = readEnvironmentVariable('SQL_ADMINISTRATOR_LOGIN')
param sqlAdministratorObjectId = readEnvironmentVariable('SQL_ADMINISTRATOR_OBJECT_ID')
param sqlAdministratorType = readEnvironmentVariable('SQL_ADMINISTRATOR_TYPE', 'Group')
param serviceApiUsername = readEnvironmentVariable('SERVICE_API_USERNAME')
param calendarSiteUrl = readEnvironmentVariable('CALENDAR_SITE_URL', '')
param budgetStartDate = readEnvironmentVariable('BUDGET_START_DATE', '')
param deployedAs = readEnvironmentVariable('DEPLOYED_AS', '')

param tags = values.tags
param existingResourceGroupName = values.existing_resource_group_name
param resourceNames = values.resource_names
param apiAudiences = values.api_audiences
param emailClaim = values.email_claim
param calendarName = values.calendar_name
param calendarTableName = values.calendar_table_name
param calendarBasePath = values.calendar_base_path
param calendarSiteRoots = values.calendar_site_roots
param calendarBasic = values.calendar_basic
param trustForwardedHeaders = values.trust_forwarded_headers
param bindUsers = values.bind_users
param pages = values.pages
param calendarTimeZone = values.calendar_time_zone
param calendarStaleIfErrorSeconds = values.calendar_stale_if_error_seconds
param calendarLanguage = values.calendar_language
param calendarCurrency = values.calendar_currency
param siteName = values.site_name
param siteColor = values.site_color
param siteLogo = values.site_logo
param siteImage = values.site_image
param siteHome = values.site_home
param siteAddress = values.site_address
param siteContact = values.site_contact
param siteAccessibility = values.site_accessibility
param sitePrivacy = values.site_privacy
param siteLinks = values.site_links
param embedOrigins = values.embed_origins
param mapTiles = values.map_tiles
param calendarBackup = values.calendar_backup
param publicBaseUrl = values.public_base_url
param customDomain = values.custom_domain
param nodeVersion = values.node_version
param instanceMemoryMB = values.instance_memory_mb
param maximumInstanceCount = values.maximum_instance_count
param alwaysReadyInstances = values.always_ready_instances
param corsOrigins = values.cors_origins
param updateStrategy = values.update_strategy
param telemetry = values.telemetry
param calendarApp = values.calendar_app
param greenApp = values.green_app
param greenShare = values.green_share
param existingSqlServerId = values.existing_sql_server_id
param mainDatabaseName = values.main_database_name
param customizationDatabaseName = values.customization_database_name
param databaseSku = values.database_sku
param databaseAutoPauseMinutes = values.database_auto_pause_minutes
param databaseMaxSizeGB = values.database_max_size_gb
param databaseCollation = values.database_collation
param backupRetentionDays = values.backup_retention_days
param databasePoolMax = values.database_pool_max
param objectTypes = values.object_types
param objectMetadata = values.object_metadata
param zoneRedundant = values.zone_redundant
param privateNetworking = values.private_networking
param appPublicAccess = values.app_public_access
param deploymentAddresses = values.deployment_addresses
param networkAddressPrefix = values.network_address_prefix
param existingPrivateDnsZoneIds = values.existing_private_dns_zone_ids
param privateDnsZonesByPolicy = values.private_dns_zones_by_policy
param existingSubnetIds = values.existing_subnet_ids
param runner = values.runner
param gatewaySku = values.gateway_sku
param gatewayUnits = values.gateway_units
param gatewayPublisherName = values.gateway_publisher_name
param gatewayPublisherEmail = values.gateway_publisher_email
param gatewayRateLimitCalls = values.gateway_rate_limit_calls
param gatewayCacheSeconds = values.gateway_cache_seconds
param githubRepository = values.github_repository
param createRoleAssignments = values.create_role_assignments
param alertEmails = values.alert_emails
param availabilityTestMinutes = values.availability_test_minutes
param monthlyBudget = values.monthly_budget
param logRetentionDays = values.log_retention_days
param dailyLogQuotaGB = values.daily_log_quota_gb
param deleteLocks = values.delete_locks
param calendarRedundancy = values.calendar_redundancy
param databaseBackupRedundancy = values.database_backup_redundancy
param backupWeeklyRetention = values.backup_weekly_retention
param backupMonthlyRetention = values.backup_monthly_retention
param backupYearlyRetention = values.backup_yearly_retention
param production = values.production
