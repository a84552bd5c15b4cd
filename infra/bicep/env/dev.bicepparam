// Development: costs little when idle, and can be thrown away.
using '../main.bicep'

param environmentName = readEnvironmentVariable('AZURE_ENV_NAME', 'dev')
param location = readEnvironmentVariable('AZURE_LOCATION')
param apiClientId = readEnvironmentVariable('API_CLIENT_ID')
param sqlAdministratorLogin = readEnvironmentVariable('SQL_ADMINISTRATOR_LOGIN')
param sqlAdministratorObjectId = readEnvironmentVariable('SQL_ADMINISTRATOR_OBJECT_ID')
param sqlAdministratorType = readEnvironmentVariable('SQL_ADMINISTRATOR_TYPE', 'Group')
param serviceApiUsername = readEnvironmentVariable('SERVICE_API_USERNAME')
param calendarSiteUrl = readEnvironmentVariable('CALENDAR_SITE_URL')

param instanceMemoryMB = 512
param maximumInstanceCount = 10
param databaseSku = 'GP_S_Gen5_1'
param databaseAutoPauseMinutes = 60
param databaseMaxSizeGB = 2
param backupRetentionDays = 1
param dailyLogQuotaGB = 1
param monthlyBudget = 20
