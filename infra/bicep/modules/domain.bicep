// A name of one's own at the app that callers reach: its certificate, and the binding of the two. The name itself must be bound to the app
// before (`npm run deploy -- provision` does so, az functionapp config hostname add elsewhere): Azure issues a certificate for bound names
// only, and binding a name anew would take its certificate away for a while.

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags object

@description('Name of the app.')
param appName string

@description('Host name that callers use.')
param name string

@description('Resource id of the key vault that has the certificate; empty: Azure issues and renews one.')
param keyVaultId string

@description('Name of the certificate in the key vault; empty: Azure issues and renews one.')
param certificateName string

resource site 'Microsoft.Web/sites@2025-03-01' existing = {
  name: appName
}

resource certificate 'Microsoft.Web/sites/certificates@2025-03-01' = {
  parent: site
  name: replace(name, '.', '-')
  location: location
  tags: tags
  properties: empty(keyVaultId)
    ? { canonicalName: name }
    : { keyVaultId: keyVaultId, keyVaultSecretName: certificateName }
}

resource binding 'Microsoft.Web/sites/hostNameBindings@2025-03-01' = {
  parent: site
  name: name
  properties: {
    hostNameType: 'Verified'
    customHostNameDnsRecordType: 'CName'
    sslState: 'SniEnabled'
    thumbprint: certificate.properties.thumbprint
  }
}
