import { describe, expect, test } from 'vitest';
import { checkRules } from '../../../scripts/check-infra/layers.ts';
import { readFiles } from '../../../scripts/check-infra/project.ts';
import { rules } from '../../../scripts/check-infra/rules/index.ts';
import { resourceProviders } from '../../../scripts/deploy/stacks/bicep.ts';

const files = readFiles();

/** What the rules say after a text in one file was replaced by another. */
async function faultsAfter(file: string, from: string, to: string): Promise<readonly string[]> {
  const text = files.get(file);
  if (!text?.includes(from)) throw new Error(`${file} does not contain ${from}`);
  return (await checkRules(new Map(files).set(file, text.replace(from, to)))).faults;
}

const bicep = (name: string) => `infra/bicep/${name}.bicep`;
const terraform = (name: string) => `infra/terraform/${name}.tf`;

test('the templates as they are have no fault', async () => {
  expect((await checkRules(files)).faults).toEqual([]);
});

describe('a fault is found:', () => {
  const cases: [what: string, file: string, from: string, to: string, rule: string, message: RegExp][] = [
    [
      'Bicep that cannot be parsed',
      bicep('modules/budget'),
      'timePeriod: {',
      'timePeriod {',
      '',
      /budget\.bicep: line \d+ is not Bicep/,
    ],
    [
      'HCL that cannot be parsed',
      terraform('modules/budget/main'),
      'time_period {',
      'time_period {{',
      '',
      /budget/,
    ],
    [
      'a parameter without description',
      terraform('modules/budget/variables'),
      'description = "Name of the budget."',
      '',
      'descriptions',
      /name has no description/,
    ],
    [
      'an unused parameter in Bicep',
      bicep('modules/budget'),
      'amount: amount',
      'amount: 5',
      'names',
      /amount is declared and never used/,
    ],
    [
      'an unused variable in Terraform',
      terraform('modules/budget/main'),
      'var.amount',
      '5',
      'names',
      /var\.amount is declared and never used/,
    ],
    [
      'an undeclared variable in Terraform',
      terraform('modules/budget/main'),
      'var.amount',
      'var.sum',
      'names',
      /var\.sum is not declared/,
    ],
    [
      'a module that is not given a parameter',
      bicep('main'),
      '    amount: monthlyBudget\n',
      '',
      'module-calls',
      /module budget is not given amount/,
    ],
    [
      'a module that is given an unknown parameter',
      terraform('main'),
      'amount            = var.monthly_budget',
      'amount = var.monthly_budget\n sum = 1',
      'module-calls',
      /module budget is given sum/,
    ],
    [
      'an output that does not exist',
      bicep('main'),
      'blue.outputs.hostName',
      'blue.outputs.host',
      'module-calls',
      /blue has no output host/,
    ],
    [
      'a resource type that does not exist',
      bicep('modules/budget'),
      'Microsoft.Consumption/budgets@',
      'Microsoft.Consumption/budget@',
      'resource-types',
      /no resource type Microsoft\.Consumption\/budget$/,
    ],
    [
      'another API version',
      bicep('modules/app'),
      'serverfarms@2025-03-01',
      'serverfarms@2022-03-01',
      'resource-types',
      /API version 2022-03-01; it should be 2025-03-01/,
    ],
    [
      'a misspelt property',
      bicep('modules/monitoring'),
      'retentionInDays:',
      'retentionDays:',
      'resource-types',
      /has no property retentionDays/,
    ],
    [
      'a misspelt property of an azapi body',
      terraform('modules/app/main'),
      'httpsOnly  ',
      'httpOnly  ',
      'resource-types',
      /has no property httpOnly/,
    ],
    [
      'a missing property',
      bicep('modules/budget'),
      "    timeGrain: 'Monthly'\n",
      '',
      'resource-types',
      /lacks timeGrain/,
    ],
    [
      'a value that Azure does not know',
      bicep('modules/budget'),
      "timeGrain: 'Monthly'",
      "timeGrain: 'Weekly'",
      'resource-types',
      /timeGrain is 'Weekly'; it must be one of/,
    ],
    [
      'a text where a truth value belongs',
      bicep('modules/monitoring'),
      'disableLocalAuth: true',
      "disableLocalAuth: 'true'",
      'resource-types',
      /disableLocalAuth must be true or false/,
    ],
    [
      'an argument that the provider dropped',
      terraform('modules/monitoring/main'),
      'daily_quota_gb  ',
      'daily_cap_gb  ',
      'terraform-arguments',
      /has no argument daily_cap_gb/,
    ],
    [
      'a missing argument in a block',
      terraform('modules/database/main'),
      '    object_id                   = var.administrator_object_id\n',
      '',
      'terraform-arguments',
      /azuread_administrator lacks object_id/,
    ],
    [
      'a value that the provider does not know',
      terraform('modules/app/main'),
      'os_type                = "Linux"',
      'os_type = "Unix"',
      'terraform-arguments',
      /os_type is "Unix"; it must be one of/,
    ],
    [
      'a setting that Flex Consumption rejects, in Bicep',
      bicep('main'),
      "  DB_ENCRYPT: 'true'",
      "  DB_ENCRYPT: 'true'\n  FUNCTIONS_WORKER_RUNTIME: 'node'",
      'flex-consumption',
      /FUNCTIONS_WORKER_RUNTIME must not be set/,
    ],
    [
      'a setting that Flex Consumption rejects, in Terraform',
      terraform('main'),
      '    AZURE_CLIENT_ID ',
      '    WEBSITE_RUN_FROM_PACKAGE = "1"\n    AZURE_CLIENT_ID ',
      'flex-consumption',
      /WEBSITE_RUN_FROM_PACKAGE must not be set/,
    ],
    [
      'a plain AzureWebJobsStorage',
      terraform('main'),
      '    AZURE_CLIENT_ID ',
      '    AzureWebJobsStorage = ""\n    AZURE_CLIENT_ID ',
      'flex-consumption',
      /the setting AzureWebJobsStorage must not be set/,
    ],
    [
      'a siteConfig property that Flex Consumption rejects',
      bicep('modules/app'),
      'http20Enabled: true',
      'http20Enabled: true\n      alwaysOn: true',
      'flex-consumption',
      /rejects alwaysOn \(51021\)/,
    ],
    [
      'the Terraform resource that adds AzureWebJobsStorage',
      terraform('modules/budget/main'),
      'resource "azurerm_consumption_budget_resource_group"',
      'resource "azurerm_function_app_flex_consumption"',
      'flex-consumption',
      /keyless AzureWebJobsStorage/,
    ],
    [
      'another runtime',
      bicep('modules/app'),
      "name: 'node'",
      "name: 'python'",
      'flex-consumption',
      /runtime\.name must be node/,
    ],
    [
      'a deployment with a connection string',
      terraform('modules/app/main'),
      '"UserAssignedIdentity"\n              user',
      '"StorageAccountConnectionString"\n              user',
      'flex-consumption',
      /authentication\.type must be UserAssignedIdentity/,
    ],
    [
      'a parameter for a secret',
      bicep('main'),
      'param serviceApiUsername string',
      "param serviceApiUsername string\n\n@description('x')\nparam clientSecret string",
      'secrets',
      /client_secret sounds like a secret/,
    ],
    [
      'an output with a key',
      terraform('modules/storage/outputs'),
      'azurerm_storage_account.data.primary_table_endpoint',
      'azurerm_storage_account.data.primary_access_key',
      'secrets',
      /"primary_access_key" reads or sets a secret/,
    ],
    [
      'a call that lists keys',
      bicep('modules/storage'),
      'dataAccount.properties.primaryEndpoints.table',
      'dataAccount.listKeys().keys[0].value',
      'secrets',
      /"listKeys" reads or sets a secret/,
    ],
    [
      'an SQL administrator with a password',
      terraform('modules/database/main'),
      'version                                  = "12.0"',
      'version = "12.0"\n  administrator_login_password = "x"',
      'secrets',
      /administrator_login_password/,
    ],
    [
      'shared keys, in Bicep',
      bicep('modules/storage'),
      'allowSharedKeyAccess: false',
      'allowSharedKeyAccess: true',
      'security',
      /allowSharedKeyAccess is true; it must be false/,
    ],
    [
      'shared keys, in Terraform',
      terraform('modules/storage/main'),
      'shared_access_key_enabled        = false',
      'shared_access_key_enabled = true',
      'security',
      /shared_access_key_enabled is true/,
    ],
    [
      'SQL logins',
      terraform('modules/database/main'),
      'azuread_authentication_only = true',
      'azuread_authentication_only = false',
      'security',
      /azuread_authentication_only is false/,
    ],
    [
      'keys for telemetry',
      bicep('modules/monitoring'),
      '    DisableLocalAuth: true\n',
      '',
      'security',
      /DisableLocalAuth is nothing; it must be true/,
    ],
    [
      'a firewall open to the world',
      bicep('modules/database'),
      "endIpAddress: '0.0.0.0'",
      "endIpAddress: '255.255.255.255'",
      'security',
      /endIpAddress is "255/,
    ],
    [
      'tokens of version 1',
      bicep('entra/main'),
      'requestedAccessTokenVersion: 2',
      'requestedAccessTokenVersion: 1',
      'security',
      /requestedAccessTokenVersion is 1; it must be 2/,
    ],
    [
      'an unknown role id',
      bicep('modules/access'),
      'b7e6dc6d',
      'b7e6dc6e',
      'role-assignments',
      /hostBlobs has an unknown role id/,
    ],
    [
      'a role that is too broad',
      terraform('modules/access/main'),
      'b7e6dc6d-f1e8-4753-8033-0f276bb0955b',
      '8e3af657-a8ff-443c-a75c-2fe8c4bcb635',
      'role-assignments',
      /gives Owner, which is too much/,
    ],
    [
      'roles that differ between the stacks',
      terraform('modules/access/main'),
      '0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3',
      '76199698-9eea-4c19-bc75-cec21354c6b6',
      'role-assignments',
      /lacks the role assignment calendar_table: 0a9a7e1f/,
    ],
    [
      'a role assignment without its reason',
      bicep('modules/access'),
      '// The app sends telemetry; ingestion accepts Entra identities only.\n',
      '',
      'role-assignments',
      /telemetry has no comment with its reason/,
    ],
    [
      'a role assignment without the switch',
      bicep('modules/gateway'),
      '= if (createRoleAssignments) {',
      '= {',
      'role-assignments',
      /created even when createRoleAssignments is false/,
    ],
    [
      'a role assignment without the kind of its principal',
      terraform('modules/gateway/main'),
      '  principal_type     = "ServicePrincipal"\n',
      '',
      'role-assignments',
      /must say that its principal is a ServicePrincipal/,
    ],
    [
      'a setting that is missing',
      bicep('main'),
      "  DB_ENCRYPT: 'true'\n",
      '',
      'settings',
      /does not set DB_ENCRYPT/,
    ],
    [
      'a setting that nothing reads',
      terraform('main'),
      '    AZURE_CLIENT_ID ',
      '    DB_SEVER = "x"\n    AZURE_CLIENT_ID ',
      'settings',
      /sets DB_SEVER, which nothing reads/,
    ],
    [
      'a secret among the settings',
      bicep('main'),
      "  DB_ENCRYPT: 'true'",
      "  DB_ENCRYPT: 'true'\n  DB_PASSWORD: 'x'",
      'settings',
      /sets DB_PASSWORD, which nothing reads/,
    ],
    [
      'a base path other than the route prefix',
      terraform('main'),
      '= "/api"',
      '= "/v1"',
      'settings',
      /the base path is "\/v1"; host\.json has the route prefix api/,
    ],
    [
      'another Node in the templates',
      bicep('main'),
      "nodeVersion string = '24'",
      "nodeVersion string = '22'",
      'node-version',
      /node_version is 22; \.nvmrc has 24/,
    ],
    ['another Node in .nvmrc', '.nvmrc', '24', '26', 'node-version', /engines\.node is 24; \.nvmrc has 26/],
    [
      'a policy that checks no token',
      'infra/gateway/policy.xml',
      '<validate-azure-ad-token',
      '<validate-jwt',
      'gateway-policy',
      /checks no token/,
    ],
    [
      'a policy that is not well-formed',
      'infra/gateway/policy.xml',
      '</inbound>',
      '',
      'gateway-policy',
      /closes another element/,
    ],
    [
      'a policy with a bare ampersand',
      'infra/gateway/policy.xml',
      'Accept-Language',
      'Accept & Language',
      'gateway-policy',
      /is not well-formed/,
    ],
    [
      'a refusal that is no problem+json',
      'infra/gateway/policy.xml',
      'application/problem+json',
      'text/plain',
      'gateway-policy',
      /a refusal \(413\) is not application\/problem\+json/,
    ],
    [
      'a policy value that a stack does not give',
      terraform('modules/gateway/main'),
      'GREEN_SHARE ',
      'GREEN ',
      'gateway-policy',
      /infra\/terraform gives no value for GREEN_SHARE/,
    ],
    [
      'a resource of one stack only',
      terraform('modules/storage/main'),
      'resource "azurerm_management_lock" "data" {',
      'resource "azurerm_storage_queue" "data" {',
      'resource-pairs',
      /lacks azurerm_management_lock of infra\/bicep/,
    ],
    [
      'the Graph extension that was retired',
      bicep('entra/main'),
      'extension microsoftGraphV1',
      'extension microsoftGraph',
      'pins',
      /the extension microsoftGraph is not microsoftGraphV1/,
    ],
    [
      'an extension without its version',
      'infra/bicep/bicepconfig.json',
      'v1.0:1.0.0',
      'v1.0:latest',
      'pins',
      /not pinned to microsoftgraph/,
    ],
    [
      'a provider of another version',
      terraform('modules/storage/main'),
      '~> 5.2',
      '~> 4.0',
      'pins',
      /azurerm is pinned to ~> 4\.0; the facts are about ~> 5\.2/,
    ],
    [
      'a profile that sets what there is not',
      'infra/bicep/env/prod.bicepparam',
      'param deleteLocks',
      'param deleteLock',
      'module-calls',
      /profile prod: sets delete_lock, which there is not/,
    ],
    [
      'a profile that leaves out what must be given',
      'infra/bicep/env/dev.bicepparam',
      "param location = readEnvironmentVariable('AZURE_LOCATION')",
      '',
      'module-calls',
      /profile dev: does not set location/,
    ],
    [
      'a parameter of one stack only',
      terraform('variables'),
      'variable "email_claim"',
      'variable "mail_claim"',
      'parity',
      /lacks the parameter email_claim/,
    ],
    [
      'a default that differs',
      terraform('variables'),
      'default     = "UTC"',
      'default = "CET"',
      'parity',
      /the default of calendar_time_zone is "CET"; in Bicep "UTC"/,
    ],
    [
      'allowed values that differ',
      terraform('variables'),
      '["Recreate", "RollingUpdate"]',
      '["Recreate"]',
      'parity',
      /values allowed for update_strategy differ/,
    ],
    [
      'a type that differs',
      terraform('modules/budget/variables'),
      'type        = number',
      'type = string',
      'parity',
      /the type of amount is string; in Bicep number/,
    ],
    [
      'an output of one stack only',
      terraform('modules/app/outputs'),
      'output "host_name"',
      'output "hostname"',
      'parity',
      /lacks the output host_name/,
    ],
    [
      'a value that differs',
      terraform('main'),
      'DB_TRUSTED_CONNECTION       = "true"',
      'DB_TRUSTED_CONNECTION = "false"',
      'parity',
      /DB_TRUSTED_CONNECTION is "false"; in Bicep "true"/,
    ],
    [
      'an expression that differs',
      terraform('main'),
      'DB_SERVER                   = module.database.server_host_name',
      'DB_SERVER = module.database.server_id',
      'parity',
      /DB_SERVER is module\.database\.server_id/,
    ],
    [
      'log categories that differ',
      terraform('modules/database/main'),
      'category = "Deadlocks"',
      'category = "SQLInsights"',
      'parity',
      /diagnostic settings collect/,
    ],
    [
      'profiles that differ',
      'infra/terraform/env/dev.tfvars',
      'monthly_budget              = 20',
      'monthly_budget = 30',
      'parity',
      /monthly_budget=30.*in Bicep.*monthly_budget=20/,
    ],
  ];

  test.each(cases)('%s', async (_, file, from, to, rule, message) => {
    const faults = await faultsAfter(file, from, to);
    const expected = faults.filter((fault) => rule === '' || fault.endsWith(`(${rule})`));
    expect(expected.map((fault) => fault.replace(/ \([\w-]+\)$/, ''))).toContainEqual(
      expect.stringMatching(message),
    );
  });

  test('every rule has a case', () => {
    const covered = new Set(cases.map(([, , , , rule]) => rule));
    expect(Object.keys(rules).filter((rule) => !covered.has(rule))).toEqual([]);
  });
});

test('both stacks register the same resource providers', () => {
  const list = /resource_providers_to_register = \[([^\]]*)\]/.exec(
    files.get('infra/terraform/versions.tf') ?? '',
  );
  const inTerraform = [...(list?.[1] ?? '').matchAll(/"([\w.]+)"/g)].map(([, name]) => name);
  expect(inTerraform.sort()).toEqual([...resourceProviders].sort());
});

test('a setting of config.ts that is gone must leave the list of those not for Azure', async () => {
  const { readProject } = await import('../../../scripts/check-infra/project.ts');
  const project = await readProject(files, ['DB_SERVER']);
  expect(rules['settings']?.(project)).toContainEqual({
    file: 'infra/facts/not-for-azure.json',
    message: 'DB_PASSWORD is no longer a setting',
  });
});
