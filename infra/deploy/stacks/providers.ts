/** The resource providers that the templates use. */

import type { Context } from '../context.ts';

/** Resource providers that a subscription must know. Microsoft.App is needed for the network and never there by default. */
export const resourceProviders = (
  'Microsoft.App Microsoft.Web Microsoft.Storage Microsoft.Sql Microsoft.Insights Microsoft.OperationalInsights ' +
  'Microsoft.ManagedIdentity Microsoft.Network Microsoft.ApiManagement Microsoft.AlertsManagement Microsoft.Consumption'
).split(' ');

/** Registers them all, and waits until they are; at once where they are already. */
export async function registerProviders({ run }: Context): Promise<void> {
  for (const namespace of resourceProviders)
    await run('az', ['provider', 'register', '--namespace', namespace, '--wait'], { minutes: 20 });
}
