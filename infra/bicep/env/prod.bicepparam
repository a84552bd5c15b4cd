// Production: always on, locked against deletion. Switch on zoneRedundant, privateNetworking and a gateway as needed.
using '../main.bicep'

param environmentName = readEnvironmentVariable('AZURE_ENV_NAME', 'prod')
param location = readEnvironmentVariable('AZURE_LOCATION')
param apiClientId = readEnvironmentVariable('API_CLIENT_ID')
param sqlAdministratorLogin = readEnvironmentVariable('SQL_ADMINISTRATOR_LOGIN')
param sqlAdministratorObjectId = readEnvironmentVariable('SQL_ADMINISTRATOR_OBJECT_ID')
param sqlAdministratorType = readEnvironmentVariable('SQL_ADMINISTRATOR_TYPE', 'Group')
param serviceApiUsername = readEnvironmentVariable('SERVICE_API_USERNAME')
param calendarSiteUrl = readEnvironmentVariable('CALENDAR_SITE_URL')

param instanceMemoryMB = 2048
param maximumInstanceCount = 40
param alwaysReadyInstances = 1
param databaseSku = 'S0'
param databaseMaxSizeGB = 50
param backupRetentionDays = 35
param logRetentionDays = 90
param dailyLogQuotaGB = 10
param monthlyBudget = 200
param deleteLocks = true
