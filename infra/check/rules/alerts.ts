import { difference, type Finding, type Project } from '../model.ts';
import { type Data, textOf } from '../plan/data.ts';
import type { PlannedResource } from '../plan/plan.ts';
import {
  bodyAt,
  domainOf,
  hasBackup,
  hasCalendarApp,
  hasExistingServer,
  hasGateway,
  isClosed,
  listAt,
  nameGiven,
  nameOf,
  ofType,
  overPlans,
  role,
  type View,
} from './views.ts';

/** What an alert is about, by its name: what it watches, and the least severe that it may be (0 is the most). */
interface Due {
  readonly scope: string;
  readonly severity: number;
  readonly when?: (view: View) => boolean;
}

const ofApp = (severity: number): Due => ({ scope: 'components/appi', severity });
const ofDatabase = (parameter: string, severity: number): Due => ({
  scope: `databases/${parameter}`,
  severity,
});

/** Whether the size of the databases is one of DTU; of somebody else's server it is not known. */
const isSizedInDtu = (view: View) =>
  !hasExistingServer(view) && !textOf(view.value('database_sku')).startsWith('GP_');

/** Every alert that there must be; docs/run.md has its first step. */
const due: Readonly<Record<string, Due>> = {
  'failed-requests': ofApp(1),
  'slow-requests': ofApp(2),
  'unknown-failures': ofApp(2),
  'lost-rights': ofApp(3),
  'nothing-loaded': ofApp(0),
  'worker-crashes': ofApp(1),
  'event-loop-delay': ofApp(2),
  'availability-burns-fast': ofApp(1),
  'availability-burns-slowly': ofApp(2),
  'latency-burns-fast': ofApp(2),
  'latency-burns-slowly': ofApp(3),
  'log-quota-used-up': { scope: 'workspaces/log', severity: 1 },
  'calendar-backup-missing': { scope: 'workspaces/log-audit', severity: 1, when: hasBackup },
  'host-storage-availability': { scope: 'storageAccounts/sthost', severity: 1 },
  'data-storage-availability': { scope: 'storageAccounts/stdata', severity: 1 },
  'calendar-host-storage-availability': { scope: 'storageAccounts/stcal', severity: 1, when: hasCalendarApp },
  'main-database-cpu': ofDatabase('main_database_name', 2),
  'main-database-space': ofDatabase('main_database_name', 2),
  'main-database-deadlocks': ofDatabase('main_database_name', 3),
  'main-database-connections': ofDatabase('main_database_name', 2),
  'customization-database-cpu': ofDatabase('customization_database_name', 2),
  'customization-database-space': ofDatabase('customization_database_name', 2),
  'customization-database-deadlocks': ofDatabase('customization_database_name', 3),
  'main-database-workers': ofDatabase('main_database_name', 1),
  'customization-database-workers': ofDatabase('customization_database_name', 1),
  'main-database-dtu': { ...ofDatabase('main_database_name', 2), when: isSizedInDtu },
  'customization-database-dtu': { ...ofDatabase('customization_database_name', 2), when: isSizedInDtu },
  'gateway-cpu': { scope: 'service/apim', severity: 2, when: hasGateway },
  'gateway-memory': { scope: 'service/apim', severity: 2, when: hasGateway },
  'service-health': { scope: 'subscriptions/', severity: 0 },
  health: { scope: 'webtests/health', severity: 1, when: (view) => isReachable(view) },
  'calendar-health': { scope: 'webtests/calendar-health', severity: 1, when: hasCalendarApp },
};

/** Whether a call from the internet reaches the service: an open app, a gateway, or an address that people gave. */
const isReachable = (view: View) =>
  !isClosed(view) || hasGateway(view) || view.value('public_base_url') !== '';

/** The tables that queries read, by what they are asked of; what each workspace is sent stands on the pages of plans. */
const tables: Readonly<Record<string, string>> = {
  traces: 'components/',
  // Every workspace has it.
  _LogOperation: 'workspaces/',
  StorageBlobLogs: 'workspaces/log-audit',
};

/** Metrics by the type of what sends them, how they are summed up, and the side of the threshold that is bad. */
const metrics: Readonly<
  Record<
    string,
    readonly [type: string, aggregation: string, operator: string, lowest: number, highest: number]
  >
> = {
  Availability: ['Microsoft.Storage/storageAccounts', 'Average', 'LessThan', 95, 99.99],
  cpu_percent: ['Microsoft.Sql/servers/databases', 'Average', 'GreaterThan', 70, 95],
  storage_percent: ['Microsoft.Sql/servers/databases', 'Maximum', 'GreaterThan', 60, 90],
  deadlock: ['Microsoft.Sql/servers/databases', 'Total', 'GreaterThan', 0, 20],
  connection_failed: ['Microsoft.Sql/servers/databases', 'Total', 'GreaterThan', 0, 50],
  workers_percent: ['Microsoft.Sql/servers/databases', 'Maximum', 'GreaterThan', 60, 90],
  dtu_consumption_percent: ['Microsoft.Sql/servers/databases', 'Average', 'GreaterThan', 70, 95],
  CpuPercent_Gateway: ['Microsoft.ApiManagement/service', 'Average', 'GreaterThan', 60, 90],
  MemoryPercent_Gateway: ['Microsoft.ApiManagement/service', 'Average', 'GreaterThan', 60, 90],
};

const metricAlerts = 'Microsoft.Insights/metricAlerts';
const logAlerts = 'Microsoft.Insights/scheduledQueryRules';
const activityAlerts = 'Microsoft.Insights/activityLogAlerts';
const webTests = 'Microsoft.Insights/webtests';

/** From where tests may call: https://learn.microsoft.com/azure/azure-monitor/app/availability#location-population-tags. */
const places: readonly string[] = [
  'apac-hk-hkn-azr',
  'apac-jp-kaw-edge',
  'apac-sg-sin-azr',
  'emea-au-syd-edge',
  'emea-ch-zrh-edge',
  'emea-fr-pra-edge',
  'emea-gb-db3-azr',
  'emea-nl-ams-azr',
  'emea-ru-msa-edge',
  'emea-se-sto-edge',
  'latam-br-gru-edge',
  'us-ca-sjc-azr',
  'us-fl-mia-edge',
  'us-il-ch1-azr',
  'us-tx-sn1-azr',
  'us-va-ash-azr',
];
/** Seconds of the shortest test that Azure offers; the service answers within ten. */
const leastTimeout = 30;

/** Every alert is there, watches what is there and is fed, reads tables that something fills, and tells the operators. */
export function alerts(project: Project): Finding[] {
  return overPlans(project, (view) => {
    const found = [metricAlerts, logAlerts, activityAlerts].flatMap((type) => ofType(view, type));
    const names = Object.entries(due).flatMap(([name, { when }]) => (when?.(view) === false ? [] : [name]));
    const [missing, surplus] = difference(
      names,
      found.map((alert) => shortName(view, alert)),
    );
    return [
      ...missing.map((name) => `the alert ${name} is missing`),
      ...surplus.map((name) => `the alert ${name} is known to no one; docs/run.md and the check need it`),
      ...found.flatMap((alert) => faultsOf(view, alert).map((fault) => `${shortName(view, alert)} ${fault}`)),
      ...silent(view),
      ...tests(view),
    ];
  });
}

const shortName = (view: View, { id }: PlannedResource) => nameOf(id).replace(`${view.environment}-`, '');
const lastTwo = (view: View, id: Data) =>
  role(id).split('/').slice(-2).join('/').replace(`webtests/${view.environment}-`, 'webtests/');

/** What an alert must watch, by the names that people have given. */
function scopeOf(view: View, { scope }: Due): string {
  return scope
    .replace(/(?:main|customization)_database_name/, (parameter) => textOf(view.value(parameter)))
    .replace(/^workspaces\/log$/, `workspaces/${nameGiven(view, 'workspace', 'log')}`);
}

function faultsOf(view: View, alert: PlannedResource): string[] {
  const known = due[shortName(view, alert)];
  if (!known) return [];
  if (alert.type === activityAlerts) return ofActivity(alert);
  const at = (path: string) => bodyAt(alert, `properties.${path}`);
  const [scope, ...more] = listAt(at('scopes'));
  const wanted = scopeOf(view, known);
  const told = alert.type === metricAlerts ? at('actions.0.actionGroupId') : at('actions.actionGroups.0');
  const faults: readonly (readonly [boolean, string])[] = [
    [
      lastTwo(view, scope ?? null) !== wanted,
      `watches ${lastTwo(view, scope ?? null)}; it must watch ${wanted}`,
    ],
    [more.length > 0 && !wanted.startsWith('webtests'), 'watches more than one thing'],
    [
      Number(at('severity')) > known.severity,
      `has the severity ${textOf(at('severity'))}; ${known.severity} at most`,
    ],
    [!textOf(told).includes('/actionGroups/'), 'tells nobody'],
    [
      minutes(at('evaluationFrequency')) > minutes(at('windowSize')),
      'looks less often than its window is long',
    ],
    [minutes(at('evaluationFrequency')) > 60, 'looks less than once an hour'],
  ];
  return [
    ...faults.flatMap(([holds, message]) => (holds ? [message] : [])),
    ...otherThanDescribed(alert),
    ...(alert.type === logAlerts ? ofQuery(alert, known) : ofMetric(view, alert)),
  ];
}

/** An alert on what Azure says of its services: the whole subscription, and somebody is told. */
function ofActivity(alert: PlannedResource): string[] {
  const at = (path: string) => bodyAt(alert, `properties.${path}`);
  const faults: readonly (readonly [boolean, string])[] = [
    [at('enabled') !== true, 'is off'],
    [!/^\/subscriptions\/[\w-]+$/.test(textOf(at('scopes.0'))), 'does not watch the subscription'],
    [at('condition.allOf.0.equals') !== 'ServiceHealth', 'does not look at what Azure says of its services'],
    [!textOf(at('actions.actionGroups.0.actionGroupId')).includes('/actionGroups/'), 'tells nobody'],
  ];
  return faults.flatMap(([holds, message]) => (holds ? [message] : []));
}

const numbers: Readonly<Record<string, number>> = { a: 1, an: 1, one: 1, two: 2, three: 3, six: 6 };
const units: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 1440 };

/** The operators get the description with the alert: it names the window, but for one of up to an hour, and each number from which on the query fires, but for floors of up to 100 calls. */
function otherThanDescribed(alert: PlannedResource): string[] {
  const at = (path: string) => textOf(bodyAt(alert, `properties.${path}`));
  const description = at('description');
  const numberOf = (text = '') => numbers[text] ?? Number(text.replace(',', ''));
  const times = [...description.matchAll(/(\w+) (minute|hour|day)s?\b/g)].map(
    ([, count, unit = '']) => numberOf(count) * (units[unit] ?? 0),
  );
  const said = [...description.matchAll(/\b(\d[\d.,]*|one|two|three|six)( second)?/g)].map(
    ([, count, unit]) => numberOf(count) * (unit === undefined ? 1 : 1000),
  );
  const unsaid = [...at('criteria.allOf.0.query').matchAll(/((?:\/ )?\w+) >=? (\d+(?:\.\d+)?)/g)].filter(
    ([, left = '', value]) => {
      const isFloor = /^(?:total|bad)$/.test(left) && Number(value) <= 100;
      return left !== 'status' && Number(value) > 0 && !isFloor && !said.includes(Number(value));
    },
  );
  const window = minutes(at('windowSize'));
  const isSaid = times.length === 0 ? window <= 60 : times.includes(window);
  return [
    ...(isSaid ? [] : [`looks at ${at('windowSize')}, which its description does not say`]),
    ...new Set(unsaid.map(([, , value]) => `fires from ${value} on, which its description does not say`)),
  ];
}

/** `PT15M`, `PT6H`, `P2D` in minutes. */
function minutes(duration: Data): number {
  const [, days = 0, hours = 0, rest = 0] =
    /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?$/.exec(textOf(duration)) ?? [];
  return Number(days) * 1440 + Number(hours) * 60 + Number(rest);
}

function ofQuery(alert: PlannedResource, { scope }: Due): string[] {
  const query = textOf(bodyAt(alert, 'properties.criteria.allOf.0.query'));
  const read = Object.keys(tables).filter((table) => new RegExp(`(?:^|[\\s(|,])${table}\\b`).test(query));
  const unfed = read.filter((table) => !scope.startsWith(tables[table] ?? ''));
  const counts = [...query.matchAll(/entry\.(?:event|route|status|code)\b/g)].length;
  return [
    ...(read.length === 0 ? ['reads no table that anything fills'] : []),
    // The workspace creates a table with its first row, and refuses a query of a missing one; _LogOperation is a function that each has.
    ...(scope.startsWith('workspaces/') &&
    (!/^(?:union isfuzzy=true |_LogOperation )/.test(query) ||
      bodyAt(alert, 'properties.skipQueryValidation') !== true)
      ? ['is refused while its table has no row (union isfuzzy=true, skipQueryValidation)']
      : []),
    // The host answers any caller 500 for a body that is too long or slow, and says so in these tables.
    ...(/(?:^|[\s,|(])(?:requests|exceptions)\b/.test(query)
      ? ['reads what the host says, by which a stranger may fire it']
      : []),
    ...unfed.map((table) => `reads ${table}, which nothing sends to ${scope}`),
    ...(read.includes('traces') && query.includes('count()')
      ? ['counts kept lines instead of itemCount']
      : []),
    ...(query.includes('parse_json(message)') && counts === 0 ? ['looks at no line of the app'] : []),
  ];
}

function ofMetric(view: View, alert: PlannedResource): string[] {
  const at = (path: string) => bodyAt(alert, `properties.criteria.allOf.0.${path}`);
  const metric = textOf(at('metricName'));
  if (metric === '' || at('metricName') === null) return ofPlaces(view, alert);
  const [type, aggregation, operator, lowest = 0, highest = 0] = metrics[metric] ?? [];
  const threshold = Number(at('threshold'));
  return [
    ...(at('metricNamespace') === type ? [] : [`reads ${metric} of ${textOf(at('metricNamespace'))}`]),
    ...(at('operator') === operator ? [] : [`fires when ${metric} is ${textOf(at('operator'))}`]),
    ...(at('timeAggregation') === aggregation
      ? []
      : [`looks at the ${textOf(at('timeAggregation'))} of ${metric}`]),
    // A resource that was just made has sent no metric yet, and the rule would be refused.
    ...(at('skipMetricValidation') === true ? [] : ['is refused while its metric is new']),
    ...(threshold >= lowest && threshold <= highest ? [] : [`fires at ${threshold}`]),
    ...(thresholdsIn(textOf(bodyAt(alert, 'properties.description'))).includes(threshold)
      ? []
      : [`fires at ${threshold}, which its description does not say`]),
  ];
}

/** The numbers that a description names; that 1 in 1,000 fail is that 99.9 % do not. */
function thresholdsIn(description: string): number[] {
  const plain = description.replaceAll(/(?<=\d),(?=\d{3})/g, '');
  const parts = [...plain.matchAll(/\b1 in (\d+)/g)].map(([, all]) => 100 - 100 / Number(all));
  return [...parts, ...[...plain.matchAll(/\d+(?:\.\d+)?/g)].map(([number]) => Number(number))];
}

/** One place may have a fault of its own; when most of three fail, it is ours. */
function ofPlaces(view: View, alert: PlannedResource): string[] {
  const at = (path: string) => bodyAt(alert, `properties.${path}`);
  const failed = Number(at('criteria.failedLocationCount'));
  const test = ofType(view, webTests).find(({ id }) => id === at('criteria.webTestId'));
  const everySeconds = Number(bodyAt(test, 'properties.Frequency'));
  const isOfComponent = role(at('scopes.1')).endsWith(
    `/components/${nameGiven(view, 'applicationInsights', 'appi')}`,
  );
  return [
    ...(failed === 2 ? [] : [`fires when ${failed} places of three fail`]),
    ...(at('criteria.webTestId') === at('scopes.0') ? [] : ['counts the places of another test']),
    ...(isOfComponent && at('criteria.componentId') === at('scopes.1')
      ? []
      : ['does not watch where the answers are kept']),
    ...(everySeconds <= minutes(at('windowSize')) * 60
      ? []
      : [`looks at ${textOf(at('windowSize'))}, in which the test does not call`]),
  ];
}

/** Someone is told, by the addresses that were given. */
function silent(view: View): string[] {
  const emails = listAt(view.value('alert_emails')).map(textOf).sort();
  return ofType(view, 'Microsoft.Insights/actionGroups').flatMap((group) => {
    const told = listAt(bodyAt(group, 'properties.emailReceivers'))
      .map((receiver) => textOf((receiver as { emailAddress?: string }).emailAddress ?? null))
      .sort();
    return told.join() === emails.join()
      ? []
      : [`alerts go to ${told.join(', ')}; they must go to ${emails.join(', ')}`];
  });
}

/** Whether a test calls the app that a name of one's own leads to. */
const isOfPublicApp = (view: View, { id }: PlannedResource) =>
  view.value('public_base_url') === '' || hasCalendarApp(view)
    ? id.endsWith('-calendar-health') === hasCalendarApp(view)
    : false;

/** The tests from the internet call the health address, over TLS, from several places. */
const tests = (view: View): string[] =>
  ofType(view, webTests).flatMap((test) => {
    const at = (path: string) => bodyAt(test, `properties.${path}`);
    const url = textOf(at('Request.RequestUrl'));
    const isShown = Object.keys(bodyAt(test, 'tags') ?? {}).some(
      (tag) =>
        tag.startsWith('hidden-link:') &&
        nameOf(role(tag)) === nameGiven(view, 'applicationInsights', 'appi'),
    );
    const from = listAt(at('Locations')).map((place) => textOf((place as { Id?: string }).Id ?? null));
    const faults: readonly (readonly [boolean, string])[] = [
      [!/^https:\/\/.*\/health$/.test(url), `calls ${url}`],
      [
        isOfPublicApp(view, test) && !url.startsWith(`https://${domainOf(view)}`),
        `calls ${url}; callers use ${domainOf(view)}`,
      ],
      [
        Number(at('ValidationRules.SSLCertRemainingLifetimeCheck')) < 7,
        'does not tell that the certificate ends',
      ],
      [!isShown, 'is not linked to Application Insights, which shows it'],
      [new Set(from).size < 3, 'calls from fewer than three places'],
      [
        from.some((place) => !places.includes(place)),
        `calls from ${from.join(', ')}, of which Azure does not know all`,
      ],
      [Number(at('Timeout')) < leastTimeout, 'gives up too soon'],
      [Number(at('Timeout')) > Number(at('Frequency')), 'begins anew before it has ended'],
    ];
    return faults.flatMap(([holds, message]) =>
      holds ? [`the test ${lastTwo(view, test.id)} ${message}`] : [],
    );
  });
