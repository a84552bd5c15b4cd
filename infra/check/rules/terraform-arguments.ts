import { type Finding, isObject, type Project, type Resource, type Value } from '../model.ts';
import { type Argument, type ResourceType, resourceTypes } from '../terraform/facts.ts';
import { wrongValues } from '../terraform/wrong-values.ts';
import { place } from './walk.ts';

const metaArguments = ['count', 'for_each', 'depends_on', 'lifecycle', 'provider', 'timeouts'];

/** Terraform resources have the arguments that their provider's version knows, and all that it requires (infra/facts). */
export function terraformArguments({ terraform }: Project): Finding[] {
  return Object.values(terraform.modules)
    .flatMap((module) => module.resources)
    .flatMap((resource) => check(resource).map((message) => ({ file: place(resource), message })));
}

function check(resource: Resource): string[] {
  const name = 'parent_id' in resource.body ? 'azapi_resource' : resource.type;
  const type = resourceTypes[name];
  if (!type) return [`there is no resource ${name}`];
  return [...inBlock(name, type, type.arguments, resource.body), ...wrongValues(name, resource.body)];
}

function inBlock(
  path: string,
  type: ResourceType,
  declared: Readonly<Record<string, Argument>>,
  block: Readonly<Record<string, Value>>,
): string[] {
  const missing = Object.keys(declared).filter((name) => declared[name]?.required && !(name in block));
  const unknown = Object.keys(block).filter((name) => !(name in declared) && !metaArguments.includes(name));
  const nested = Object.entries(block).flatMap(([name, value]) => {
    const inner = type.blocks[name];
    return inner && name in declared
      ? blocks(value).flatMap((item) => inBlock(`${path}.${name}`, type, inner, item))
      : [];
  });
  return [
    ...missing.map((name) => `${path} lacks ${name}`),
    ...unknown.map((name) => `${path} has no argument ${name}`),
    ...nested,
  ];
}

const blocks = (value: Value) => (Array.isArray(value) ? value.filter(isObject) : []);
