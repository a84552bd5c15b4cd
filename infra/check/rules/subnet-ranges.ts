import type { Finding, Project } from '../model.ts';
import { textOf } from '../plan/data.ts';
import { bodyAt, nameOf, ofType, overPlans, type View } from './views.ts';

/** Prefix lengths that a subnet has at most, by its name. */
const largest: Readonly<Record<string, number>> = { 'snet-endpoints': 28 };

/** Subnets lie in their network, side by side, and are large enough. */
export const subnetRanges = (project: Project): Finding[] => overPlans(project, subnets);

/** The first and the last address of a range. */
function addresses(range: string): [first: number, last: number, length: number] {
  const [address = '', length = ''] = range.split('/');
  const first = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return [first, first + 2 ** (32 - Number(length)) - 1, Number(length)];
}

function subnets(view: View): string[] {
  const [network] = ofType(view, 'Microsoft.Network/virtualNetworks');
  const [from, to] = addresses(textOf(bodyAt(network, 'properties.addressSpace.addressPrefixes.0')));
  const found = ofType(view, 'Microsoft.Network/virtualNetworks/subnets').map((item) => ({
    name: nameOf(item.id),
    range: addresses(
      textOf(bodyAt(item, 'properties.addressPrefix') ?? bodyAt(item, 'properties.addressPrefixes.0')),
    ),
  }));
  return found.flatMap(({ name, range: [first, last, length] }, at) => [
    ...(first >= from && last <= to ? [] : [`${name} is outside of its network`]),
    ...(length <= (largest[name] ?? 27) ? [] : [`${name} is too small: /${length}`]),
    ...found
      .slice(at + 1)
      .filter(({ range: [otherFirst, otherLast] }) => first <= otherLast && otherFirst <= last)
      .map((overlap) => `${name} and ${overlap.name} overlap`),
  ]);
}
