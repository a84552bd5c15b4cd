import { type Parameter, readParameters, readVariables, snakeCase } from '../../deploy/parameters.ts';
import { difference, type Finding, type Project } from '../model.ts';

/** What both stacks must declare alike. */
type Declaration = Pick<Parameter, 'description' | 'default' | 'allowed' | 'least' | 'most'>;

/** What Terraform alone must be told: Bicep deploys into the subscription of the Azure CLI. */
const onlyInTerraform = ['subscription_id'];

/** Both stacks take the same parameters, with the same defaults, descriptions and allowed values. */
export function parity({ files }: Project): Finding[] {
  return ['', '/entra'].flatMap((folder) => {
    const text = (file: string) => files.get(file) ?? '';
    const bicep = text(`infra/bicep${folder}/main.bicep`);
    const file = `infra/terraform${folder}/variables.tf`;
    const parameters = [...readParameters(bicep)].map(([name, item]) => [snakeCase(name), item] as const);
    const variables = new Map([...readVariables(text(file))].map(([name, item]) => [snakeCase(name), item]));
    const [missing, surplus] = difference(
      parameters.map(([name]) => name),
      variables.keys(),
    );
    return [
      ...missing.map((name) => `lacks ${name} of infra/bicep`),
      ...surplus
        .filter((name) => !onlyInTerraform.includes(name))
        .map((name) => `has ${name}, which infra/bicep lacks`),
      ...(folder === '' ? names(bicep, text('infra/terraform/main.tf')) : []),
      ...parameters.flatMap(([name, parameter]) => {
        const variable = variables.get(name);
        return variable === undefined ? [] : differencesOf(name, variable, parameter);
      }),
    ].map((message) => ({ file, message }));
  });
}

const differencesOf = (name: string, variable: Declaration, parameter: Declaration) =>
  (['description', 'default', 'allowed', 'least', 'most'] as const)
    .filter((part) => shown(variable[part]) !== shown(parameter[part]))
    .map((part) => `the ${part} of ${name} is ${shown(variable[part])}; in Bicep ${shown(parameter[part])}`);

const shown = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value)
    : (JSON.stringify(value) ?? 'not there');

/** Both take each name of resourceNames, and make the others of subscription, environment and region: two deployments never meet. */
function names(bicep: string, terraform: string): string[] {
  const given = readParameters(bicep).get('resourceNames')?.members ?? [];
  const of = {
    bicep: { text: bicep, suffix: /uniqueString\(subscription\(\)\.id, environmentName, region\)/ },
    terraform: {
      text: terraform,
      suffix:
        /\$\{data\.azurerm_client_config\.current\.subscription_id\}\/\$\{var\.environment_name\}\/\$\{local\.region\}/,
    },
  };
  const isRead = {
    bicep: (name: string) => bicep.includes(`resourceNames.?${name} `),
    terraform: (name: string) => terraform.includes(`var.resource_names, "${name}"`),
  };
  return (['bicep', 'terraform'] as const).flatMap((stack) => [
    ...given
      .filter((name) => !isRead[stack](name))
      .map((name) => `infra/${stack} passes over the name of ${name} in resourceNames`),
    ...(of[stack].suffix.test(of[stack].text)
      ? []
      : [`names of infra/${stack} do not differ by subscription, environment and region`]),
  ]);
}
