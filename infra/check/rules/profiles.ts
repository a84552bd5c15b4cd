import { difference, type Finding, type Project, snakeCase } from '../model.ts';
import { inputs } from '../plan/sets.ts';

const parameterFile = 'infra/bicep/main.bicepparam';
const ofPeople = ['environment_name', ...Object.values(inputs).map(([parameter]) => parameter)];

/** Each profile gives every parameter that people do not give; the parameter file of Bicep sets each to the value of its name. */
export function profiles({ files, profiles }: Project): Finding[] {
  const parameters = [...(files.get('infra/bicep/main.bicep') ?? '').matchAll(/^param (\w+)/gm)].map(
    ([, name = '']) => snakeCase(name),
  );
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
    ...soundness(profiles['prod'] ?? {}),
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

/** `values.database_sku` for database_sku; the variable of its name for what people give. */
function fits(name: string, text: string): boolean {
  const variable = Object.entries(inputs).find(([, [parameter]]) => parameter === name)?.[0];
  if (variable !== undefined) return text.startsWith(`readEnvironmentVariable('${variable}'`);
  return name === 'environment_name' ? text === 'name' : text === `values.${name}`;
}
