import { difference, type Finding, type Project } from '../model.ts';
import { type Data, textOf } from '../plan/data.ts';
import type { PlannedResource } from '../plan/plan.ts';
import { bodyAt, isPrivate, listAt, nameOf, ofType, overPlans, type View } from './views.ts';

/** The private zone of each kind of endpoint in Azure's public cloud, by the name that people give theirs. */
const zones: Readonly<Record<string, readonly [given: string, name: string]>> = {
  blob: ['blob', 'privatelink.blob.core.windows.net'],
  table: ['table', 'privatelink.table.core.windows.net'],
  sqlServer: ['sql', 'privatelink.database.windows.net'],
  sites: ['sites', 'privatelink.azurewebsites.net'],
};

/** In a private deployment every name leads to its private address, and subnets have room and share none. */
export function network(project: Project): Finding[] {
  return overPlans(project, (view) =>
    isPrivate(view) ? [...registrations(view), ...links(view), ...subnets(view)] : [],
  );
}

const byPolicy = ({ value }: View) => value('private_dns_zones_by_policy') === true;
const namesIn = (value: Data) => Object.keys(value ?? {});
const ids = (resources: readonly PlannedResource[]) => resources.map(({ id }) => id);
const above = (id: string) => id.split('/').slice(0, -2).join('/');

/** Each endpoint is registered in the zone of its kind, once; where a policy does that, in none. */
function registrations(view: View): string[] {
  const groups = ofType(view, 'Microsoft.Network/privateEndpoints/privateDnsZoneGroups');
  if (byPolicy(view))
    return groups.map(({ id }) => `${nameOf(above(id))} is registered, which a policy does`);
  return ofType(view, 'Microsoft.Network/privateEndpoints').flatMap((endpoint) => {
    const connection = 'properties.privateLinkServiceConnections.0.properties.groupIds.0';
    const [given = '', name = ''] = zones[textOf(bodyAt(endpoint, connection))] ?? [];
    const existing = (view.value('existing_private_dns_zone_ids') as Record<string, Data>)[given];
    const found = groups
      .filter(({ id }) => above(id) === endpoint.id)
      .flatMap((group) => listAt(bodyAt(group, 'properties.privateDnsZoneConfigs')))
      .map((config) =>
        textOf(bodyAt({ body: config as PlannedResource['body'] }, 'properties.privateDnsZoneId')),
      );
    const isRight =
      found.length === 1 &&
      (existing === undefined ? nameOf(found[0] ?? null) === name : found[0] === textOf(existing));
    const where = found.map(nameOf).join(', ') || 'no zone';
    return isRight ? [] : [`${nameOf(endpoint.id)} is registered in ${where}; it must be in ${name}`];
  });
}

/** The zones that nobody has given are made, and the network looks into each; it registers nothing there. */
function links(view: View): string[] {
  const made = ofType(view, 'Microsoft.Network/privateDnsZones');
  const brings = namesIn(view.value('existing_subnet_ids')).length > 0;
  const given = namesIn(view.value('existing_private_dns_zone_ids'));
  const due = byPolicy(view) || brings ? [] : Object.values(zones).filter(([kind]) => !given.includes(kind));
  const [missing, surplus] = difference(
    due.map(([, name]) => name),
    ids(made).map(nameOf),
  );
  const networks = ids(ofType(view, 'Microsoft.Network/virtualNetworks'));
  const all = ofType(view, 'Microsoft.Network/privateDnsZones/virtualNetworkLinks');
  const unlinked = made.filter(
    ({ id }) =>
      !all.some(
        (link) =>
          above(link.id) === id &&
          networks.includes(textOf(bodyAt(link, 'properties.virtualNetwork.id'))) &&
          bodyAt(link, 'properties.registrationEnabled') !== true,
      ),
  );
  return [
    ...missing.map((name) => `the zone ${name} is missing`),
    ...surplus.map((name) => `the zone ${name} is there, and nobody needs it`),
    ...unlinked.map(({ id }) => `the network does not look into the zone ${nameOf(id)}, or writes into it`),
  ];
}

/** Addresses in the smallest subnet that Flex Consumption, Container Apps and the gateway take: a /27. */
const leastAddresses = 32;

/** A range of addresses in IPv4 (`10.40.0.0/26`), as numbers: its first, and how many. */
function rangeOf(cidr: string): { readonly first: number; readonly count: number } {
  const [address = '', bits = ''] = cidr.split('/');
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const count = 2 ** (32 - Number(bits));
  return { first: number - (number % count), count };
}

function subnets(view: View): string[] {
  const whole = rangeOf(textOf(view.value('network_address_prefix')));
  const ranges = ofType(view, 'Microsoft.Network/virtualNetworks/subnets').map((subnet) => ({
    name: nameOf(subnet.id),
    ...rangeOf(textOf(bodyAt(subnet, 'properties.addressPrefix'))),
  }));
  return ranges.flatMap(({ name, first, count }, index) => [
    ...(count >= leastAddresses
      ? []
      : [`the subnet ${name} has ${count} addresses; it needs ${leastAddresses}`]),
    ...(first >= whole.first && first + count <= whole.first + whole.count
      ? []
      : [`the subnet ${name} is not within the network`]),
    ...ranges
      .slice(index + 1)
      .filter((other) => first < other.first + other.count && other.first < first + count)
      .map((other) => `the subnets ${name} and ${other.name} share addresses`),
  ]);
}
