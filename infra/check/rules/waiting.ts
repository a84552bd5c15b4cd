import { snakeCase } from '../../deploy/parameters.ts';
import { type Finding, type Project, templates } from '../model.ts';
import { plannedStacks } from '../plan/sets.ts';

const inBoth = (place: string, names: readonly string[]) => ({
  [`bicep ${place}`]: names,
  [`terraform ${place}`]: names,
});

/** What must be there before: by module and symbol, in each stack. */
const before: Readonly<Record<string, readonly string[]>> = {
  // The roles of the app and the private addresses. Without them, its first calls are refused, or resolve to the internet.
  ...inBoth('main: blue', ['access', 'data_endpoints']),
  ...inBoth('main: green', ['access', 'data_endpoints']),
  ...inBoth('calendar-app: app', ['access', 'host_endpoint']),
  ...inBoth('main: calendar', ['data_endpoints']),
  // The platform reads the secret when the job is made.
  ...inBoth('main: runner_job', ['runner_access']),
  // A name and its certificate are those of an app.
  ...inBoth('main: domain', ['blue', 'calendar']),
  // The policy names backends, which the service looks up when it is set.
  'bicep gateway: api_policy': ['backends'],
  'terraform gateway: azurerm_api_management_api_policy.main': ['azurerm_api_management_backend.main'],
  // Subnets of one network are changed one after the other.
  'bicep network: endpoint_subnet': ['app_subnet'],
  'bicep network: outbound_gateway_subnet': ['endpoint_subnet'],
  'bicep network: inside_runner_subnet': ['outbound_gateway_subnet', 'endpoint_subnet'],
  'terraform network: azurerm_subnet.runner': ['azurerm_subnet.gateway', 'azurerm_subnet.endpoints'],
  'terraform network: azurerm_subnet.endpoints': ['azurerm_subnet.app'],
  'terraform network: azurerm_subnet.gateway': ['azurerm_subnet.endpoints'],
  // Diagnostics and audit of master, which the server makes by itself.
  'bicep database: auditing': ['databases'],
  'bicep database: audit_diagnostics': ['databases', 'auditing'],
  'terraform database: azurerm_mssql_server_extended_auditing_policy.main': ['azurerm_mssql_database.main'],
  'terraform database: azurerm_monitor_diagnostic_setting.audit': [
    'azurerm_mssql_database.main',
    'azurerm_mssql_server_extended_auditing_policy.main',
  ],
  // A lock keeps what is inside from being removed, so Terraform removes it first.
  'terraform database: azurerm_management_lock.databases': ['azurerm_monitor_diagnostic_setting.databases'],
  'terraform backup: azurerm_management_lock.main': ['azurerm_monitor_diagnostic_setting.main'],
  'terraform storage: azurerm_management_lock.data': [
    'azapi_resource.calendar',
    'azurerm_monitor_diagnostic_setting.data',
  ],
};

/** Things that need others wait for them. */
export function waiting(project: Project): Finding[] {
  const texts = templates(project);
  const missing = Object.entries(before).flatMap(([place, dependencies]) => {
    const [, stack = '', module = '', symbol = ''] = /^(\w+) ([\w-]+): (.*)$/.exec(place) ?? [];
    if (!plannedStacks.some((name) => name === stack)) return [];
    const path =
      module === 'main'
        ? `infra/${stack}/main.`
        : `infra/${stack}/modules/${module}${stack === 'bicep' ? '.' : '/main.'}`;
    const [file = path, text = ''] = texts.find(([name]) => name.startsWith(path)) ?? [];
    const names = namesIn(blockOf(stack, symbol, text));
    return dependencies
      .filter((other) => !names.includes(other))
      .map((other) => ({ file, message: `${place} does not wait for ${other}` }));
  });
  const textOf = (file: string) => texts.find(([name]) => name === file)?.[1] ?? '';
  return [
    ...missing,
    ...(plannedStacks.includes('bicep') ? [...early(textOf(main)), ...atOnce(textOf(endpoints))] : []),
    ...(plannedStacks.includes('terraform') ? earlyInTerraform(textOf(mainOfTerraform)) : []),
  ];
}

const endpoints = 'infra/bicep/modules/private-endpoints.bicep';

/** Private endpoints of one account are made one after the other. Terraform's provider tries again by itself. */
const atOnce = (text: string): Finding[] =>
  /^@batchSize\(1\)\nresource \w+ 'Microsoft\.Network\/privateEndpoints@/m.test(text)
    ? []
    : [{ file: endpoints, message: 'private endpoints of one account are made at once' }];

const main = 'infra/bicep/main.bicep';
const mainOfTerraform = 'infra/terraform/main.tf';

/** What is in the group waits for it by its name, which is read from the group where that is made. */
const earlyInTerraform = (text: string): Finding[] =>
  /^ {2}group_name +=.*azurerm_resource_group\.main\[0\]\.name/m.test(text) &&
  !/resource_group_name += (?!local\.group_name$)/m.test(text)
    ? []
    : [{ file: mainOfTerraform, message: 'what is in the resource group does not wait for it' }];

/** Modules of Bicep that are put into the group and do not wait until it is made. */
function early(text: string): Finding[] {
  const modules = [...text.matchAll(/^module (\w+) '[^']*' = (?:if \((.*)\) )?\{\n([\s\S]*?)^\}$/gm)].map(
    ([, name = '', condition = '', body = '']) => ({ name, condition, body }),
  );
  type Module = (typeof modules)[number];
  const uses = ({ body }: Module, other: string) =>
    new RegExp(`\\b${other}\\.\\??outputs|dependsOn: \\[[^\\]]*\\b${other}\\b`).test(body);
  // One that is not made is not waited for.
  const isThere = (module: Module, other: Module) =>
    other.condition === '' || module.condition.includes(other.condition);
  const waits = (module: Module, asked: readonly Module[]): boolean =>
    /dependsOn: \[[^\]]*\bgroup\b/.test(module.body) ||
    modules.some(
      (other) =>
        !asked.includes(other) &&
        uses(module, other.name) &&
        isThere(module, other) &&
        waits(other, [...asked, other]),
    );
  return modules
    .filter((module) => module.body.includes('resourceGroup(groupName)') && !waits(module, [module]))
    .map(({ name }) => ({ file: main, message: `the module ${name} does not wait for the resource group` }));
}

/** The text of a resource or module without its first line. */
function blockOf(stack: string, symbol: string, text: string): string {
  const blocks =
    stack === 'bicep'
      ? text.matchAll(/^(?:resource|module) (\w+) .*\n([\s\S]*?)^(?:\}|\])$/gm)
      : text.matchAll(/^(?:resource "(\w+)" "(\w+)"|module "(\w+)") \{\n([\s\S]*?)^\}$/gm);
  for (const [, ...groups] of blocks) {
    const body = groups.pop() ?? '';
    const name = groups.filter((group) => group !== undefined).join('.');
    if (snakeCase(name) === symbol || name === symbol) return body;
  }
  return '';
}

/** Every name in a text, and every pair of names with a dot between, in snake_case. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/g)].flatMap(([path]) => {
    const steps = path.split('.').map(snakeCase);
    return steps.flatMap((step, at) => [step, steps.slice(at, at + 2).join('.')]);
  });
