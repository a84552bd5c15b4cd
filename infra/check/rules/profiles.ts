import { Expression, type Finding, type Project, snakeCase } from '../model.ts';
import { inputs } from '../plan/sets.ts';
import { difference } from './walk.ts';

const ofPeople = ['environment_name', ...Object.values(inputs).map(([parameter]) => parameter)];

/** Each profile gives every parameter that people do not give; the parameter file of Bicep sets each to the value of its name. */
export function profiles({ bicep, terraform, profiles, parameterFiles }: Project): Finding[] {
  const wanted = Object.keys(bicep.modules['main']?.parameters ?? {}).filter(
    (name) => !ofPeople.includes(name),
  );
  return [
    ...Object.entries(profiles).flatMap(([name, values]) => inProfile(name, wanted, Object.keys(values))),
    ...Object.entries(parameterFiles).flatMap(([file, set]) => {
      const main = file.endsWith('bicep/main.bicepparam');
      const parameters = bicep.modules[main ? 'main' : 'entra']?.parameters ?? {};
      const required = Object.keys(parameters).filter(
        (name) => main || parameters[name]?.default === undefined,
      );
      const [unset] = difference(required, Object.keys(set));
      const [, unknown] = difference(Object.keys(parameters), Object.keys(set));
      const crossed = main ? Object.entries(set).filter(([name, value]) => !fits(name, value)) : [];
      return [
        ...unset.map((name) => ({ file, message: `does not set ${name}` })),
        ...unknown.map((name) => ({ file, message: `sets ${name}, which there is not` })),
        ...crossed.map(([name]) => ({ file, message: `sets ${name} to the value of another parameter` })),
      ];
    }),
    ...soundness(profiles['prod'] ?? {}),
    ...['dev', 'prod']
      .filter((name) => !(name in profiles))
      .map((name) => ({ file: 'infra/profiles', message: `lacks ${name}` })),
    ...(terraform.modules['main'] ? [] : [{ file: 'infra/terraform', message: 'has no main configuration' }]),
  ];
}

/** The values that production must have in any case. */
const ofProduction: readonly [name: string, what: string, holds: (value: unknown) => boolean][] = [
  ['production', 'true: its guards are on', (value) => value === true],
  ['delete_locks', 'true', (value) => value === true],
  ['private_networking', 'true', (value) => value === true],
  ['calendar_app', 'true: the public calendar apart from the records', (value) => value === true],
  ['app_public_access', 'false: the records behind the gateway', (value) => value === false],
  ['gateway_sku', 'StandardV2, which reaches a closed app', (value) => value === 'StandardV2'],
  ['create_role_assignments', 'true', (value) => value === true],
  ['backup_retention_days', '30 at least', (value) => Number(value) >= 30],
  ['backup_weekly_retention', 'a duration', (value) => value !== 'PT0S'],
  ['calendar_backup', 'true', (value) => value === true],
  ['calendar_redundancy', 'GRS or GZRS', (value) => value === 'GRS' || value === 'GZRS'],
  ['database_backup_redundancy', 'Geo or GeoZone', (value) => value === 'Geo' || value === 'GeoZone'],
  ['always_ready_instances', '1 at least', (value) => Number(value) >= 1],
  ['log_retention_days', '90 at least', (value) => Number(value) >= 90],
  ['daily_log_quota_gb', 'a limit', (value) => Number(value) > 0],
  ['monthly_budget', 'a budget', (value) => Number(value) > 0],
];

function soundness(prod: Readonly<Record<string, unknown>>): Finding[] {
  return ofProduction
    .filter(([name, , holds]) => !holds(prod[name]))
    .map(([name, what]) => ({
      file: 'infra/profiles/prod.tfvars.json',
      message: `${name} is ${JSON.stringify(prod[name])}; production needs ${what}`,
    }));
}

function inProfile(name: string, wanted: readonly string[], given: readonly string[]): Finding[] {
  const file = `infra/profiles/${name}.tfvars.json`;
  const [missing, unknown] = difference(wanted, given);
  return [
    ...missing.map((item) => ({ file, message: `does not set ${item}` })),
    ...unknown.map((item) => ({ file, message: `sets ${item}, which there is not` })),
  ];
}

/** `values.database_sku` for database_sku; the variable of its name for what people give. */
function fits(name: string, value: unknown): boolean {
  const text = value instanceof Expression ? value.text : '';
  const variable = Object.entries(inputs).find(([, [parameter]]) => parameter === name)?.[0];
  if (variable !== undefined) return text.startsWith(`readEnvironmentVariable('${variable}'`);
  return name === 'environment_name' ? text === 'name' : text === `values.${snakeCase(name)}`;
}
