import { difference, type Finding, type Project, snakeCase } from '../model.ts';

/** A parameter of the main template as it is declared. */
interface Parameter {
  readonly description: string;
  readonly default: string;
  readonly allowed: string;
}

/** What Terraform alone must be told: Bicep deploys into the subscription of the Azure CLI. */
const onlyInTerraform = ['subscription_id'];

/** Both stacks take the same parameters, with the same defaults, descriptions and allowed values, and give the same outputs. */
export function parity({ files }: Project): Finding[] {
  return ['main', 'entra'].flatMap((name) => {
    const bicep = `infra/bicep/${name === 'main' ? '' : 'entra/'}main.bicep`;
    const terraform = `infra/terraform${name === 'main' ? '' : '/entra'}`;
    const text = (file: string) => files.get(file) ?? '';
    const ofBicep = inBicep(text(bicep));
    const ofTerraform = inTerraform(text(`${terraform}/variables.tf`));
    const outputs = (source: string) =>
      [...source.matchAll(/^output "?(\w+)/gm)].map(([, output = '']) => output);
    const [missing, surplus] = difference(
      [...Object.keys(ofBicep), ...outputs(text(bicep))],
      [...Object.keys(ofTerraform), ...outputs(text(`${terraform}/outputs.tf`))],
    );
    return [
      ...missing.map((what) => `lacks ${what} of infra/bicep`),
      ...surplus
        .filter((what) => !onlyInTerraform.includes(what))
        .map((what) => `has ${what}, which infra/bicep lacks`),
      ...(name === 'main' ? names(text(bicep), text(`${terraform}/main.tf`)) : []),
      ...Object.entries(ofBicep).flatMap(([what, parameter]) =>
        (['description', 'default', 'allowed'] as const)
          .filter((part) => ofTerraform[what] !== undefined && ofTerraform[what][part] !== parameter[part])
          .map(
            (part) => `the ${part} of ${what} is ${ofTerraform[what]?.[part]}; in Bicep ${parameter[part]}`,
          ),
      ),
    ].map((message) => ({ file: `${terraform}/variables.tf`, message }));
  });
}

/** Both take each name of resourceNames, and make the others of subscription, environment and region: two deployments never meet. */
function names(bicep: string, terraform: string): string[] {
  const [, declared = ''] = /^type ownNames = \{\n([\s\S]*?)^\}/m.exec(bicep) ?? [];
  const given = [...declared.matchAll(/^ {2}(\w+): string\?$/gm)].map(([, name = '']) => name);
  const of = {
    bicep: { text: bicep, suffix: /uniqueString\(subscription\(\)\.id, environmentName, location\)/ },
    terraform: {
      text: terraform,
      suffix:
        /\$\{data\.azurerm_client_config\.current\.subscription_id\}\/\$\{var\.environment_name\}\/\$\{var\.location\}/,
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

/** A literal in either language, without its quotes and blanks. */
const plain = (text: string) => text.replaceAll(/['"\s]/g, '').replaceAll('\\', '');

function inBicep(text: string): Record<string, Parameter> {
  const declared = text.matchAll(/^@description\('(.*)'\)\n((?:@.*\n)*)param (\w+) [^=\n]*(?:= (.*))?$/gm);
  return Object.fromEntries(
    [...declared].map(([, description = '', decorators = '', name = '', value]) => [
      snakeCase(name),
      {
        description: plain(description),
        default: value === undefined ? 'required' : plain(value),
        allowed: plain(/@allowed\(\[(.*)\]\)/.exec(decorators)?.[1] ?? ''),
      },
    ]),
  );
}

function inTerraform(text: string): Record<string, Parameter> {
  const declared = text.matchAll(/^variable "(\w+)" \{\n([\s\S]*?)^\}$/gm);
  return Object.fromEntries(
    [...declared].map(([, name = '', body = '']) => {
      const value = /^ {2}default\s*= (.*)$/m.exec(body)?.[1];
      return [
        name,
        {
          description: plain(/^ {2}description\s*= "(.*)"$/m.exec(body)?.[1] ?? 'missing'),
          default: value === undefined ? 'required' : plain(value),
          allowed: plain(new RegExp(`contains\\(\\[(.*)\\], var\\.${name}\\)`).exec(body)?.[1] ?? ''),
        },
      ];
    }),
  );
}
