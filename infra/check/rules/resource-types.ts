import facts from '../../facts/arm-resource-types.json' with { type: 'json' };
import { allModules, type Finding, isObject, type Project, type Resource, type Value } from '../model.ts';
import { armBody, place } from './walk.ts';

/** What is known of a property: whether it must be there, its closed set of values, and what is inside. */
interface Property {
  readonly required?: boolean;
  readonly values?: readonly string[];
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Property>>;
  readonly items?: Property;
  /** True: any further name is allowed. */
  readonly open?: boolean;
}
interface ArmType extends Property {
  readonly version: string;
}

const armTypes: Readonly<Record<string, ArmType>> = facts;
/** Words of Bicep and azapi beside the properties of a resource. */
const ofTheStack = ['scope', 'parent', 'dependsOn', 'name', 'parent_id', 'location', 'tags', 'identity'];

/** Types, API versions, properties and values of resources are those that Azure knows (infra/facts). */
export function resourceTypes(project: Project): Finding[] {
  return allModules(project)
    .flatMap(({ module }) => module.resources)
    .filter(({ version }) => version !== '')
    .flatMap((resource) => check(resource).map((message) => ({ file: place(resource), message })));
}

function check(resource: Resource): string[] {
  const type = resource.type.replace('existing ', '');
  const resourceType = armTypes[type];
  if (!resourceType) return [`there is no resource type ${type}`];
  const faults = [];
  if (resourceType.version !== resource.version)
    faults.push(`${type} has the API version ${resource.version}; it should be ${resourceType.version}`);
  if (resource.type.startsWith('existing ')) return faults;
  const viaAzapi = 'body' in resource.body;
  return [
    ...faults,
    ...inside(type, resourceType, armBody(resource), viaAzapi ? ofTheStack : [], ofTheStack),
  ];
}

function inside(
  path: string,
  property: Property,
  value: Value,
  given: string[],
  allowed: string[] = [],
): string[] {
  if (Array.isArray(value))
    return value.flatMap((item) => inside(path, property.items ?? property, item, []));
  if (!isObject(value)) return wrongValue(path, property, value);
  if (!property.properties) return [];
  const missing = Object.entries(property.properties)
    .filter(([name, { required }]) => required && !(name in value) && !given.includes(name))
    .map(([name]) => `${path} lacks ${name}`);
  return [
    ...missing,
    ...Object.entries(value).flatMap(([name, inner]) => checkMember(path, property, name, inner, allowed)),
  ];
}

function checkMember(
  path: string,
  property: Property,
  name: string,
  value: Value,
  allowed: string[],
): string[] {
  const inner = property.properties?.[name];
  if (inner) return inside(`${path}.${name}`, inner, value, []);
  return property.open || allowed.includes(name) ? [] : [`${path} has no property ${name}`];
}

function wrongValue(path: string, { values, type }: Property, value: Value): string[] {
  if (typeof value === 'string' && values && !values.includes(value))
    return [`${path} is '${value}'; it must be one of ${values.join(', ')}`];
  if (type === 'bool' && (typeof value === 'string' || typeof value === 'number'))
    return [`${path} must be true or false`];
  if (type === 'int' && typeof value === 'string') return [`${path} must be a number`];
  return [];
}
