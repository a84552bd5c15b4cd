using './main.bicep'

param environmentName = readEnvironmentVariable('AZURE_ENV_NAME')
param deployedAs = readEnvironmentVariable('DEPLOYED_AS', '')
