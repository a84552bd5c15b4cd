// For azd, and for whoever keeps values in environment variables. env/ has the profiles for dev and prod.
using './main.bicep'

param environmentName = readEnvironmentVariable('AZURE_ENV_NAME')
param location = readEnvironmentVariable('AZURE_LOCATION')
param apiClientId = readEnvironmentVariable('API_CLIENT_ID')
param sqlAdministratorLogin = readEnvironmentVariable('SQL_ADMINISTRATOR_LOGIN')
param sqlAdministratorObjectId = readEnvironmentVariable('SQL_ADMINISTRATOR_OBJECT_ID')
param sqlAdministratorType = readEnvironmentVariable('SQL_ADMINISTRATOR_TYPE', 'Group')
param serviceApiUsername = readEnvironmentVariable('SERVICE_API_USERNAME')
param calendarSiteUrl = readEnvironmentVariable('CALENDAR_SITE_URL')
