variable "subscription_id" {
  description = "Subscription; null: the one of the environment variable ARM_SUBSCRIPTION_ID."
  type        = string
  default     = null
}

variable "environment_name" {
  description = "Name of the environment, in the names of its resources: 2 to 10 small letters and digits."
  type        = string

  validation {
    condition     = can(regex("^[a-z0-9]{2,10}$", var.environment_name))
    error_message = "Must be 2 to 10 small letters and digits."
  }
}

variable "location" {
  description = "Azure region."
  type        = string
}

variable "tags" {
  description = "Tags of every resource, besides azd-env-name, which has the name of the environment, and deployed-with, which has the stack."
  type        = map(string)
  default     = {}
}

variable "existing_resource_group_name" {
  description = "Name of a resource group that is there already; empty: one is made. Its tags and rights stay with its owner, and teardown leaves it."
  type        = string
  default     = ""
}

variable "resource_names" {
  description = "Names of resources by what they are, instead of those made from the environment: resourceGroup, identity, pipelineIdentity, workspace, auditWorkspace, applicationInsights, network, hostAccount, dataAccount, sqlServer, plan, app, greenPlan, greenApp, calendarIdentity, calendarHostAccount, calendarPlan, calendarApp, gateway, runnerIdentity, runnerEnvironment, runnerJob, backupIdentity, backupAccount."
  type        = map(string)
  default     = {}

  validation {
    condition     = length(setsubtract(keys(var.resource_names), ["resourceGroup", "identity", "pipelineIdentity", "workspace", "auditWorkspace", "applicationInsights", "network", "hostAccount", "dataAccount", "sqlServer", "plan", "app", "greenPlan", "greenApp", "calendarIdentity", "calendarHostAccount", "calendarPlan", "calendarApp", "gateway", "runnerIdentity", "runnerEnvironment", "runnerJob", "backupIdentity", "backupAccount"])) == 0
    error_message = "Must be names of what the description lists."
  }
}

variable "production" {
  description = "True: what production must not be is refused: nobody told of alerts, databases reached from the internet, more connections than they serve."
  type        = bool
  default     = false
}

variable "api_client_id" {
  description = "Client id of the API in Entra ID, from the entra template or from your directory team."
  type        = string
}

variable "api_audiences" {
  description = "Further accepted audiences of tokens, besides the client id."
  type        = list(string)
  default     = []
}

variable "email_claim" {
  description = "Claim that holds the e-mail address of a user."
  type        = string
  default     = "email"
}

variable "sql_administrator_login" {
  description = "Display name of the Entra administrator of the SQL server, best a group that holds deployers and database people."
  type        = string
}

variable "sql_administrator_object_id" {
  description = "Object id of the Entra administrator of the SQL server (client id when it is an application)."
  type        = string
}

variable "sql_administrator_type" {
  description = "Kind of the Entra administrator of the SQL server."
  type        = string
  default     = "Group"

  validation {
    condition     = contains(["Group", "User", "Application"], var.sql_administrator_type)
    error_message = "Must be one of Group, User, Application."
  }
}

variable "service_api_username" {
  description = "Account of the service in tUserSettings of the main database."
  type        = string
}

variable "calendar_site_url" {
  description = "URL of the site that owns the calendar; empty where that is this service, whose own pages show events."
  type        = string
  default     = ""
}

variable "calendar_language" {
  description = "Language of the texts of the calendar that were written in none, and of pages for readers who prefer none of en, da and sv."
  type        = string
  default     = "en"

  validation {
    condition     = contains(["en", "da", "sv"], var.calendar_language)
    error_message = "Use en, da or sv."
  }
}

variable "calendar_currency" {
  description = "Currency of prices that are written without one: three letters of ISO 4217, such as DKK; empty for dollars."
  type        = string
  default     = ""
}

variable "site_name" {
  description = "Name of the site for citizens, on its pages and feeds; empty for a service for developers."
  type        = string
  default     = ""
}

variable "site_color" {
  description = "Colour of the site."
  type        = string
  default     = "#0b57a4"
}

variable "site_logo" {
  description = "URL of the logo in the header of the site."
  type        = string
  default     = ""
}

variable "site_image" {
  description = "URL of the picture above the list of events."
  type        = string
  default     = ""
}

variable "site_home" {
  description = "Link in the header to the site that the calendar belongs to, such as Havneby=https://www.example.org."
  type        = string
  default     = ""
}

variable "site_address" {
  description = "Postal address at the foot of the site, its lines separated by semicolons."
  type        = string
  default     = ""
}

variable "site_contact" {
  description = "Telephone and e-mail at the foot of the site, such as +45 12 34 56 78=tel:+4512345678, separated by commas."
  type        = string
  default     = ""
}

variable "site_accessibility" {
  description = "URL of the accessibility statement; those of other languages behind bars."
  type        = string
  default     = ""
}

variable "site_privacy" {
  description = "URL of the privacy policy; those of other languages behind bars."
  type        = string
  default     = ""
}

variable "site_links" {
  description = "More links at the foot of the site, such as About us=https://www.example.org/about, separated by commas."
  type        = string
  default     = ""
}

variable "embed_origins" {
  description = "Origins of sites whose pages may show the calendar in a frame, separated by commas; * for any."
  type        = string
  default     = ""
}

variable "map_tiles" {
  description = "URL of the map server with {z}, {x} and {y}, then its attribution; empty for pages without maps."
  type        = string
  default     = ""
}

variable "calendar_name" {
  description = "Name of the calendar: its partition in the table."
  type        = string
  default     = "default"
}

variable "calendar_table_name" {
  description = "Name of the table of the calendar."
  type        = string
  default     = "calendar"

  validation {
    condition     = can(regex("^[A-Za-z][A-Za-z0-9]{2,62}$", var.calendar_table_name))
    error_message = "Must be 3 to 63 letters and digits, the first a letter."
  }
}

variable "calendar_base_path" {
  description = "Path of the calendar API below the base path."
  type        = string
  default     = "tribe/events/v1"
}

variable "calendar_site_roots" {
  description = "Paths at the root of the site under which the calendar answers as well, or their public URLs, separated by commas; none turns them off."
  type        = string
  default     = "wp-json/tribe/events/v1"
}

variable "calendar_basic" {
  description = "Whether the calendar takes the client id and a secret of an app registration by HTTP Basic, for clients that know no tokens."
  type        = bool
  default     = false
}

variable "trust_forwarded_headers" {
  description = "Whether a proxy sets X-Forwarded-Host, -Proto and -Prefix, deletes those that callers send, and appends the address of the caller to X-Forwarded-For. Never with an app that can be reached past it."
  type        = bool
  default     = false
}

variable "bind_users" {
  description = "Whether a user of the records is bound to the account (oid) of their first sign-in."
  type        = bool
  default     = false
}

variable "pages" {
  description = "True: people find pages beside the APIs: the start page, the calendar and its events, objects with their custom data."
  type        = bool
  default     = true
}

variable "calendar_time_zone" {
  description = "IANA time zone of the calendar."
  type        = string
  default     = "UTC"
}

variable "calendar_stale_if_error_seconds" {
  description = "Seconds for which the calendar is read from memory while its storage is unreachable."
  type        = number
  default     = 300
}

variable "calendar_redundancy" {
  description = "Copies of the calendar: in one place (LRS), in three zones (ZRS), and also in a second region (GRS, GZRS)."
  type        = string
  default     = "LRS"

  validation {
    condition     = contains(["LRS", "ZRS", "GRS", "GZRS"], var.calendar_redundancy)
    error_message = "Must be one of LRS, ZRS, GRS, GZRS."
  }
}

variable "calendar_backup" {
  description = "True: an account for backups of the calendar, with an identity that writes them every night where githubRepository is given, and an alert when the last one is older than two days."
  type        = bool
  default     = false
}

variable "public_base_url" {
  description = "Public address of the base path, when a domain of your own leads to it; empty: customDomain, the gateway, or the host of the request."
  type        = string
  default     = ""
}

variable "custom_domain" {
  description = "Name of your own for the app that callers reach (with calendarApp that of the calendar): name, such as events.example.org, and keyVaultId (resource id of a key vault) and certificateName, without which Azure issues and renews the certificate; empty: none."
  type        = map(string)
  default     = {}

  validation {
    condition     = length(setsubtract(keys(var.custom_domain), ["name", "keyVaultId", "certificateName"])) == 0
    error_message = "Must be name, keyVaultId and certificateName."
  }
}

variable "node_version" {
  description = "Major version of Node."
  type        = string
  default     = "24"

  validation {
    condition     = contains(["22", "24"], var.node_version)
    error_message = "Must be one of 22, 24."
  }
}

variable "instance_memory_mb" {
  description = "Memory of an instance, in megabytes."
  type        = number
  default     = 2048

  validation {
    condition     = contains([512, 2048, 4096], var.instance_memory_mb)
    error_message = "Must be one of 512, 2048, 4096."
  }
}

variable "maximum_instance_count" {
  description = "Instances at most."
  type        = number
  default     = 40

  validation {
    condition     = var.maximum_instance_count >= 1 && var.maximum_instance_count <= 1000
    error_message = "Must be 1 to 1000."
  }
}

variable "always_ready_instances" {
  description = "Instances that are always running, for calls without a cold start; billed all the time."
  type        = number
  default     = 0

  validation {
    condition     = var.always_ready_instances >= 0
    error_message = "Must be at least 0."
  }
}

variable "cors_origins" {
  description = "Origins whose pages may call the app from a browser; *: all. Credentials are never allowed with it; callers send tokens. Every origin may call a calendar with an app of its own."
  type        = list(string)
  default     = ["*"]
}

variable "telemetry" {
  description = "Who sends telemetry to Application Insights: applicationInsights: the host alone; openTelemetry: the host as well as the app, whose spans stand below the host's."
  type        = string
  default     = "applicationInsights"

  validation {
    condition     = contains(["applicationInsights", "openTelemetry"], var.telemetry)
    error_message = "Must be one of applicationInsights, openTelemetry."
  }
}

variable "update_strategy" {
  description = "How new code replaces old: Recreate ends calls in flight; RollingUpdate (preview) lets them finish."
  type        = string
  default     = "Recreate"

  validation {
    condition     = contains(["Recreate", "RollingUpdate"], var.update_strategy)
    error_message = "Must be one of Recreate, RollingUpdate."
  }
}

variable "calendar_app" {
  description = "True: the calendar has an app of its own, which is public, with an identity and a host account of its own; false: one app serves both APIs."
  type        = bool
  default     = false
}

variable "green_app" {
  description = "True: a second plan and app for blue/green releases, of the app that serves the records."
  type        = bool
  default     = false
}

variable "green_share" {
  description = "Share of calls that the gateway sends to the second app, in percent."
  type        = number
  default     = 0

  validation {
    condition     = var.green_share >= 0 && var.green_share <= 100
    error_message = "Must be 0 to 100."
  }
}

variable "existing_sql_server_id" {
  description = "Resource id of an existing SQL server of this subscription that has both databases; empty: one is made. Its sizes, backups, firewall and audit stay with its owner."
  type        = string
  default     = ""
}

variable "main_database_name" {
  description = "Name of the main database."
  type        = string
  default     = "records"
}

variable "customization_database_name" {
  description = "Name of the customization database."
  type        = string
  default     = "customization"
}

variable "database_sku" {
  description = "Size of each database. GP_S_*: serverless, pauses when idle; GP_*: provisioned; the others: DTU, cheap and always on."
  type        = string
  default     = "GP_S_Gen5_1"

  validation {
    condition     = contains(["Basic", "S0", "S1", "S2", "GP_S_Gen5_1", "GP_S_Gen5_2", "GP_S_Gen5_4", "GP_Gen5_2", "GP_Gen5_4"], var.database_sku)
    error_message = "Must be one of Basic, S0, S1, S2, GP_S_Gen5_1, GP_S_Gen5_2, GP_S_Gen5_4, GP_Gen5_2, GP_Gen5_4."
  }
}

variable "database_auto_pause_minutes" {
  description = "Minutes without use after which a serverless database pauses; -1: never."
  type        = number
  default     = 60
}

variable "database_max_size_gb" {
  description = "Largest size of each database, in gigabytes. Of a GP_ size it is billed whether used or not; in the others it is included."
  type        = number
  default     = 2

  validation {
    condition     = var.database_max_size_gb >= 1
    error_message = "Must be at least 1."
  }
}

variable "database_collation" {
  description = "Collation of the databases; cannot be changed later."
  type        = string
  default     = "SQL_Latin1_General_CP1_CI_AS"
}

variable "backup_retention_days" {
  description = "Days back to which each database can be restored."
  type        = number
  default     = 7

  validation {
    condition     = var.backup_retention_days >= 1 && var.backup_retention_days <= 35
    error_message = "Must be 1 to 35."
  }
}

variable "backup_yearly_retention" {
  description = "How long the backup of the first week of each year is kept, as an ISO 8601 duration (P5Y); PT0S: not at all."
  type        = string
  default     = "PT0S"
}

variable "backup_monthly_retention" {
  description = "How long a backup of each month is kept, as an ISO 8601 duration (P12M); PT0S: not at all."
  type        = string
  default     = "PT0S"
}

variable "backup_weekly_retention" {
  description = "How long a backup of each week is kept, as an ISO 8601 duration (P4W); PT0S: not at all."
  type        = string
  default     = "PT0S"
}

variable "database_backup_redundancy" {
  description = "Where backups of the databases are kept: here (Local, Zone), or also in a second region (Geo, GeoZone)."
  type        = string
  default     = "Geo"

  validation {
    condition     = contains(["Local", "Zone", "Geo", "GeoZone"], var.database_backup_redundancy)
    error_message = "Must be one of Local, Zone, Geo, GeoZone."
  }
}

variable "database_pool_max" {
  description = "Connections per database and instance for callers, at most; two more check whether the database is there."
  type        = number
  default     = 10
}

variable "object_types" {
  description = "Numbers of the kinds of objects in tObjProperties.typeID; those of an existing product are its own."
  type        = string
  default     = "diaries=2,journalized-cases=3,deeds=4,documents=5"
}

variable "object_metadata" {
  description = "Kinds of objects whose metadata is served, separated by commas; on the databases of an existing product none, or those with views (deeds=view)."
  type        = string
  default     = "diaries,journalized-cases,deeds,documents"
}

variable "zone_redundant" {
  description = "True: everything in several zones. Databases then need a GP_ size."
  type        = bool
  default     = false
}

variable "private_networking" {
  description = "True: storage and databases are reached through private endpoints only."
  type        = bool
  default     = false
}

variable "app_public_access" {
  description = "True: the app answers calls from the internet; false (with privateNetworking): from the network only."
  type        = bool
  default     = true
}

variable "deployment_addresses" {
  description = "Addresses (CIDR) and service tags, such as AzureCloud, that may push packages to an app with public access; empty: any, with the right to."
  type        = list(string)
  default     = []
}

variable "network_address_prefix" {
  description = "Address range of the virtual network, at least a /23."
  type        = string
  default     = "10.40.0.0/22"
}

variable "existing_private_dns_zone_ids" {
  description = "Resource ids of private DNS zones that exist already (in a hub), by zone: blob, table, sql, sites."
  type        = map(string)
  default     = {}

  validation {
    condition     = length(setsubtract(keys(var.existing_private_dns_zone_ids), ["blob", "table", "sql", "sites"])) == 0
    error_message = "The zones are blob, table, sql, sites."
  }
}

variable "private_dns_zones_by_policy" {
  description = "True: a policy of the organisation registers private endpoints in DNS, so that no zones, links and zone groups are made."
  type        = bool
  default     = false
}

variable "existing_subnet_ids" {
  description = "Resource ids of subnets that exist already, by use: app (delegated to Microsoft.App/environments), endpoints, gateway (delegated to Microsoft.Web/serverFarms) with StandardV2, and runner (delegated to Microsoft.App/environments) with a runner; empty: a network is made."
  type        = map(string)
  default     = {}

  validation {
    condition     = length(setsubtract(keys(var.existing_subnet_ids), ["app", "endpoints", "gateway", "runner"])) == 0
    error_message = "Must be ids of app, endpoints, gateway and runner."
  }
}

variable "runner" {
  description = "Runner of GitHub inside of the network, for the steps that need it: repository (owner/name), keyVaultId (resource id of a key vault that is there), secretName (a token, or with applicationId and installationId the private key of a GitHub App), image; empty: none."
  type        = map(string)
  default     = {}

  validation {
    condition     = length(setsubtract(keys(var.runner), ["repository", "keyVaultId", "secretName", "applicationId", "installationId", "image"])) == 0
    error_message = "Must be names of what the description lists."
  }
}

variable "gateway_sku" {
  description = "Tier of the API Management gateway; None: no gateway."
  type        = string
  default     = "None"

  validation {
    condition     = contains(["None", "BasicV2", "StandardV2"], var.gateway_sku)
    error_message = "Must be one of None, BasicV2, StandardV2."
  }
}

variable "gateway_units" {
  description = "Units of the gateway: each serves more calls, and costs as much as the first."
  type        = number
  default     = 1

  validation {
    condition     = var.gateway_units >= 1 && var.gateway_units <= 10 && floor(var.gateway_units) == var.gateway_units
    error_message = "The gateway has 1 to 10 units."
  }
}

variable "gateway_publisher_name" {
  description = "Name of the organisation that publishes the API."
  type        = string
  default     = "API team"
}

variable "gateway_publisher_email" {
  description = "E-mail address for messages about the gateway; empty: the first of alertEmails."
  type        = string
  default     = ""
}

variable "gateway_rate_limit_calls" {
  description = "Calls a minute that one caller may make through the gateway."
  type        = number
  default     = 600
}

variable "gateway_cache_seconds" {
  description = "Seconds for which the gateway answers public reads of the calendar from its cache."
  type        = number
  default     = 30
}

variable "github_repository" {
  description = "GitHub repository (owner/name) whose workflows deploy; empty: no identity for a pipeline."
  type        = string
  default     = ""
}

variable "create_role_assignments" {
  description = "True: create role assignments; false: only list them, in the output ROLE_ASSIGNMENTS."
  type        = bool
  default     = true
}

variable "alert_emails" {
  description = "E-mail addresses that alerts and budget messages are sent to."
  type        = list(string)
  default     = []
}

variable "availability_test_minutes" {
  description = "Minutes between two availability tests from one place; each call is billed."
  type        = number
  default     = 5

  validation {
    condition     = contains([5, 10, 15], var.availability_test_minutes)
    error_message = "Must be one of: 5, 10, 15."
  }
}

variable "monthly_budget" {
  description = "Budget a month, in the currency of the subscription; 0: none."
  type        = number
  default     = 0

  validation {
    condition     = var.monthly_budget >= 0
    error_message = "Must be at least 0."
  }
}

variable "budget_start_date" {
  description = "First day of the budget, yyyy-MM-01, which cannot be changed later; empty: of the current month."
  type        = string
  default     = ""
}

variable "deployed_as" {
  description = "What the environment is deployed as, stack, profile, region and given values, as npm run deploy writes it; empty: by other tools."
  type        = string
  default     = ""
}

variable "log_retention_days" {
  description = "Days for which logs are kept."
  type        = number
  default     = 30

  validation {
    condition     = var.log_retention_days >= 30 && var.log_retention_days <= 730
    error_message = "Must be 30 to 730."
  }
}

variable "daily_log_quota_gb" {
  description = "Gigabytes of logs a day, after which ingestion stops until the next day; -1: no limit."
  type        = number
  default     = -1
}

variable "delete_locks" {
  description = "True: databases and calendar cannot be deleted until their locks are removed."
  type        = bool
  default     = false
}
