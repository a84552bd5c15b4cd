import { resourceProviders } from '../../deploy/stacks/providers.ts';
import type { Finding, Project } from '../model.ts';
import { planOf } from '../plan/plan.ts';

const versions = 'infra/terraform/versions.tf';
/** What every subscription has registered, or is no provider of resources. */
const always = ['Microsoft.Authorization', 'Microsoft.Resources', 'Microsoft.Graph'];
/** Needed by what the templates make, whose type does not say so: the network of Flex Consumption. */
const ofNetwork = ['Microsoft.App'];

/** Both stacks register the resource providers of all that they deploy: the first deployment into a new subscription would fail. */
export function providers({ files, plans }: Project): Finding[] {
  const list = /resource_providers_to_register = \[([^\]]*)\]/.exec(files.get(versions) ?? '')?.[1] ?? '';
  const registered: Readonly<Record<string, readonly string[]>> = {
    'infra/deploy/stacks/providers.ts': resourceProviders,
    ...(files.has(versions) && {
      [versions]: [...list.matchAll(/"([\w.]+)"/g)].map(([, name = '']) => name),
    }),
  };
  const deployed = plans
    .map(planOf)
    .flatMap((plan) =>
      plan instanceof Error ? [] : plan.resources.map(({ type }) => type.split('/')[0] ?? ''),
    );
  const needed = [...new Set([...deployed, ...ofNetwork])].filter((name) => !always.includes(name));
  return Object.entries(registered).flatMap(([file, names]) =>
    needed
      .filter((name) => !names.includes(name))
      .map((name) => ({ file, message: `${name} is not registered` })),
  );
}
