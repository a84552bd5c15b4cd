import { readParameters, readVariables, snakeCase } from '../../deploy/parameters.ts';
import { difference, type Finding, type Project } from '../model.ts';
import { inputs } from '../plan/sets.ts';

const parameterFile = 'infra/bicep/main.bicepparam';
const ofPeople = ['environment_name', ...Object.values(inputs).map(([parameter]) => parameter)];

/** Each profile gives every parameter that people do not give; the parameter file of Bicep sets each to the value of its name. */
export function profiles({ files, profiles }: Project): Finding[] {
  const template = files.get('infra/bicep/main.bicep');
  const declared =
    template === undefined
      ? readVariables(files.get('infra/terraform/variables.tf') ?? '')
      : readParameters(template);
  const parameters = [...declared.keys()].map(snakeCase).filter((name) => name !== 'subscription_id');
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
    ...(template === undefined ? [] : unset).map((name) => ({
      file: parameterFile,
      message: `does not set ${name}`,
    })),
    ...crossed.map(([name]) => ({
      file: parameterFile,
      message: `sets ${name} to the value of another parameter`,
    })),
    ...Object.entries(profiles).flatMap(([name, values]) =>
      values['production'] === true ? [...flooded(name, values), ...unreached(name, values)] : [],
    ),
  ];
}

/** Dollars a month for logs when the quota is used up each day (docs/reference.md, "Estimate the cost"). */
const costOfLogs = (gigabytesADay: unknown) => Math.max(0, Number(gigabytesADay) * 30 - 5) * 2.5;

/** Whoever calls without end must not spend the budget on logs. */
function flooded(profile: string, { daily_log_quota_gb: quota, monthly_budget: budget }: Values): Finding[] {
  const file = `infra/profiles/${profile}.tfvars.json`;
  if (Number(quota) < 0) return [{ file, message: 'the quota of logs has no end' }];
  return costOfLogs(quota) <= Number(budget)
    ? []
    : [{ file, message: `the quota of logs costs ${costOfLogs(quota)} a month, more than the budget` }];
}

type Values = Readonly<Record<string, unknown>>;

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

/** `values.database_sku` for database_sku; the variable of its name for what people give. */
function fits(name: string, text: string): boolean {
  const variable = Object.entries(inputs).find(([, [parameter]]) => parameter === name)?.[0];
  if (variable !== undefined) return text.startsWith(`readEnvironmentVariable('${variable}'`);
  return name === 'environment_name' ? text === 'name' : text === `values.${name}`;
}
