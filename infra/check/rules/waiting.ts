import type { Finding, Project } from '../model.ts';
import { declaredLines } from '../plan/declared.ts';

/** What must be there before: by module and symbol, in each stack. */
const before: Readonly<Record<string, readonly string[]>> = {
  // Its roles and the private addresses: the app's first calls are refused, or resolve to the internet, without.
  'bicep main: blue': ['access', 'data_endpoints'],
  'bicep main: green': ['access', 'data_endpoints'],
  'terraform main: blue': ['access', 'data_endpoints'],
  'terraform main: green': ['access', 'data_endpoints'],
  'bicep calendar-app: app': ['access', 'host_endpoint'],
  'terraform calendar-app: app': ['access', 'host_endpoint'],
  'bicep main: calendar': ['data_endpoints'],
  'terraform main: calendar': ['data_endpoints'],
  // The platform reads the secret when the job is made.
  'bicep main: runner_job': ['runner_access'],
  'terraform main: runner_job': ['runner_access'],
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
  const lines = declaredLines(project);
  return Object.entries(before).flatMap(([place, dependencies]) => {
    const found = lines.get(`${place} waits for`)?.split(', ') ?? [];
    return dependencies
      .filter((other) => !found.includes(other))
      .map((other) => ({
        file: `infra/${place.split(' ')[0]}`,
        message: `${place} does not wait for ${other}`,
      }));
  });
}
