/** What must not be deployed, known from the values alone. The templates refuse the same, for who goes without this script. */

import concurrency from '../concurrency.json' with { type: 'json' };
import { UsageError } from './options.ts';
import type { ProfileValue } from './values.ts';

type Values = Readonly<Record<string, ProfileValue>>;

/** Requests that a database of each size works on at once. */
const databaseWorkers: Readonly<Record<string, number>> = concurrency.databaseWorkers;

interface Guard {
  /** True: of production only. */
  readonly production: boolean;
  readonly refuses: (values: Values) => boolean;
  readonly message: (values: Values) => string;
}

const hasItems = (list: ProfileValue | undefined) => Array.isArray(list) && list.length > 0;
const isPrivate = (values: Values) => values['private_networking'] === true;
const isClosed = (values: Values) => values['app_public_access'] === false;
const connections = (values: Values) =>
  Number(values['database_pool_max']) *
  Number(values['maximum_instance_count']) *
  (values['green_app'] === true ? 2 : 1);
const workers = (values: Values) => databaseWorkers[String(values['database_sku'])] ?? 0;
const keepsLong = (values: Values) =>
  ['backup_weekly_retention', 'backup_monthly_retention', 'backup_yearly_retention'].some(
    (name) => values[name] !== 'PT0S',
  );
const namesOf = (value: ProfileValue | undefined) => Object.keys(typeof value === 'object' ? value : {});
const bringsSubnets = (values: Values) => namesOf(values['existing_subnet_ids']).length > 0;
/** Whether a runner inside of the network is asked for. */
export const hasRunner = (values: Values): boolean => namesOf(values['runner']).length > 0;
const hasAllSubnets = (values: Values) =>
  isPrivate(values) &&
  [
    'app',
    'endpoints',
    ...(values['gateway_sku'] === 'StandardV2' ? ['gateway'] : []),
    ...(hasRunner(values) ? ['runner'] : []),
  ].every((name) => namesOf(values['existing_subnet_ids']).includes(name));
const isWholeRunner = (names: readonly string[]) =>
  ['repository', 'keyVaultId', 'secretName'].every((name) => names.includes(name)) &&
  names.includes('applicationId') === names.includes('installationId');
const domainOf = (values: Values) =>
  (values['custom_domain'] ?? {}) as { readonly name?: unknown; readonly [name: string]: unknown };
const hasDomain = (values: Values) => namesOf(values['custom_domain']).length > 0;
/** Three labels at least, since a domain itself cannot be an alias (CNAME). */
const hostName = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.(?!$)|$)){3,}$/;
const isPausable = (values: Values) =>
  String(values['database_sku']).startsWith('GP_S_') && values['database_auto_pause_minutes'] !== -1;

export const guards: readonly Guard[] = [
  {
    production: false,
    refuses: (values) => isClosed(values) && !isPrivate(values),
    message: () =>
      'appPublicAccess=false closes the app only with privateNetworking=true; without it the app would stay public.',
  },
  {
    production: false,
    refuses: (values) => values['gateway_sku'] === 'BasicV2' && isClosed(values),
    message: () =>
      'A gateway of the tier BasicV2 cannot reach an app without public access: choose StandardV2.',
  },
  {
    production: false,
    refuses: (values) =>
      Number(values['green_share']) > 0 && (values['gateway_sku'] === 'None' || values['green_app'] !== true),
    message: () =>
      'greenShare needs a gateway, which shares the calls out, and greenApp=true, which they go to.',
  },
  {
    production: false,
    refuses: ({ main_database_name: main, customization_database_name: other }) =>
      String(main).toLowerCase() === String(other).toLowerCase(),
    message: () => 'mainDatabaseName and customizationDatabaseName must differ.',
  },
  {
    production: false,
    refuses: (values) =>
      values['gateway_sku'] !== 'None' &&
      values['gateway_publisher_email'] === '' &&
      !hasItems(values['alert_emails']),
    message: () => 'A gateway needs gatewayPublisherEmail, or alertEmails.',
  },
  {
    production: false,
    refuses: (values) => keepsLong(values) && isPausable(values),
    message: () =>
      'A database with long-term backups never pauses: set databaseAutoPauseMinutes=-1, or another databaseSku.',
  },
  {
    production: false,
    refuses: (values) => bringsSubnets(values) && !hasAllSubnets(values),
    message: () =>
      'existingSubnetIds needs privateNetworking=true, and the subnets app and endpoints; with gatewaySku=StandardV2 also gateway, with runner also runner.',
  },
  {
    production: false,
    refuses: (values) =>
      hasRunner(values) && !(isPrivate(values) && isWholeRunner(namesOf(values['runner']))),
    message: () =>
      'runner needs privateNetworking=true, and repository, keyVaultId and secretName; a GitHub App has applicationId and installationId.',
  },
  {
    production: false,
    refuses: (values) =>
      bringsSubnets(values) &&
      values['private_dns_zones_by_policy'] !== true &&
      namesOf(values['existing_private_dns_zone_ids']).length < 4,
    message: () =>
      'With existingSubnetIds no DNS zones are made: give blob, table, sql and sites in existingPrivateDnsZoneIds, or privateDnsZonesByPolicy=true.',
  },
  {
    production: false,
    refuses: (values) => hasDomain(values) && !hostName.test(String(domainOf(values).name ?? '')),
    message: () =>
      'customDomain needs a name below a domain of yours, such as events.example.org, in small letters and without https://.',
  },
  {
    production: false,
    refuses: (values) => 'keyVaultId' in domainOf(values) !== 'certificateName' in domainOf(values),
    message: () =>
      'customDomain takes keyVaultId and certificateName together; without both Azure issues the certificate.',
  },
  {
    production: false,
    refuses: (values) =>
      hasDomain(values) &&
      values['calendar_app'] !== true &&
      (values['gateway_sku'] !== 'None' || isClosed(values)),
    message: () =>
      'customDomain is the name of an app that callers reach: give it to the gateway, or to what leads to the closed app, or let the calendar have an app of its own (calendarApp=true).',
  },
  {
    production: true,
    refuses: ({ alert_emails: emails }) => !hasItems(emails),
    message: () => 'Production needs alertEmails: without them nobody is told of an alert.',
  },
  {
    production: true,
    refuses: (values) => !isPrivate(values),
    message: () =>
      'Production needs privateNetworking=true: without it every Azure customer may call the databases.',
  },
  {
    production: true,
    refuses: (values) => connections(values) > workers(values),
    message: (values) =>
      `databasePoolMax x maximumInstanceCount (of both apps) is ${connections(values)}; a database of the size ${values['database_sku']} serves ${workers(values)} at once.`,
  },
];

/** The steps that work from inside of the network alone. */
export function stepsInside(values: Values): readonly string[] {
  if (!isPrivate(values)) return [];
  return ['migrate', 'accounts', 'users', ...(isClosed(values) ? ['push', 'smoke'] : [])];
}

/** Throws a UsageError that lists everything that must not be deployed so. */
export function mustBeAllowed(values: Values): void {
  const refused = guards.filter(
    ({ production, refuses }) => (!production || values['production'] === true) && refuses(values),
  );
  if (refused.length > 0) throw new UsageError(refused.map(({ message }) => message(values)).join('\n'));
}
