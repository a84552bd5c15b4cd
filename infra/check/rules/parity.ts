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

function modules(name: string, item: Module | undefined, other: Module | undefined): Finding[] {
  if (!item || !other) {
    const [has, lacks] = item ? ['bicep', 'terraform'] : ['terraform', 'bicep'];
    return [{ file: `infra/${lacks}`, message: `lacks the module ${name} of infra/${has}` }];
  }
  const found = [
    ...sameNames(
      'parameter',
      withoutOwn(item.parameters, onlyInBicep),
      withoutOwn(other.parameters, onlyInTerraform),
    ),
    ...sameNames('output', item.outputs, other.outputs),
    ...Object.entries(item.parameters).flatMap(([key, value]) =>
      sameParameter(key, value, other.parameters[key]),
    ),
    ...sameCalls(item, other),
    ...sameCategories(item, other),
  ];
  return found.map((message) => ({ file: other.file, message }));
}

const withoutOwn = <T>(parameters: Readonly<Record<string, T>>, ownParameters: object) =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !(name in ownParameters)));

function sameNames(what: string, item: object, other: object): string[] {
  const [missing, surplus] = difference(Object.keys(item), Object.keys(other));
  return [
    ...missing.map((name) => `lacks the ${what} ${name} of infra/bicep`),
    ...surplus.map((name) => `has the ${what} ${name}, which infra/bicep lacks`),
  ];
}

function sameParameter(name: string, item: Parameter, other: Parameter | undefined): string[] {
  if (!other) return [];
  const faults = [];
  if (item.type !== other.type) faults.push(`the type of ${name} is ${other.type}; in Bicep ${item.type}`);
  if (item.description !== other.description)
    faults.push(`the description of ${name} differs from the one in Bicep`);
  if (item.allowed.join() !== other.allowed.join()) faults.push(`the values allowed for ${name} differ`);
  if (show(item.default) !== show(other.default))
    faults.push(`the default of ${name} is ${show(other.default)}; in Bicep ${show(item.default)}`);
  return faults;
}

function sameCalls(item: Module, other: Module): string[] {
  const shape = (module: Module) => module.calls.map((call) => `${call.symbol} (${call.module})`);
  const [missing, surplus] = difference(shape(item), shape(other));
  return [
    ...missing.map((call) => `lacks the use of a module ${call}`),
    ...surplus.map((call) => `has the use of a module ${call}, which infra/bicep lacks`),
    ...item.calls.flatMap((call) => {
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
  item: Parameters<typeof wordsOf>[0],
  other: Parameters<typeof wordsOf>[0],
): string[] {
  if (item === other || wordsOf(item).join() === wordsOf(other).join()) return [];
  return [`${name} is ${show(other)}; in Bicep ${show(item)}`];
}

/** Categories of diagnostic settings, and how often each appears. */
function sameCategories(item: Module, other: Module): string[] {
  const [bicep, terraform] = [item, other].map((module) =>
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
  const [item, other] = [appSettings(bicep), appSettings(terraform)];
  const file = terraform.modules['main']?.file ?? 'infra/terraform';
  return Object.entries(item)
    .filter(([name]) => name in other)
    .flatMap(([name, value]) => sameWords(name, value, other[name]).map((message) => ({ file, message })));
}
