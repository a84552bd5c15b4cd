/** Values that depend on what is measured and on what Azure takes: times of alerts, queries of tables, requests of an instance. */

import { type Data, textOf } from '../plan/data.ts';
import { nameOf, role, type View } from './views.ts';

/** A value of a resource at a path, with all that it may depend on. */
export interface Here {
  readonly view: View;
  /** Of the resource, without environment and hash. */
  readonly name: string;
  readonly found: Data;
  readonly at: (path: string) => Data;
}
/** What a value must be; a function returns what it has found where that is right. */
export type Wanted = Data | ((here: Here) => Data);

/** How often an alert may look, and how far back (https://learn.microsoft.com/azure/templates/microsoft.insights/metricalerts and .../scheduledqueryrules). */
const often = ['PT1M', 'PT5M', 'PT15M', 'PT30M', 'PT1H'];
const oftenForQueries = [...often, 'PT10M', 'PT45M', 'PT2H', 'PT3H', 'PT4H', 'PT5H', 'PT6H', 'P1D'];
const windows = [...often, 'PT6H', 'PT12H', 'P1D'];
const windowsForQueries = [...oftenForQueries, 'P2D'];

/** What is watched of each metric: aggregation, side of the threshold, and the thresholds that make sense (https://learn.microsoft.com/azure/azure-monitor/reference/metrics-index). */
const metrics: Readonly<
  Record<string, readonly [aggregation: string, operator: string, least: number, most: number]>
> = {
  Availability: ['Average', 'LessThan', 99, 100],
  cpu_percent: ['Average', 'GreaterThan', 50, 99],
  storage_percent: ['Maximum', 'GreaterThan', 50, 99],
  deadlock: ['Total', 'GreaterThan', 1, 100],
  connection_failed: ['Total', 'GreaterThan', 1, 100],
};

const minutesPer: Readonly<Record<string, number>> = { M: 1, H: 60, D: 1440 };
/** Minutes of an ISO 8601 duration of one unit. */
function minutesOf(duration: Data): number {
  const [, count = '', unit = ''] = /^PT?(\d+)([MHD])$/.exec(textOf(duration)) ?? [];
  return Number(count) * (minutesPer[unit] ?? Number.NaN);
}

const among = (found: Data, list: readonly string[]) =>
  list.includes(textOf(found)) ? found : list.join(' ');
const metric = 'properties.criteria.allOf.0';
const isOfMetric = (at: (path: string) => Data) => at('properties.criteria.allOf.0.query') === null;

/** Alerts look at times that Azure takes, at each minute at least once, and at what a metric means. */
export const times: Readonly<Record<string, Wanted>> = {
  'properties.evaluationFrequency': ({ found, at }) => {
    if (isOfMetric(at)) return among(found, often);
    const longest = Math.min(60, minutesOf(at('properties.windowSize')));
    return minutesOf(found) <= longest ? among(found, oftenForQueries) : `at most ${longest} minutes`;
  },
  'properties.windowSize': ({ found, at }) => among(found, isOfMetric(at) ? windows : windowsForQueries),
  'properties.criteria.allOf.0': ({ found }) => {
    const { metricName, timeAggregation, operator, threshold } = (found ?? {}) as Record<string, Data>;
    if (metricName === undefined) return found;
    const [aggregation, side, least, most] = metrics[textOf(metricName)] ?? [
      'of a metric that is known',
      '',
      0,
      0,
    ];
    const isRight = timeAggregation === aggregation && operator === side;
    return isRight && Number(threshold) >= least && Number(threshold) <= most
      ? found
      : `${aggregation} ${side} ${least} to ${most}`;
  },
  // What an alert is called says what it looks at.
  'properties.scopes.0': ({ found, name, view }) => {
    const databases = { main: 'main_database_name', customization: 'customization_database_name' };
    const [, database] = /-(main|customization)-database-/.exec(name) ?? [];
    const [, storage] = /-(calendar-host|host|data)-storage-/.exec(name) ?? [];
    const accounts: Readonly<Record<string, string>> = {
      'calendar-host': 'stcal',
      host: 'sthost',
      data: 'stdata',
    };
    const wanted = database
      ? view.value(databases[database as keyof typeof databases])
      : (accounts[storage ?? ''] ?? null);
    return wanted === null || role(nameOf(found)) === wanted ? found : wanted;
  },
};

/** The workspace makes a table with its first row: a query of a table that is missing is refused when the alert is made. */
export const onTables: Readonly<Record<string, Wanted>> = {
  'properties.skipQueryValidation': ({ found, at }) => (isOfWorkspace(at) ? true : found),
  [`${metric}.query`]: ({ found, at }) =>
    isOfWorkspace(at) && !textOf(found).startsWith('union isfuzzy=true ') ? 'union isfuzzy=true ...' : found,
};
const isOfWorkspace = (at: (path: string) => Data) =>
  textOf(at('properties.scopes.0')).includes('/workspaces/');

/** Megabytes that the host and the app take without bodies, by the memory of the instance: a small one has room for a small calendar only. */
export const taken: Readonly<Record<number, { readonly host: number; readonly app: number }>> = {
  512: { host: 150, app: 200 },
  2048: { host: 150, app: 700 },
  4096: { host: 150, app: 700 },
};
/** Megabytes of host and app for each request in flight, without its body. */
export const perRequest = 0.25;
/** Bytes of the host's memory for each byte of a body in flight, as measured. */
export const perByte = 2.6;
const minRequests = 100;

/** Another instance starts before one refuses; its requests, at least a hundred, fit beside host and app. */
export const instances: Wanted = ({ view, found, at }) => {
  const settings = at('properties.siteConfig.appSettings') as { name: string; value: string }[] | null;
  const most = settings?.find(({ name }) => name.endsWith('maxOutstandingRequests'))?.value;
  const size = Number(view.value('instance_memory_mb'));
  const { host, app } = taken[size] ?? { host: Number.NaN, app: Number.NaN };
  const limit = Math.floor((size - host - app) / perRequest);
  const fits = Number(most) >= minRequests && Number(most) <= limit;
  if (!fits)
    return `of ${most} requests (maxOutstandingRequests); ${size} MB hold ${minRequests} to ${limit}`;
  return found === Number(most) * 0.8 ? found : Number(most) * 0.8;
};
