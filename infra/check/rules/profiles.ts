import { type Parameters, readParameters, snakeCase } from '../../deploy/parameters.ts';
import { difference, type Finding, type Project } from '../model.ts';
import { inputs } from '../plan/sets.ts';

const parameterFile = 'infra/bicep/main.bicepparam';
const ofPeople = ['environment_name', ...Object.values(inputs).map(([parameter]) => parameter)];

/** Each profile gives every parameter that people do not give; the parameter file of Bicep sets each to the value of its name. */
export function profiles({ files, profiles }: Project): Finding[] {
  const declared = readParameters(files.get('infra/bicep/main.bicep') ?? '');
  const parameters = [...declared.keys()].map(snakeCase);
  const set = [...(files.get(parameterFile) ?? '').matchAll(/^param (\w+) = (.*)$/gm)].map(
    ([, name = '', value = '']) => [snakeCase(name), value] as const,
  );
  const [unset] = difference(
    parameters,
    set.map(([name]) => name),
  );
  const crossed = set.filter(([name, value]) => !fits(name, value));
  return [
    ...Object.entries(profiles).flatMap(([name, values]) => {
      const [missing, unknown] = difference(
        parameters.filter((item) => !ofPeople.includes(item)),
        Object.keys(values),
      );
      const file = `infra/profiles/${name}.tfvars.json`;
      return [
        ...missing.map((item) => ({ file, message: `does not set ${item}` })),
        ...unknown.map((item) => ({ file, message: `sets ${item}, which there is not` })),
      ];
    }),
    ...unset.map((name) => ({ file: parameterFile, message: `does not set ${name}` })),
    ...crossed.map(([name]) => ({
      file: parameterFile,
      message: `sets ${name} to the value of another parameter`,
    })),
    ...Object.entries(profiles).flatMap(([name, values]) => [
      ...surprises(name, values, declared),
      ...(values['production'] === true
        ? [...soundness(name, values), ...flooded(name, values), ...unreached(name, values)]
        : []),
    ]),
    ...(profiles['prod']?.['production'] === true && profiles['small']?.['production'] === true
      ? soundness('prod', profiles['prod'], ofProd)
      : [{ file: 'infra/profiles', message: 'prod and small are productions' }]),
  ];
}

const atLeast = (least: number) => (value: unknown) => Number(value) >= least;
/** Dollars a month for logs when the quota is used up each day (docs/reference.md, "Estimate the cost"). */
const costOfLogs = (gigabytesADay: unknown) => Math.max(0, Number(gigabytesADay) * 30 - 5) * 2.5;
/** What production must have in any case: a value, one of several, or a condition. */
const ofProduction: Readonly<Record<string, unknown>> = {
  delete_locks: true,
  private_networking: true,
  calendar_backup: true,
  backup_retention_days: atLeast(30),
  backup_weekly_retention: (value: unknown) => value !== 'PT0S',
  backup_monthly_retention: (value: unknown) => value !== 'PT0S',
  calendar_redundancy: ['GRS', 'GZRS'],
  database_backup_redundancy: ['Geo', 'GeoZone'],
  log_retention_days: atLeast(90),
  daily_log_quota_gb: atLeast(0.1),
  monthly_budget: atLeast(1),
};

/** What profiles are for: sizes, and what guards a production. Everything else is the default of the templates, which people change for one environment. */
const ofPurpose = [
  'production',
  'private_networking',
  'app_public_access',
  'gateway_sku',
  'calendar_app',
  'calendar_backup',
  'calendar_redundancy',
  'instance_memory_mb',
  'maximum_instance_count',
  'always_ready_instances',
  'database_sku',
  'database_max_size_gb',
  'database_pool_max',
  'database_backup_redundancy',
  'backup_retention_days',
  'backup_weekly_retention',
  'backup_monthly_retention',
  'delete_locks',
  'availability_test_minutes',
  'monthly_budget',
  'log_retention_days',
  'daily_log_quota_gb',
];

/** Values of a profile that are not what they are in every environment. */
function surprises(
  profile: string,
  values: Readonly<Record<string, unknown>>,
  parameters: Parameters,
): Finding[] {
  return [...parameters]
    .map(([name, parameter]) => [snakeCase(name), JSON.stringify(parameter.default)] as const)
    .filter(([name]) => name in values && !ofPurpose.includes(name))
    .filter(([name, everywhere]) => JSON.stringify(values[name]) !== everywhere)
    .map(([name, everywhere]) => ({
      file: `infra/profiles/${profile}.tfvars.json`,
      message: `${name} is ${JSON.stringify(values[name])}; everywhere else it is ${everywhere}`,
    }));
}

/** The public calendar apart from the records, which only the gateway reaches. */
const ofProd: typeof ofProduction = {
  calendar_app: true,
  app_public_access: false,
  gateway_sku: 'StandardV2',
  always_ready_instances: atLeast(1),
};

/** Whoever calls without end must not spend the budget on logs. */
const flooded = (profile: string, values: Readonly<Record<string, unknown>>): Finding[] =>
  costOfLogs(values['daily_log_quota_gb']) <= Number(values['monthly_budget'])
    ? []
    : [
        {
          file: `infra/profiles/${profile}.tfvars.json`,
          message: `the quota of logs costs ${costOfLogs(values['daily_log_quota_gb'])} a month, more than the budget`,
        },
      ];

/** Somebody must reach a production: an app that callers may call, or a gateway. */
const unreached = (profile: string, values: Readonly<Record<string, unknown>>): Finding[] =>
  values['app_public_access'] === true || values['gateway_sku'] !== 'None'
    ? []
    : [
        {
          file: `infra/profiles/${profile}.tfvars.json`,
          message: 'nobody reaches it: its app is closed, and it has no gateway',
        },
      ];

function soundness(
  profile: string,
  values: Readonly<Record<string, unknown>>,
  due: typeof ofProduction = ofProduction,
): Finding[] {
  return Object.entries(due)
    .filter(([name, wanted]) =>
      typeof wanted === 'function' ? !wanted(values[name]) : ![wanted].flat().includes(values[name]),
    )
    .map(([name, wanted]) => ({
      file: `infra/profiles/${profile}.tfvars.json`,
      message: `${name} is ${JSON.stringify(values[name])}; it must be ${JSON.stringify(wanted) ?? 'another one'}`,
    }));
}

/** `values.database_sku` for database_sku; the variable of its name for what people give. */
function fits(name: string, text: string): boolean {
  const variable = Object.entries(inputs).find(([, [parameter]]) => parameter === name)?.[0];
  if (variable !== undefined) return text.startsWith(`readEnvironmentVariable('${variable}'`);
  return name === 'environment_name' ? text === 'name' : text === `values.${name}`;
}
