import type { Finding, Project } from '../model.ts';
import { textOf } from '../plan/data.ts';
import { bodyAt, nameOf, ofType, overPlans, role, type View } from './views.ts';

/** How often an alert may look, and how far back (https://learn.microsoft.com/azure/templates/microsoft.insights/metricalerts and .../scheduledqueryrules). */
const times = {
  'Microsoft.Insights/metricAlerts': {
    every: 'PT1M PT5M PT15M PT30M PT1H',
    back: 'PT1M PT5M PT15M PT30M PT1H PT6H PT12H P1D',
  },
  'Microsoft.Insights/scheduledQueryRules': {
    every: 'PT1M PT5M PT10M PT15M PT30M PT45M PT1H PT2H PT3H PT4H PT5H PT6H P1D',
    back: 'PT1M PT5M PT10M PT15M PT30M PT45M PT1H PT2H PT3H PT4H PT5H PT6H P1D P2D',
  },
};

/** What is watched of each metric (https://learn.microsoft.com/azure/azure-monitor/reference/metrics-index). */
const aggregations: Readonly<Record<string, string>> = {
  Availability: 'Average',
  cpu_percent: 'Average',
  storage_percent: 'Maximum',
  deadlock: 'Total',
  connection_failed: 'Total',
};

/** Prefix lengths that a subnet has at most, by its name. */
const largest = { 'snet-app': 27, 'snet-endpoints': 28, 'snet-gateway': 27, 'snet-runner': 27 };

/** What compiles and Azure refuses or never fires: times and aggregations of alerts, sizes and places of subnets. */
export function azureLimits(project: Project): Finding[] {
  return overPlans(project, (view) => [...alertTimes(view), ...metrics(view), ...subnets(view)]);
}

function alertTimes(view: View): string[] {
  return Object.entries(times).flatMap(([type, { every, back }]) =>
    ofType(view, type).flatMap((alert) => {
      const [frequency, window] = ['evaluationFrequency', 'windowSize'].map((name) =>
        textOf(bodyAt(alert, `properties.${name}`)),
      );
      const fits = every.split(' ').includes(frequency ?? '') && back.split(' ').includes(window ?? '');
      return fits
        ? []
        : [`${role(nameOf(alert.id))} looks every ${frequency} at ${window}, which Azure does not take`];
    }),
  );
}

function metrics(view: View): string[] {
  return ofType(view, 'Microsoft.Insights/metricAlerts').flatMap((alert) => {
    const of = (name: string) => textOf(bodyAt(alert, `properties.criteria.allOf.0.${name}`));
    if (of('metricName') === 'null') return [];
    const wanted = aggregations[of('metricName')];
    return wanted === of('timeAggregation')
      ? []
      : [
          `${role(nameOf(alert.id))} watches the ${of('timeAggregation')} of ${of('metricName')}; it must be ${wanted ?? 'a metric that is known'}`,
        ];
  });
}

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
    ...(length <= (largest[name as keyof typeof largest] ?? 29) ? [] : [`${name} is too small: /${length}`]),
    ...found
      .slice(at + 1)
      .filter(({ range: [otherFirst, otherLast] }) => first <= otherLast && otherFirst <= last)
      .map((overlap) => `${name} and ${overlap.name} overlap`),
  ]);
}
