// The whole deployment of one environment: a resource group and everything in it, module by module.
// infra/terraform is the same, in Terraform; infra/README.md explains both.

targetScope = 'subscription'

@description('Zones that exist already.')
@sealed()
type existingZones = { blob: string?, table: string?, sql: string?, sites: string? }

@description('Subnets that exist already.')
@sealed()
type existingSubnets = { app: string?, endpoints: string?, gateway: string?, runner: string? }

@description('A runner of GitHub inside of the network.')
@sealed()
type runnerInside = {
  repository: string?
  keyVaultId: string?
  secretName: string?
  applicationId: string?
  installationId: string?
  image: string?
}

@description('A host name of one\'s own, and where its certificate is.')
@sealed()
type ownDomain = { name: string?, keyVaultId: string?, certificateName: string? }

@description('Names of resources.')
@sealed()
type ownNames = {
  resourceGroup: string?
  identity: string?
  pipelineIdentity: string?
  runnerIdentity: string?
  backupIdentity: string?
  backupAccount: string?
  workspace: string?
  auditWorkspace: string?
  applicationInsights: string?
  network: string?
  hostAccount: string?
  dataAccount: string?
  sqlServer: string?
  plan: string?
  app: string?
  greenPlan: string?
  greenApp: string?
  calendarIdentity: string?
  calendarHostAccount: string?
  calendarPlan: string?
  calendarApp: string?
  gateway: string?
  runnerEnvironment: string?
  runnerJob: string?
}

@description('Name of the environment, in the names of its resources: 2 to 10 small letters and digits.')
@minLength(2)
@maxLength(10)
param environmentName string

@description('Azure region.')
param location string

@description('Tags of every resource, besides azd-env-name, which has the name of the environment, and deployed-with, which has the stack.')
param tags object = {}

@description('Name of a resource group that is there already; empty: one is made. Its tags and rights stay with its owner, and teardown leaves it.')
param existingResourceGroupName string = ''

@description('Names of resources by what they are, instead of those made from the environment: resourceGroup, identity, pipelineIdentity, workspace, auditWorkspace, applicationInsights, network, hostAccount, dataAccount, sqlServer, plan, app, greenPlan, greenApp, calendarIdentity, calendarHostAccount, calendarPlan, calendarApp, gateway, runnerIdentity, runnerEnvironment, runnerJob, backupIdentity, backupAccount.')
param resourceNames ownNames = {}

@description('True: what production must not be is refused: nobody told of alerts, databases reached from the internet, more connections than they serve.')
param production bool = false

@description('Client id of the API in Entra ID, from the entra template or from your directory team.')
param apiClientId string

@description('Further accepted audiences of tokens, besides the client id.')
param apiAudiences string[] = []

@description('Claim that holds the e-mail address of a user.')
param emailClaim string = 'email'

@description('Display name of the Entra administrator of the SQL server, best a group that holds deployers and database people.')
param sqlAdministratorLogin string

@description('Object id of the Entra administrator of the SQL server (client id when it is an application).')
param sqlAdministratorObjectId string

@description('Kind of the Entra administrator of the SQL server.')
@allowed(['Group', 'User', 'Application'])
param sqlAdministratorType string = 'Group'

@description('Account of the service in tUserSettings of the main database.')
param serviceApiUsername string

@description('URL of the site that owns the calendar; empty where that is this service, whose own pages show events.')
param calendarSiteUrl string = ''

@description('Language of the texts of the calendar that were written in none, and of pages for readers who prefer none of en, da and sv.')
@allowed(['en', 'da', 'sv'])
param calendarLanguage string = 'en'

@description('Currency of prices that are written without one: three letters of ISO 4217, such as DKK; empty for dollars.')
param calendarCurrency string = ''

@description('Name of the site for citizens, on its pages and feeds; empty for a service for developers.')
param siteName string = ''

@description('Colour of the site.')
param siteColor string = '#0b57a4'

@description('URL of the logo in the header of the site.')
param siteLogo string = ''

@description('URL of the picture above the list of events.')
param siteImage string = ''

@description('Link in the header to the site that the calendar belongs to, such as Havneby=https://www.example.org.')
param siteHome string = ''

@description('Postal address at the foot of the site, its lines separated by semicolons.')
param siteAddress string = ''

@description('Telephone and e-mail at the foot of the site, such as +45 12 34 56 78=tel:+4512345678, separated by commas.')
param siteContact string = ''

@description('URL of the accessibility statement; those of other languages behind bars.')
param siteAccessibility string = ''

@description('URL of the privacy policy; those of other languages behind bars.')
param sitePrivacy string = ''

@description('More links at the foot of the site, such as About us=https://www.example.org/about, separated by commas.')
param siteLinks string = ''

@description('Origins of sites whose pages may show the calendar in a frame, separated by commas; * for any.')
param embedOrigins string = ''

@description('URL of the map server with {z}, {x} and {y}, then its attribution; empty for pages without maps.')
param mapTiles string = ''

@description('Name of the calendar: its partition in the table.')
param calendarName string = 'default'

@description('Name of the table of the calendar.')
@minLength(3)
@maxLength(63)
param calendarTableName string = 'calendar'

@description('Path of the calendar API below the base path.')
param calendarBasePath string = 'tribe/events/v1'

@description('Paths at the root of the site under which the calendar answers as well, or their public URLs, separated by commas; none turns them off.')
param calendarSiteRoots string = 'wp-json/tribe/events/v1'

@description('Whether the calendar takes the client id and a secret of an app registration by HTTP Basic, for clients that know no tokens.')
param calendarBasic bool = false

@description('Whether a proxy sets X-Forwarded-Host, -Proto and -Prefix, deletes those that callers send, and appends the address of the caller to X-Forwarded-For. Never with an app that can be reached past it.')
param trustForwardedHeaders bool = false

@description('Whether a user of the records is bound to the account (oid) of their first sign-in.')
param bindUsers bool = false

@description('True: people find pages beside the APIs: the start page, the calendar and its events, objects with their custom data.')
param pages bool = true

@description('IANA time zone of the calendar.')
param calendarTimeZone string = 'UTC'

@description('Seconds for which the calendar is read from memory while its storage is unreachable.')
param calendarStaleIfErrorSeconds int = 300

@description('Copies of the calendar: in one place (LRS), in three zones (ZRS), and also in a second region (GRS, GZRS).')
@allowed(['LRS', 'ZRS', 'GRS', 'GZRS'])
param calendarRedundancy string = 'LRS'

@description('True: an account for backups of the calendar, with an identity that writes them every night where githubRepository is given, and an alert when the last one is older than two days.')
param calendarBackup bool = false

@description('Public address of the base path, when a domain of your own leads to it; empty: customDomain, the gateway, or the host of the request.')
param publicBaseUrl string = ''

@description('Name of your own for the app that callers reach (with calendarApp that of the calendar): name, such as events.example.org, and keyVaultId (resource id of a key vault) and certificateName, without which Azure issues and renews the certificate; empty: none.')
param customDomain ownDomain = {}

@description('Major version of Node.')
@allowed(['22', '24'])
param nodeVersion string = '24'

@description('Memory of an instance, in megabytes.')
@allowed([512, 2048, 4096])
param instanceMemoryMB int = 2048

@description('Instances at most.')
@minValue(1)
@maxValue(1000)
param maximumInstanceCount int = 40

@description('Instances that are always running, for calls without a cold start; billed all the time.')
@minValue(0)
param alwaysReadyInstances int = 0

@description('Origins whose pages may call the app from a browser; *: all. Credentials are never allowed with it; callers send tokens. Every origin may call a calendar with an app of its own.')
param corsOrigins string[] = ['*']

@description('How new code replaces old: Recreate ends calls in flight; RollingUpdate (preview) lets them finish.')
@allowed(['Recreate', 'RollingUpdate'])
param updateStrategy string = 'Recreate'

@description('Who sends telemetry to Application Insights: applicationInsights: the host alone; openTelemetry: the host as well as the app, whose spans stand below the host\'s.')
@allowed(['applicationInsights', 'openTelemetry'])
param telemetry string = 'applicationInsights'

@description('True: the calendar has an app of its own, which is public, with an identity and a host account of its own; false: one app serves both APIs.')
param calendarApp bool = false

@description('True: a second plan and app for blue/green releases, of the app that serves the records.')
param greenApp bool = false

@description('Share of calls that the gateway sends to the second app, in percent.')
@minValue(0)
@maxValue(100)
param greenShare int = 0

@description('Resource id of an existing SQL server of this subscription that has both databases; empty: one is made. Its sizes, backups, firewall and audit stay with its owner.')
param existingSqlServerId string = ''

@description('Name of the main database.')
param mainDatabaseName string = 'records'

@description('Name of the customization database.')
param customizationDatabaseName string = 'customization'

@description('Size of each database. GP_S_*: serverless, pauses when idle; GP_*: provisioned; the others: DTU, cheap and always on.')
@allowed(['Basic', 'S0', 'S1', 'S2', 'GP_S_Gen5_1', 'GP_S_Gen5_2', 'GP_S_Gen5_4', 'GP_Gen5_2', 'GP_Gen5_4'])
param databaseSku string = 'GP_S_Gen5_1'

@description('Minutes without use after which a serverless database pauses; -1: never.')
param databaseAutoPauseMinutes int = 60

@description('Largest size of each database, in gigabytes. Of a GP_ size it is billed whether used or not; in the others it is included.')
@minValue(1)
param databaseMaxSizeGB int = 2

@description('Collation of the databases; cannot be changed later.')
param databaseCollation string = 'SQL_Latin1_General_CP1_CI_AS'

@description('Days back to which each database can be restored.')
@minValue(1)
@maxValue(35)
param backupRetentionDays int = 7

@description('How long the backup of the first week of each year is kept, as an ISO 8601 duration (P5Y); PT0S: not at all.')
param backupYearlyRetention string = 'PT0S'

@description('How long a backup of each month is kept, as an ISO 8601 duration (P12M); PT0S: not at all.')
param backupMonthlyRetention string = 'PT0S'

@description('How long a backup of each week is kept, as an ISO 8601 duration (P4W); PT0S: not at all.')
param backupWeeklyRetention string = 'PT0S'

@description('Where backups of the databases are kept: here (Local, Zone), or also in a second region (Geo, GeoZone).')
@allowed(['Local', 'Zone', 'Geo', 'GeoZone'])
param databaseBackupRedundancy string = 'Geo'

@description('Connections per database and instance for callers, at most; two more check whether the database is there.')
param databasePoolMax int = 10

@description('Numbers of the kinds of objects in tObjProperties.typeID; those of an existing product are its own.')
param objectTypes string = 'diaries=2,journalized-cases=3,deeds=4,documents=5'

@description('Kinds of objects whose metadata is served, separated by commas; on the databases of an existing product none, or those with views (deeds=view).')
param objectMetadata string = 'diaries,journalized-cases,deeds,documents'

@description('True: everything in several zones. Databases then need a GP_ size.')
param zoneRedundant bool = false

@description('True: storage and databases are reached through private endpoints only.')
param privateNetworking bool = false

@description('True: the app answers calls from the internet; false (with privateNetworking): from the network only.')
param appPublicAccess bool = true

@description('Addresses (CIDR) and service tags, such as AzureCloud, that may push packages to an app with public access; empty: any, with the right to.')
param deploymentAddresses string[] = []

@description('Address range of the virtual network, at least a /23.')
param networkAddressPrefix string = '10.40.0.0/22'

@description('Resource ids of private DNS zones that exist already (in a hub), by zone: blob, table, sql, sites.')
param existingPrivateDnsZoneIds existingZones = {}

@description('True: a policy of the organisation registers private endpoints in DNS, so that no zones, links and zone groups are made.')
param privateDnsZonesByPolicy bool = false

@description('Resource ids of subnets that exist already, by use: app (delegated to Microsoft.App/environments), endpoints, gateway (delegated to Microsoft.Web/serverFarms) with StandardV2, and runner (delegated to Microsoft.App/environments) with a runner; empty: a network is made.')
param existingSubnetIds existingSubnets = {}

@description('Runner of GitHub inside of the network, for the steps that need it: repository (owner/name), keyVaultId (resource id of a key vault that is there), secretName (a token, or with applicationId and installationId the private key of a GitHub App), image; empty: none.')
param runner runnerInside = {}

@description('Tier of the API Management gateway; None: no gateway.')
@allowed(['None', 'BasicV2', 'StandardV2'])
param gatewaySku string = 'None'

@description('Units of the gateway: each serves more calls, and costs as much as the first.')
@minValue(1)
@maxValue(10)
param gatewayUnits int = 1

@description('Name of the organisation that publishes the API.')
param gatewayPublisherName string = 'API team'

@description('E-mail address for messages about the gateway; empty: the first of alertEmails.')
param gatewayPublisherEmail string = ''

@description('Calls a minute that one caller may make through the gateway.')
param gatewayRateLimitCalls int = 600

@description('Seconds for which the gateway answers public reads of the calendar from its cache.')
param gatewayCacheSeconds int = 30

@description('GitHub repository (owner/name) whose workflows deploy; empty: no identity for a pipeline.')
param githubRepository string = ''

@description('True: create role assignments; false: only list them, in the output ROLE_ASSIGNMENTS.')
param createRoleAssignments bool = true

@description('E-mail addresses that alerts and budget messages are sent to.')
param alertEmails string[] = []

@description('Minutes between two availability tests from one place; each call is billed.')
@allowed([5, 10, 15])
param availabilityTestMinutes int = 5

@description('Budget a month, in the currency of the subscription; 0: none.')
@minValue(0)
param monthlyBudget int = 0

@description('First day of the budget, yyyy-MM-01, which cannot be changed later; empty: of the current month.')
param budgetStartDate string = ''

@description('What the environment is deployed as, stack, profile, region and given values, as npm run deploy writes it; empty: by other tools.')
param deployedAs string = ''

@description('Days for which logs are kept.')
@minValue(30)
@maxValue(730)
param logRetentionDays int = 30

@description('Gigabytes of logs a day, after which ingestion stops until the next day; -1: no limit.')
param dailyLogQuotaGB int = -1

@description('True: databases and calendar cannot be deleted until their locks are removed.')
param deleteLocks bool = false

// What is left of the name without these is refused before anything is made: servers and apps take no other characters.
var small = 'abcdefghijklmnopqrstuvwxyz0123456789'
var others = reduce(range(0, length(small)), environmentName, (rest, index) => replace(rest, substring(small, index, 1), ''))
// The same of a host name: labels of small letters, digits and hyphens, three at least, since a domain itself cannot be an alias (CNAME).
var domainName = customDomain.?name ?? ''
var domainLabels = split(domainName, '.')
var otherLetters = reduce(range(0, length(small) + 2), domainName, (rest, index) => replace(rest, substring('${small}-.', index, 1), ''))
var oddLabels = filter(domainLabels, label => empty(label) || length(label) > 63 || startsWith(label, '-') || endsWith(label, '-'))
var isHostName = empty(otherLetters) && empty(oddLabels) && length(domainLabels) >= 3 && length(domainName) <= 253
// Requests that a database of each size works on at once.
var databaseWorkers = loadJsonContent('../concurrency.json').databaseWorkers
var connections = databasePoolMax * maximumInstanceCount * (greenApp ? 2 : 1)
var keepsLong = backupWeeklyRetention != 'PT0S' || backupMonthlyRetention != 'PT0S' || backupYearlyRetention != 'PT0S'
// What must not be deployed; infra/deploy/guards.ts says the same before anything is started.
var refusals = filter(
  [
    empty(others) ? '' : 'The name of the environment must be 2 to 10 small letters and digits.'
    appPublicAccess || privateNetworking ? '' : 'appPublicAccess=false closes the app only with privateNetworking=true; without it the app would stay public.'
    gatewaySku == 'BasicV2' && !appPublicAccess ? 'A gateway of the tier BasicV2 cannot reach an app without public access: choose StandardV2.' : ''
    greenShare > 0 && (gatewaySku == 'None' || !greenApp) ? 'greenShare needs a gateway, which shares the calls out, and greenApp=true, which they go to.' : ''
    toLower(mainDatabaseName) == toLower(customizationDatabaseName) ? 'mainDatabaseName and customizationDatabaseName must differ.' : ''
    keepsLong && startsWith(databaseSku, 'GP_S_') && databaseAutoPauseMinutes != -1 ? 'A database with long-term backups never pauses: set databaseAutoPauseMinutes=-1, or another databaseSku.' : ''
    gatewaySku != 'None' && empty(gatewayPublisherEmail) && empty(alertEmails) ? 'A gateway needs gatewayPublisherEmail, or alertEmails.' : ''
    !empty(existingSubnetIds) && !(privateNetworking && contains(existingSubnetIds, 'app') && contains(existingSubnetIds, 'endpoints') && (gatewaySku != 'StandardV2' || contains(existingSubnetIds, 'gateway')) && (empty(runner) || contains(existingSubnetIds, 'runner'))) ? 'existingSubnetIds needs privateNetworking=true, and the subnets app and endpoints; with gatewaySku=StandardV2 also gateway, with runner also runner.' : ''
    !empty(runner) && !(privateNetworking && contains(runner, 'repository') && contains(runner, 'keyVaultId') && contains(runner, 'secretName') && contains(runner, 'applicationId') == contains(runner, 'installationId')) ? 'runner needs privateNetworking=true, and repository, keyVaultId and secretName; a GitHub App has applicationId and installationId.' : ''
    !empty(existingSubnetIds) && !privateDnsZonesByPolicy && length(items(existingPrivateDnsZoneIds)) < 4 ? 'With existingSubnetIds no DNS zones are made: give blob, table, sql and sites in existingPrivateDnsZoneIds, or privateDnsZonesByPolicy=true.' : ''
    !empty(customDomain) && !isHostName ? 'customDomain needs a name below a domain of yours, such as events.example.org, in small letters and without https://.' : ''
    !empty(customDomain) && contains(customDomain, 'keyVaultId') != contains(customDomain, 'certificateName') ? 'customDomain takes keyVaultId and certificateName together; without both Azure issues the certificate.' : ''
    !empty(customDomain) && !calendarApp && (gatewaySku != 'None' || !appPublicAccess) ? 'customDomain is the name of an app that callers reach: give it to the gateway, or to what leads to the closed app, or let the calendar have an app of its own (calendarApp=true).' : ''
    production && empty(alertEmails) ? 'Production needs alertEmails: without them nobody is told of an alert.' : ''
    production && !privateNetworking ? 'Production needs privateNetworking=true: without it every Azure customer may call the databases.' : ''
    production && connections > databaseWorkers[databaseSku] ? 'databasePoolMax x maximumInstanceCount (of both apps) is more than a database of this size serves at once.' : ''
  ],
  refusal => !empty(refusal)
)
// Azure takes a region as it is written, "West Europe" or "westeurope"; names are made of one spelling.
var region = toLower(replace(location, ' ', ''))
var suffix = empty(refusals) ? uniqueString(subscription().id, environmentName, region) : fail(join(refusals, ' '))
var basePath = '/api'
var allTags = union(tags, { 'azd-env-name': environmentName, 'deployed-with': 'bicep' })
var appPublic = appPublicAccess || !privateNetworking
var gatewayEnabled = gatewaySku != 'None'
var groupName = empty(existingResourceGroupName)
  ? resourceNames.?resourceGroup ?? 'rg-${environmentName}-${suffix}'
  : existingResourceGroupName
var identityName = resourceNames.?identity ?? 'id-${environmentName}-${suffix}'
var pipelineIdentityName = resourceNames.?pipelineIdentity ?? 'id-${environmentName}-${suffix}-pipeline'
var gatewayName = resourceNames.?gateway ?? 'apim-${environmentName}-${suffix}'
var publisherEmail = empty(gatewayPublisherEmail) ? alertEmails[?0] ?? '' : gatewayPublisherEmail
var ownServerName = resourceNames.?sqlServer ?? 'sql-${environmentName}-${suffix}'
var sqlServerName = empty(existingSqlServerId) ? ownServerName : last(split(existingSqlServerId, '/'))
var sqlServerId = empty(existingSqlServerId) ? database.?outputs.serverId ?? '' : existingSqlServerId
var sqlHostName = empty(existingSqlServerId) ? database.?outputs.serverHostName ?? '' : '${sqlServerName}${environment().suffixes.sqlServerHostname}'
var blueAppName = resourceNames.?app ?? 'func-${environmentName}-${suffix}'
var greenAppName = resourceNames.?greenApp ?? 'func-${environmentName}-${suffix}-g'
var calendarAppName = resourceNames.?calendarApp ?? 'func-${environmentName}-${suffix}-c'
var hostAccountName = resourceNames.?hostAccount ?? 'sthost${suffix}'
var dataAccountName = resourceNames.?dataAccount ?? 'stdata${suffix}'
var bringsSubnets = !empty(existingSubnetIds)
var appSubnetId = existingSubnetIds.?app ?? network.?outputs.appSubnetId ?? ''
var endpointSubnetId = existingSubnetIds.?endpoints ?? network.?outputs.endpointSubnetId ?? ''
var runnerSubnetId = existingSubnetIds.?runner ?? network.?outputs.runnerSubnetId ?? ''
// The group of the key vault; where there is no runner, one that is there, since a place must be known all the same.
var keyVaultPlace = split(runner.?keyVaultId ?? '${subscription().id}/resourceGroups/${groupName}', '/')
var runnerEnabled = !empty(runner)
var runnerIdentityName = runnerEnabled ? resourceNames.?runnerIdentity ?? 'id-${environmentName}-${suffix}-runner' : ''
var credentialUrl = 'https://${last(split(runner.?keyVaultId ?? '', '/'))}${environment().suffixes.keyvaultDns}/secrets/${runner.?secretName ?? ''}'
var runnerLabel = 'inside-${environmentName}'
var gatewaySubnetId = existingSubnetIds.?gateway ?? network.?outputs.gatewaySubnetId ?? ''
var zoneIds = {
  blob: bringsSubnets ? existingPrivateDnsZoneIds.?blob ?? '' : network.?outputs.zoneIds.blob ?? ''
  table: bringsSubnets ? existingPrivateDnsZoneIds.?table ?? '' : network.?outputs.zoneIds.table ?? ''
  sql: bringsSubnets ? existingPrivateDnsZoneIds.?sql ?? '' : network.?outputs.zoneIds.sql ?? ''
  sites: bringsSubnets ? existingPrivateDnsZoneIds.?sites ?? '' : network.?outputs.zoneIds.sites ?? ''
}
var domainUrl = empty(customDomain) ? '' : 'https://${domainName}${basePath}'
// Where the calendar has an app of its own, the name is that of the calendar, and the records keep the address of the gateway.
var ownUrl = calendarApp ? '' : domainUrl
var baseUrl = !empty(publicBaseUrl)
  ? publicBaseUrl
  : !empty(ownUrl) ? ownUrl : gatewayEnabled ? 'https://${gatewayName}.azure-api.net${basePath}' : ''
var calendarBaseUrl = empty(domainUrl) ? baseUrl : domainUrl

var apiUrl = !empty(baseUrl) ? baseUrl : 'https://${blue.outputs.hostName}${basePath}'

// Settings of the apps: the table in shared/config/variables.ts. Those of the platform are in modules/app.bicep.
var serviceSettings = {
  AppRegistration__ClientId: apiClientId
  AppRegistration__TenantId: tenant().tenantId
  AppRegistration__Authority: '${environment().authentication.loginEndpoint}${tenant().tenantId}/v2.0'
  AppRegistration__EmailClaim: emailClaim
  AppRegistration__Audiences: join(apiAudiences, ',')
  SERVICE_API_BASE_URL: basePath
  PUBLIC_BASE_URL: baseUrl
  PAGES: pages ? 'true' : 'false'
  TRUST_FORWARDED_HEADERS: trustForwardedHeaders ? 'true' : 'false'
  CORS_ORIGINS: join(corsOrigins, ',')
  AzureFunctionsJobHost__telemetryMode: telemetry
}
var recordsSettings = {
  SERVICE_API_USERNAME: serviceApiUsername
  DB_SERVER: sqlHostName
  DB_NAME: mainDatabaseName
  DB_CUSTOMIZATION_NAME: customizationDatabaseName
  DB_TRUSTED_CONNECTION: 'true'
  DB_ENCRYPT: 'true'
  DB_TRUST_SERVER_CERTIFICATE: 'false'
  DB_POOL_MAX: string(databasePoolMax)
  OBJECT_TYPES: objectTypes
  OBJECT_METADATA: objectMetadata
  BIND_USERS: bindUsers ? 'true' : 'false'
}
var calendarSettings = {
  CALENDAR_TABLE_ENDPOINT: storage.outputs.tableEndpoint
  CALENDAR_TABLE_NAME: calendarTableName
  CALENDAR_BLOB_ENDPOINT: storage.outputs.blobEndpoint
  CALENDAR_NAME: calendarName
  CALENDAR_BASE_PATH: calendarBasePath
  CALENDAR_SITE_ROOTS: calendarSiteRoots
  CALENDAR_BASIC: calendarBasic ? 'true' : 'false'
  CALENDAR_SITE_URL: calendarSiteUrl
  CALENDAR_TIME_ZONE: calendarTimeZone
  CALENDAR_LANGUAGE: calendarLanguage
  CALENDAR_CURRENCY: calendarCurrency
  CALENDAR_STALE_IF_ERROR: string(calendarStaleIfErrorSeconds)
  SITE_NAME: siteName
  SITE_COLOR: siteColor
  SITE_LOGO: siteLogo
  SITE_IMAGE: siteImage
  SITE_HOME: siteHome
  SITE_ADDRESS: siteAddress
  SITE_CONTACT: siteContact
  SITE_ACCESSIBILITY: siteAccessibility
  SITE_PRIVACY: sitePrivacy
  SITE_LINKS: siteLinks
  EMBED_ORIGINS: embedOrigins
  MAP_TILES: mapTiles
}

resource group 'Microsoft.Resources/resourceGroups@2025-04-01' = if (empty(existingResourceGroupName)) {
  name: groupName
  location: location
  tags: allTags
}

module identity './modules/identity.bicep' = {
  name: 'identity'
  scope: resourceGroup(groupName)
  params: {
    location: location
    tags: allTags
    runtimeName: identityName
    pipelineName: pipelineIdentityName
    runnerName: runnerIdentityName
    githubRepository: githubRepository
    githubEnvironment: environmentName
  }
  dependsOn: [group]
}

module monitoring './modules/monitoring.bicep' = {
  name: 'monitoring'
  scope: resourceGroup(groupName)
  params: {
    location: location
    tags: allTags
    environmentName: environmentName
    workspaceName: resourceNames.?workspace ?? 'log-${environmentName}-${suffix}'
    auditWorkspaceName: resourceNames.?auditWorkspace ?? 'log-${environmentName}-${suffix}-audit'
    applicationInsightsName: resourceNames.?applicationInsights ?? 'appi-${environmentName}-${suffix}'
    retentionDays: logRetentionDays
    dailyQuotaGB: dailyLogQuotaGB
  }
  dependsOn: [group]
}

module network './modules/network.bicep' = if (privateNetworking && !bringsSubnets) {
  name: 'network'
  scope: resourceGroup(groupName)
  params: {
    location: location
    tags: allTags
    name: resourceNames.?network ?? 'vnet-${environmentName}-${suffix}'
    addressPrefix: networkAddressPrefix
    gatewaySubnet: gatewaySku == 'StandardV2'
    runnerSubnet: runnerEnabled
    existingZoneIds: existingPrivateDnsZoneIds
    zonesByPolicy: privateDnsZonesByPolicy
  }
  dependsOn: [group]
}

module hostStorage './modules/host-storage.bicep' = {
  name: 'host-storage'
  scope: resourceGroup(groupName)
  params: {
    location: location
    tags: allTags
    name: hostAccountName
    packageContainerNames: greenApp ? ['packages-blue', 'packages-green'] : ['packages-blue']
    zoneRedundant: zoneRedundant
    publicNetworkAccess: !privateNetworking
    workspaceId: monitoring.outputs.workspaceId
  }
}

module storage './modules/storage.bicep' = {
  name: 'storage'
  scope: resourceGroup(groupName)
  params: {
    location: location
    tags: allTags
    dataAccountName: dataAccountName
    tableName: calendarTableName
    zoneRedundant: zoneRedundant
    dataRedundancy: calendarRedundancy
    publicNetworkAccess: !privateNetworking
    deleteLock: deleteLocks
    workspaceId: monitoring.outputs.workspaceId
  }
}

module database './modules/database.bicep' = if (empty(existingSqlServerId)) {
  name: 'database'
  scope: resourceGroup(groupName)
  params: {
    location: location
    tags: allTags
    serverName: ownServerName
    mainDatabaseName: mainDatabaseName
    customizationDatabaseName: customizationDatabaseName
    administratorLogin: sqlAdministratorLogin
    administratorObjectId: sqlAdministratorObjectId
    administratorType: sqlAdministratorType
    sku: databaseSku
    autoPauseMinutes: databaseAutoPauseMinutes
    maxSizeGB: databaseMaxSizeGB
    collation: databaseCollation
    backupRetentionDays: backupRetentionDays
    backupRedundancy: databaseBackupRedundancy
    weeklyRetention: backupWeeklyRetention
    monthlyRetention: backupMonthlyRetention
    yearlyRetention: backupYearlyRetention
    zoneRedundant: zoneRedundant
    publicNetworkAccess: !privateNetworking
    deleteLock: deleteLocks
    workspaceId: monitoring.outputs.workspaceId
    auditWorkspaceId: monitoring.outputs.auditWorkspaceId
  }
}

module access './modules/access.bicep' = {
  name: 'access'
  scope: resourceGroup(groupName)
  params: {
    createRoleAssignments: createRoleAssignments
    runtimePrincipalId: identity.outputs.runtimePrincipalId
    hostAccountId: hostStorage.outputs.id
    calendar: !calendarApp
    tableId: storage.outputs.tableId
    containerId: storage.outputs.containerId
    applicationInsightsId: monitoring.outputs.applicationInsightsId
  }
}

// Before the app starts, so that its first look-ups find the private addresses.
module dataEndpoints './modules/private-endpoints.bicep' = if (privateNetworking) {
  name: 'data-endpoints'
  scope: resourceGroup(groupName)
  params: {
    location: location
    tags: allTags
    subnetId: endpointSubnetId
    zoneGroups: !privateDnsZonesByPolicy
    endpoints: [
      {
        name: 'pep-${environmentName}-host-blob'
        resourceId: hostStorage.outputs.id
        subResource: 'blob'
        zoneId: zoneIds.blob
      }
      {
        name: 'pep-${environmentName}-data-table'
        resourceId: storage.outputs.dataAccountId
        subResource: 'table'
        zoneId: zoneIds.table
      }
      {
        name: 'pep-${environmentName}-data-blob'
        resourceId: storage.outputs.dataAccountId
        subResource: 'blob'
        zoneId: zoneIds.blob
      }
      {
        name: 'pep-${environmentName}-sql'
        resourceId: sqlServerId
        subResource: 'sqlServer'
        zoneId: zoneIds.sql
      }
    ]
  }
}

module blue './modules/app.bicep' = {
  name: 'app-blue'
  scope: resourceGroup(groupName)
  params: {
    location: location
    tags: allTags
    planName: resourceNames.?plan ?? 'plan-${environmentName}-${suffix}'
    name: blueAppName
    identityId: identity.outputs.runtimeId
    identityClientId: identity.outputs.runtimeClientId
    hostAccountName: hostAccountName
    applicationInsightsConnectionString: monitoring.outputs.connectionString
    packageContainerUrl: '${hostStorage.outputs.blobEndpoint}packages-blue'
    nodeVersion: nodeVersion
    instanceMemoryMB: instanceMemoryMB
    maximumInstanceCount: maximumInstanceCount
    alwaysReadyInstances: alwaysReadyInstances
    zoneRedundant: zoneRedundant
    corsOrigins: corsOrigins
    updateStrategy: updateStrategy
    apis: calendarApp ? 'records' : 'records,calendar'
    settings: serviceSettings
    recordsSettings: recordsSettings
    calendarSettings: calendarSettings
    subnetId: appSubnetId
    publicNetworkAccess: appPublic
    deploymentAddresses: deploymentAddresses
    workspaceId: monitoring.outputs.workspaceId
    pipelineAccess: !empty(githubRepository)
    pipelinePrincipalId: identity.outputs.pipelinePrincipalId
    createRoleAssignments: createRoleAssignments
  }
  dependsOn: [access, dataEndpoints]
}

module green './modules/app.bicep' = if (greenApp) {
  name: 'app-green'
  scope: resourceGroup(groupName)
  params: {
    location: location
    tags: allTags
    planName: resourceNames.?greenPlan ?? 'plan-${environmentName}-${suffix}-g'
    name: greenAppName
    identityId: identity.outputs.runtimeId
    identityClientId: identity.outputs.runtimeClientId
    hostAccountName: hostAccountName
    applicationInsightsConnectionString: monitoring.outputs.connectionString
    packageContainerUrl: '${hostStorage.outputs.blobEndpoint}packages-green'
    nodeVersion: nodeVersion
    instanceMemoryMB: instanceMemoryMB
    maximumInstanceCount: maximumInstanceCount
    alwaysReadyInstances: alwaysReadyInstances
    zoneRedundant: zoneRedundant
    corsOrigins: corsOrigins
    updateStrategy: updateStrategy
    apis: calendarApp ? 'records' : 'records,calendar'
    settings: serviceSettings
    recordsSettings: recordsSettings
    calendarSettings: calendarSettings
    subnetId: appSubnetId
    publicNetworkAccess: appPublic
    deploymentAddresses: deploymentAddresses
    workspaceId: monitoring.outputs.workspaceId
    pipelineAccess: !empty(githubRepository)
    pipelinePrincipalId: identity.outputs.pipelinePrincipalId
    createRoleAssignments: createRoleAssignments
  }
  dependsOn: [access, dataEndpoints]
}

module calendar './modules/calendar-app.bicep' = if (calendarApp) {
  name: 'calendar'
  scope: resourceGroup(groupName)
  params: {
    location: location
    tags: allTags
    environmentName: environmentName
    identityName: resourceNames.?calendarIdentity ?? 'id-${environmentName}-${suffix}-c'
    hostAccountName: resourceNames.?calendarHostAccount ?? 'stcal${suffix}'
    planName: resourceNames.?calendarPlan ?? 'plan-${environmentName}-${suffix}-c'
    name: calendarAppName
    nodeVersion: nodeVersion
    instanceMemoryMB: instanceMemoryMB
    maximumInstanceCount: maximumInstanceCount
    alwaysReadyInstances: alwaysReadyInstances
    zoneRedundant: zoneRedundant
    updateStrategy: updateStrategy
    settings: union(serviceSettings, { PUBLIC_BASE_URL: calendarBaseUrl })
    calendarSettings: calendarSettings
    tableId: storage.outputs.tableId
    containerId: storage.outputs.containerId
    applicationInsightsId: monitoring.outputs.applicationInsightsId
    applicationInsightsConnectionString: monitoring.outputs.connectionString
    workspaceId: monitoring.outputs.workspaceId
    deploymentAddresses: deploymentAddresses
    privateNetworking: privateNetworking
    subnetId: appSubnetId
    endpointSubnetId: endpointSubnetId
    blobZoneId: zoneIds.blob
    zoneGroups: !privateDnsZonesByPolicy
    pipelineAccess: !empty(githubRepository)
    pipelinePrincipalId: identity.outputs.pipelinePrincipalId
    createRoleAssignments: createRoleAssignments
  }
  dependsOn: [dataEndpoints]
}

module domain './modules/domain.bicep' = if (!empty(customDomain)) {
  name: 'domain'
  scope: resourceGroup(groupName)
  params: {
    location: location
    tags: allTags
    appName: calendarApp ? calendarAppName : blueAppName
    name: domainName
    keyVaultId: customDomain.?keyVaultId ?? ''
    certificateName: customDomain.?certificateName ?? ''
  }
  dependsOn: [blue, calendar]
}

module blueEndpoint './modules/private-endpoints.bicep' = if (!appPublic) {
  name: 'app-blue-endpoint'
  scope: resourceGroup(groupName)
  params: {
    location: location
    tags: allTags
    subnetId: endpointSubnetId
    zoneGroups: !privateDnsZonesByPolicy
    endpoints: [
      {
        name: 'pep-${environmentName}-app-blue'
        resourceId: blue.outputs.id
        subResource: 'sites'
        zoneId: zoneIds.sites
      }
    ]
  }
}

module greenEndpoint './modules/private-endpoints.bicep' = if (!appPublic && greenApp) {
  name: 'app-green-endpoint'
  scope: resourceGroup(groupName)
  params: {
    location: location
    tags: allTags
    subnetId: endpointSubnetId
    zoneGroups: !privateDnsZonesByPolicy
    endpoints: [
      {
        name: 'pep-${environmentName}-app-green'
        resourceId: green.?outputs.id ?? ''
        subResource: 'sites'
        zoneId: zoneIds.sites
      }
    ]
  }
}

module gateway './modules/gateway.bicep' = if (gatewayEnabled) {
  name: 'gateway'
  scope: resourceGroup(groupName)
  params: {
    location: location
    tags: allTags
    name: gatewayName
    sku: gatewaySku == 'StandardV2' ? 'StandardV2' : 'BasicV2'
    units: gatewayUnits
    publisherName: gatewayPublisherName
    publisherEmail: publisherEmail
    subnetId: gatewaySubnetId
    basePath: basePath
    blueHostName: blue.outputs.hostName
    greenApp: greenApp
    greenHostName: green.?outputs.hostName ?? ''
    greenShare: greenApp ? greenShare : 0
    calendarApp: calendarApp
    calendarHostName: calendar.?outputs.hostName ?? ''
    corsOrigins: corsOrigins
    audiences: union([apiClientId, 'api://${apiClientId}'], apiAudiences)
    calendarPath: calendarBasePath
    rateLimitCalls: gatewayRateLimitCalls
    cacheSeconds: gatewayCacheSeconds
    applicationInsightsId: monitoring.outputs.applicationInsightsId
    applicationInsightsConnectionString: monitoring.outputs.connectionString
    workspaceId: monitoring.outputs.workspaceId
    createRoleAssignments: createRoleAssignments
  }
}

module backup './modules/backup.bicep' = if (calendarBackup) {
  name: 'backup'
  scope: resourceGroup(groupName)
  params: {
    location: location
    tags: allTags
    accountName: resourceNames.?backupAccount ?? 'stbackup${suffix}'
    zoneRedundant: zoneRedundant
    redundancy: calendarRedundancy
    publicNetworkAccess: !privateNetworking
    deleteLock: deleteLocks
    identityName: resourceNames.?backupIdentity ?? 'id-${environmentName}-${suffix}-backup'
    githubRepository: githubRepository
    githubEnvironment: '${environmentName}-backup'
    tableId: storage.outputs.tableId
    containerId: storage.outputs.containerId
    createRoleAssignments: createRoleAssignments
    workspaceId: monitoring.outputs.auditWorkspaceId
  }
}

module backupEndpoint './modules/private-endpoints.bicep' = if (calendarBackup && privateNetworking) {
  name: 'backup-endpoint'
  scope: resourceGroup(groupName)
  params: {
    location: location
    tags: allTags
    subnetId: endpointSubnetId
    zoneGroups: !privateDnsZonesByPolicy
    endpoints: [
      {
        name: 'pep-${environmentName}-backup-table'
        resourceId: backup.?outputs.accountId ?? ''
        subResource: 'table'
        zoneId: zoneIds.table
      }
      {
        name: 'pep-${environmentName}-backup-blob'
        resourceId: backup.?outputs.accountId ?? ''
        subResource: 'blob'
        zoneId: zoneIds.blob
      }
    ]
  }
}

module runnerAccess './modules/runner-access.bicep' = if (runnerEnabled) {
  name: 'runner-access'
  scope: resourceGroup(keyVaultPlace[2], keyVaultPlace[4])
  params: {
    createRoleAssignments: createRoleAssignments
    principalId: identity.outputs.runnerPrincipalId
    keyVaultId: runner.?keyVaultId ?? ''
    credentialName: runner.?secretName ?? ''
  }
}

// After its role, since the platform reads the secret when the job is made.
module runnerJob './modules/runner.bicep' = if (runnerEnabled) {
  name: 'runner'
  scope: resourceGroup(groupName)
  params: {
    location: location
    tags: allTags
    name: resourceNames.?runnerEnvironment ?? 'cae-${environmentName}-${suffix}'
    jobName: resourceNames.?runnerJob ?? 'caj-${environmentName}-${suffix}'
    identityId: identity.outputs.runnerId
    subnetId: runnerSubnetId
    repository: runner.?repository ?? ''
    label: runnerLabel
    credentialUrl: credentialUrl
    applicationId: runner.?applicationId ?? ''
    installationId: runner.?installationId ?? ''
    // Not pinned: GitHub gives no jobs to a runner whose release is older than 30 days.
    image: runner.?image ?? 'ghcr.io/actions/actions-runner:latest'
    zoneRedundant: zoneRedundant
    workspaceId: monitoring.outputs.workspaceId
  }
  dependsOn: [runnerAccess]
}

module alerts './modules/alerts.bicep' = {
  name: 'alerts'
  scope: resourceGroup(groupName)
  params: {
    location: location
    tags: allTags
    environmentName: environmentName
    emails: alertEmails
    hostAccountId: hostStorage.outputs.id
    calendarApp: calendarApp
    calendarHostAccountId: calendar.?outputs.hostAccountId ?? ''
    sizeInDtu: empty(existingSqlServerId) && !startsWith(databaseSku, 'GP_')
    gateway: gatewayEnabled
    gatewayId: gateway.?outputs.id ?? ''
    dataAccountId: storage.outputs.dataAccountId
    mainDatabaseId: empty(existingSqlServerId) ? database.?outputs.mainDatabaseId ?? '' : '${existingSqlServerId}/databases/${mainDatabaseName}'
    customizationDatabaseId: empty(existingSqlServerId) ? database.?outputs.customizationDatabaseId ?? '' : '${existingSqlServerId}/databases/${customizationDatabaseName}'
    applicationInsightsId: monitoring.outputs.applicationInsightsId
    workspaceId: monitoring.outputs.workspaceId
    auditWorkspaceId: monitoring.outputs.auditWorkspaceId
    calendarBackup: calendarBackup
    availabilityTest: appPublic || !empty(baseUrl)
    availabilityTestMinutes: availabilityTestMinutes
    healthUrl: '${apiUrl}/health'
    calendarHealthUrl: !calendarApp
      ? ''
      : empty(domainUrl) ? 'https://${calendar.?outputs.hostName ?? ''}${basePath}/health' : '${domainUrl}/health'
  }
}

module budget './modules/budget.bicep' = if (monthlyBudget > 0) {
  name: 'budget'
  scope: resourceGroup(groupName)
  params: {
    name: 'budget-${environmentName}'
    amount: monthlyBudget
    startDate: budgetStartDate
    emails: alertEmails
  }
  dependsOn: [group]
}

@description('Name of the environment.')
output AZURE_ENV_NAME string = environmentName

@description('What the environment was deployed as: a later run compares it with what it is told.')
output DEPLOYED_AS string = deployedAs

@description('Name of the resource group.')
output AZURE_RESOURCE_GROUP string = groupName

@description('True: the resource group was made by the deployment; false: it was there before, and stays.')
output RESOURCE_GROUP_MADE bool = empty(existingResourceGroupName)

@description('Name of the app.')
output FUNCTION_APP_NAME string = blueAppName

@description('Address of the app itself, without the base path.')
output FUNCTION_APP_URL string = 'https://${blue.outputs.hostName}'

@description('Name of the second app; empty: none.')
output GREEN_FUNCTION_APP_NAME string = greenApp ? greenAppName : ''

@description('Address of the second app itself; empty: none.')
output GREEN_FUNCTION_APP_URL string = greenApp ? 'https://${green.?outputs.hostName ?? ''}' : ''

@description('Name of the app of the calendar; empty: the calendar has none of its own.')
output CALENDAR_APP_NAME string = calendarApp ? calendarAppName : ''

@description('Address of the app of the calendar itself; empty: the calendar has none of its own.')
output CALENDAR_APP_URL string = calendarApp ? 'https://${calendar.?outputs.hostName ?? ''}' : ''

@description('Name of your own for the app that callers reach, which is that of the calendar where it has one; empty: none.')
output CUSTOM_DOMAIN string = domainName

@description('What the TXT record asuid of a name of your own must have, for the app that callers reach.')
output DOMAIN_VERIFICATION_ID string = calendar.?outputs.verificationId ?? blue.outputs.verificationId

@description('Address of the API for clients, with the base path.')
output API_BASE_URL string = apiUrl

@description('Client id of the API: the audience of its tokens.')
output API_CLIENT_ID string = apiClientId

@description('Origins whose pages may call the app from a browser; *: all.')
output CORS_ORIGINS string[] = corsOrigins

@description('Name of the gateway; empty: none.')
output GATEWAY_NAME string = gatewayEnabled ? gatewayName : ''

@description('Name of the SQL server, without its domain.')
output SQL_SERVER_NAME string = sqlServerName

@description('Resource group of the SQL server.')
output SQL_SERVER_RESOURCE_GROUP string = empty(existingSqlServerId) ? groupName : split(existingSqlServerId, '/')[4]

@description('Host name of the SQL server.')
output DB_SERVER string = sqlHostName

@description('Name of the main database.')
output DB_NAME string = mainDatabaseName

@description('Name of the customization database.')
output DB_CUSTOMIZATION_NAME string = customizationDatabaseName

@description('Account of the service in tUserSettings of the main database.')
output SERVICE_API_USERNAME string = serviceApiUsername

@description('Numbers of the kinds of objects.')
output OBJECT_TYPES string = objectTypes

@description('Kinds of objects whose metadata is served.')
output OBJECT_METADATA string = objectMetadata

@description('Path of the calendar API below the base path.')
output CALENDAR_BASE_PATH string = calendarBasePath

@description('Address of the calendar in its table, for backups.')
output CALENDAR_PLACE string = '${storage.outputs.tableEndpoint}${calendarTableName}/${calendarName}'

@description('Address of the pictures of the calendar, for backups.')
output PICTURES_PLACE string = '${storage.outputs.blobEndpoint}pictures/${calendarName}'

@description('Address of the blob service for backups of pictures; empty: none.')
output BACKUP_BLOB_URL string = backup.?outputs.blobEndpoint ?? ''

@description('Address of the account for backups of the calendar; empty: none.')
output BACKUP_ACCOUNT_URL string = backup.?outputs.tableEndpoint ?? ''

@description('Client id of the identity that writes backups; empty: none.')
output BACKUP_IDENTITY_CLIENT_ID string = backup.?outputs.clientId ?? ''

@description('Name of the identity of the app; also its user name in the databases.')
output RUNTIME_IDENTITY_NAME string = identityName

@description('Client id of the identity of the app.')
output RUNTIME_IDENTITY_CLIENT_ID string = identity.outputs.runtimeClientId

@description('Name of the identity of the pipeline; empty: none.')
output PIPELINE_IDENTITY_NAME string = empty(githubRepository) ? '' : pipelineIdentityName

@description('Client id of the identity of the pipeline; empty: none.')
output PIPELINE_IDENTITY_CLIENT_ID string = identity.outputs.pipelineClientId

@description('Object id of the identity of the pipeline; empty: none.')
output PIPELINE_IDENTITY_PRINCIPAL_ID string = identity.outputs.pipelinePrincipalId

@description('Label of the runner inside of the network, for the variable of the repository RUNNER_ and the name of the environment; empty: none.')
output RUNNER_LABEL string = runnerEnabled ? runnerLabel : ''

@description('What is set of each app, its name, its identities and its properties: npm run deploy -- drift compares it with Azure.')
output APP_CONFIGURATION { name: string, identity: object, properties: object }[] = concat(
  blue.outputs.configuration,
  green.?outputs.configuration ?? [],
  calendar.?outputs.configuration ?? []
)

@description('True: the role assignments were created; false: someone with the right to assign roles must create them.')
output ROLE_ASSIGNMENTS_CREATED bool = createRoleAssignments

@description('Every role assignment of the deployment: scope, role id, object id of the principal, reason.')
output ROLE_ASSIGNMENTS { scope: string, role: string, principalId: string, reason: string }[] = concat(
  access.outputs.roleAssignments,
  blue.outputs.roleAssignments,
  green.?outputs.roleAssignments ?? [],
  calendar.?outputs.roleAssignments ?? [],
  gateway.?outputs.roleAssignments ?? [],
  runnerAccess.?outputs.roleAssignments ?? [],
  backup.?outputs.roleAssignments ?? []
)
