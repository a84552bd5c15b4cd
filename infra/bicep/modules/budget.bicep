// A monthly budget of the resource group: a message at 80 and 100 % spent, and when 100 % is foreseen.

@description('Name of the budget.')
param name string

@description('Amount a month, in the currency of the subscription.')
param amount int

@description('First day of the budget, yyyy-MM-01; empty: of the current month.')
param startDate string

@description('First day of the current month. Never given: computed when the deployment starts.')
param currentMonth string = utcNow('yyyy-MM-01')

@description('E-mail addresses that are told; the owners of the resource group are told in any case.')
param emails string[]

resource budget 'Microsoft.Consumption/budgets@2024-08-01' = {
  name: name
  properties: {
    category: 'Cost'
    amount: amount
    timeGrain: 'Monthly'
    timePeriod: { startDate: empty(startDate) ? currentMonth : startDate }
    notifications: {
      spent80: {
        enabled: true
        operator: 'GreaterThanOrEqualTo'
        threshold: 80
        thresholdType: 'Actual'
        contactEmails: emails
        contactRoles: ['Owner']
      }
      spent100: {
        enabled: true
        operator: 'GreaterThanOrEqualTo'
        threshold: 100
        thresholdType: 'Actual'
        contactEmails: emails
        contactRoles: ['Owner']
      }
      foreseen100: {
        enabled: true
        operator: 'GreaterThanOrEqualTo'
        threshold: 100
        thresholdType: 'Forecasted'
        contactEmails: emails
        contactRoles: ['Owner']
      }
    }
  }
}
