import { type Finding, isObject, type Module, type Project, type Value } from '../model.ts';
import { difference } from './walk.ts';

/** Arguments that only say how Terraform goes about it. */
const ways = ['type', 'lifecycle', 'retry', 'response_export_values'];
/** What one language writes out and the other implies, by the kind of resource or by the name of an argument. */
const ownWords: Readonly<Record<'bicep' | 'terraform', readonly string[]>> = {
  bicep: [
    ...['global', 'default', 'policy', 'Enabled', 'None'],
    ...['LogAlert', 'standard', 'StaticThresholdCriterion', 'Cost', 'ActiveDirectory'],
    'Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria',
    'Microsoft.Azure.Monitor.WebtestLocationAvailabilityCriteria',
    ...['FlexConsumption', 'functionapp', 'allErrors', 'applicationInsights', 'fixed', 'rawxml'],
  ],
  terraform: [
    ...['Linux', 'Standard', 'private', 'TLS1_2'],
    'Microsoft.Network/virtualNetworks/subnets/action',
    'Microsoft.Network/virtualNetworks/subnets/join/action',
  ],
};

/** The resources of a module have the same numbers and words in both stacks, apart from what a language implies. */
export function values({ bicep, terraform }: Project): Finding[] {
  return Object.entries(bicep.modules).flatMap(([name, item]) => {
    const other = terraform.modules[name];
    if (!other) return [];
    const [missing, surplus] = difference(wordsOf(item), wordsOf(other));
    return [
      ...missing
        .filter((word) => !ownWords.bicep.includes(word))
        .map((word) => ({ file: other.file, message: `no resource has the value ${word} of infra/bicep` })),
      ...surplus
        .filter((word) => !ownWords.terraform.includes(word))
        .map((word) => ({
          file: item.file,
          message: `no resource has the value ${word} of infra/terraform`,
        })),
    ];
  });
}

function wordsOf({ resources }: Module): string[] {
  return resources
    .filter(({ type }) => !type.startsWith('existing '))
    .flatMap(({ body }) => Object.entries(body))
    .flatMap(([name, value]) => (ways.includes(name) ? [] : [...literals(value)]));
}

/** Every number and every text that is no expression, at any depth. */
function* literals(value: Value): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* literals(item);
  else if (isObject(value)) for (const inner of Object.values(value)) yield* literals(inner);
  else if (typeof value === 'number' || (typeof value === 'string' && value !== '')) yield String(value);
}
