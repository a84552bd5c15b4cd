/** What Azure, its command line and Terraform say when they refuse something, in their words, and the hint that a person gets. */

import { describe, expect, test } from 'vitest';
import { ToolFailure } from '../../../../infra/deploy/context.ts';
import { classify, hintFor, hints } from '../../../../infra/deploy/hints.ts';
import { executeTool } from '../../../../infra/deploy/tools.ts';

const refusals: readonly (readonly [said: string, hint: RegExp])[] = [
  [
    'AADSTS700082: The refresh token has expired due to inactivity. Interactive authentication is needed. Please run:\naz login',
    /run az login/,
  ],
  ["Please run 'az login' to setup account.", /run az login/],
  [
    "AADSTS700213: No matching federated identity record found for presented assertion subject 'repo:Town@1/Calendar@2:environment:prod'.",
    /npm run deploy -- identities/,
  ],
  ['AADSTS70021: No matching federated identity record found for presented assertion.', /identities/],
  [
    "(RequestDisallowedByPolicy) Resource 'stdata' was disallowed by policy. Policy identifiers: 'Allowed locations'.",
    /exemption/,
  ],
  [
    'RoleAssignmentUpdateNotPermitted: Tenant ID, application ID, principal ID, and scope are not allowed to be updated.',
    /identity not found/,
  ],
  [
    'RoleAssignmentExists: The role assignment already exists. The ID of the existing role assignment is 7d6c83d5.',
    /az role assignment delete --ids/,
  ],
  [
    "ScopeLocked: The scope '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/st/providers/Microsoft.Authorization/roleAssignments/1' cannot perform delete operation because following scope(s) are locked",
    /deploy -- revoke/,
  ],
  [
    "AuthorizationFailed: The client 'a@example.org' does not have authorization to perform action 'Microsoft.Authorization/roleAssignments/write' over scope '/subscriptions/s'",
    /createRoleAssignments=false/,
  ],
  [
    "The client 'a@example.org' does not have authorization to perform action 'Microsoft.Authorization/locks/write' over scope '/subscriptions/s'",
    /deleteLocks=false|Locks Contributor/,
  ],
  [
    "(AuthorizationFailed) The client does not have authorization to perform action 'Microsoft.Web/sites/write' over scope '/subscriptions/s'",
    /docs\/reference\.md/,
  ],
  ['Insufficient privileges to complete the operation.', /docs\/reference\.md/],
  [
    "InvalidDeploymentLocation: Invalid deployment location 'westeurope'. The deployment 'records-dev' already exists in location 'northeurope'.",
    /another region/,
  ],
  [
    "RegionDoesNotAllowProvisioning: Location 'West Europe' is not accepting creation of new Windows Azure SQL Database servers.",
    /smaller size/,
  ],
  [
    '(400) Start date of budget cannot be changed. Budget start date should be 2026-01-01.',
    /budgetStartDate=/,
  ],
  ['StorageAccountAlreadyTaken: The storage account named stdata is already taken.', /resourceNames/],
  ["WebsiteNameNotAvailable: The website name 'func-dev' is not available.", /resourceNames/],
  [
    "PropertyChangeNotAllowed: Changing property 'collation' is not allowed for existing database.",
    /value that it has/,
  ],
  [
    'Error: A resource with the ID "/subscriptions/s/resourceGroups/rg" already exists - to be managed via Terraform this resource needs to be imported into the State.',
    /--backend-config/,
  ],
  ['SubscriptionIsOverQuotaForSku: This region has quota of 0 instances for your subscription.', /quota/],
  ['Error: Error acquiring the state lock. Lock Info: ID: 1234', /force-unlock/],
  [
    '(AuthorizationFailure) This request is not authorized to perform this operation. 403',
    /A firewall refuses/,
  ],
  ['status 403 (Ip Forbidden): 403 - Forbidden', /A firewall refuses/],
  ['Error 403 - Forbidden. The web app you have attempted to reach has blocked your access.', /A firewall/],
  [
    "(RequestDisallowedByPolicy) Resource 'stdata' was disallowed by policy 'no-public-access'. 'path':'properties.publicNetworkAccess'",
    /exemption/,
  ],
  [
    "LocationNotAvailableForResourceGroup: The provided location 'westeurop' is not available for resource group.",
    /another region/,
  ],
  [
    "MissingSubscriptionRegistration: The subscription is not registered to use namespace 'Microsoft.App'.",
    /az provider register/,
  ],
  [
    'ServiceAlreadyExistsInSoftDeletedState: Api service apim-dev was soft-deleted.',
    /az apim deletedservice purge/,
  ],
  [
    '(BadRequest) A TXT record pointing from asuid.events.example.org to 0123ABCD was not found.',
    /step domain prints them/,
  ],
  ["Hostname events.example.org has not been verified to be this subscription's.", /step domain prints them/],
];

describe('a refusal', () => {
  test.each(refusals)('%s', (said, hint) => {
    expect(hintFor(`ERROR: ${said}\nCorrelation id: 0503-403-502`)).toMatch(hint);
    expect(classify(said)).toBe('final');
  });

  test('of every kind that has a hint is among these', () => {
    const met = new Set(refusals.map(([said]) => hintFor(said)));
    expect(hints.filter((hint) => !met.has(hint))).toEqual([]);
  });

  test.each([
    '(InternalServerError) 500, target: /subscriptions/s/resourceGroups/rg/providers/Microsoft.Insights/scheduledQueryRules/dev-log-quota-used-up',
    'Error: unexpected status 429: module.alerts.azurerm_monitor_scheduled_query_rules_alert_v2.main["log-quota-used-up"]',
    '(Conflict) target: /subscriptions/s/x/providers/Microsoft.Authorization/locks/keep-calendar',
    'Error: 500: body: { "publicNetworkAccess": "Disabled", "daily_quota_gb": 1 }',
  ])('is not told by the name of what it is about: %s', (said) => {
    expect([hintFor(said), classify(said)]).toEqual([undefined, 'unknown']);
  });

  test('that nobody knows has no hint', () => {
    expect(hintFor('InvalidTemplate: Deployment template validation failed.')).toBeUndefined();
  });

  test('is told by what a tool complains of, not by the plan that it has written before', async () => {
    const plan = '+ daily_quota_gb = 10, status in (401, 403), DeploymentActive';
    const how = { environment: {}, show: false, minutes: 1, signal: undefined };
    const failure = await executeTool(
      'sh',
      ['-c', `echo '${plan}'; echo 'Error: odd' >&2; exit 1`],
      how,
    ).catch((error: unknown) => error);
    const complaint = failure instanceof ToolFailure ? failure.complaint : '';
    expect([complaint, hintFor(complaint), classify(complaint)]).toEqual([
      'Error: odd\n',
      undefined,
      'unknown',
    ]);
  });
});
