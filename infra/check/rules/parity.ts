import type { Finding, Module, Parameter, Project, Stack } from '../model.ts';
import { appSettings } from './settings.ts';
import { difference, namesIn, show } from './walk.ts';
import { wordsOf } from './words.ts';

/** Parameters that one stack alone has, with the reason. */
export const onlyInTerraform: Readonly<Record<string, string>> = {
  resource_group_name:
    'Bicep deploys a module into the scope of a resource group; Terraform names it at each resource.',
  resource_group_id: 'The same, where a resource wants the id.',
  subscription_id: 'Bicep deploys into the subscription of the Azure CLI.',
};
/** Parameters that Bicep alone has, with the reason. */
export const onlyInBicep: Readonly<Record<string, string>> = {
  current_month: 'Bicep knows the time only in the default of a parameter.',
};

/** Both stacks have the same modules, parameters, outputs, uses of modules, settings and log categories. */
export function parity({ bicep, terraform }: Project): Finding[] {
  const names = new Set([...Object.keys(bicep.modules), ...Object.keys(terraform.modules)]);
  return [
    ...[...names].flatMap((name) => modules(name, bicep.modules[name], terraform.modules[name])),
    ...settingValues(bicep, terraform),
  ];
}

function modules(name: string, one: Module | undefined, other: Module | undefined): Finding[] {
  if (!one || !other) {
    const [has, lacks] = one ? ['bicep', 'terraform'] : ['terraform', 'bicep'];
    return [{ file: `infra/${lacks}`, message: `lacks the module ${name} of infra/${has}` }];
  }
  const found = [
    ...sameNames(
      'parameter',
      withoutOwn(one.parameters, onlyInBicep),
      withoutOwn(other.parameters, onlyInTerraform),
    ),
    ...sameNames('output', one.outputs, other.outputs),
    ...Object.entries(one.parameters).flatMap(([key, value]) =>
      sameParameter(key, value, other.parameters[key]),
    ),
    ...sameCalls(one, other),
    ...sameCategories(one, other),
  ];
  return found.map((message) => ({ file: other.file, message }));
}

const withoutOwn = <T>(parameters: Readonly<Record<string, T>>, own: object) =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !(name in own)));

function sameNames(what: string, one: object, other: object): string[] {
  const [missing, surplus] = difference(Object.keys(one), Object.keys(other));
  return [
    ...missing.map((name) => `lacks the ${what} ${name} of infra/bicep`),
    ...surplus.map((name) => `has the ${what} ${name}, which infra/bicep lacks`),
  ];
}

function sameParameter(name: string, one: Parameter, other: Parameter | undefined): string[] {
  if (!other) return [];
  const faults = [];
  if (one.type !== other.type) faults.push(`the type of ${name} is ${other.type}; in Bicep ${one.type}`);
  if (one.description !== other.description)
    faults.push(`the description of ${name} differs from the one in Bicep`);
  if (one.allowed.join() !== other.allowed.join()) faults.push(`the values allowed for ${name} differ`);
  if (show(one.default) !== show(other.default))
    faults.push(`the default of ${name} is ${show(other.default)}; in Bicep ${show(one.default)}`);
  return faults;
}

function sameCalls(one: Module, other: Module): string[] {
  const shape = (module: Module) => module.calls.map((call) => `${call.symbol} (${call.module})`);
  const [missing, surplus] = difference(shape(one), shape(other));
  return [
    ...missing.map((call) => `lacks the use of a module ${call}`),
    ...surplus.map((call) => `has the use of a module ${call}, which infra/bicep lacks`),
    ...one.calls.flatMap((call) => {
      const twin = other.calls.find(({ symbol }) => symbol === call.symbol);
      if (!twin) return [];
      return Object.entries(call.arguments).flatMap(([name, value]) =>
        sameWords(`${call.symbol}.${name}`, value, twin.arguments[name]),
      );
    }),
  ];
}

function sameWords(
  name: string,
  one: Parameters<typeof wordsOf>[0],
  other: Parameters<typeof wordsOf>[0],
): string[] {
  if (one === other || wordsOf(one).join() === wordsOf(other).join()) return [];
  return [`${name} is ${show(other)}; in Bicep ${show(one)}`];
}

/** Categories of diagnostic settings, and how often each appears. */
function sameCategories(one: Module, other: Module): string[] {
  const [bicep, terraform] = [one, other].map((module) =>
    module.resources
      .filter(({ type }) => /diagnosticSettings|diagnostic_setting/.test(type))
      .flatMap(({ body }) =>
        [...namesIn(body)].filter(({ name }) => name === 'category').map(({ value }) => show(value)),
      )
      .sort()
      .join(', '),
  );
  return bicep === terraform
    ? []
    : [`diagnostic settings collect ${terraform || 'nothing'}; in Bicep ${bicep || 'nothing'}`];
}

function settingValues(bicep: Stack, terraform: Stack): Finding[] {
  const [one, other] = [appSettings(bicep), appSettings(terraform)];
  const file = terraform.modules['main']?.file ?? 'infra/terraform';
  return Object.entries(one)
    .filter(([name]) => name in other)
    .flatMap(([name, value]) => sameWords(name, value, other[name]).map((message) => ({ file, message })));
}
