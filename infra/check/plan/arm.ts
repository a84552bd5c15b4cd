/** Resources of Terraform's providers as Azure Resource Manager gets them. */

import { armTypes } from './arm-types.ts';
import { type Data, textOf } from './data.ts';
import { type Arguments, type ArmType, groupId, list, object, type Place, placed, put } from './places.ts';
import type { PlannedResource } from './plan.ts';

const everywhere: Readonly<Record<string, Place>> = {
  ...{ location: 'location', tags: 'tags', name: '', resource_group_name: '' },
  ...{ retry: '', schema_validation_enabled: '', ignore_null_property: '', response_export_values: '' },
};

const typeOf = (type: string): ArmType => {
  const found = armTypes[type];
  if (!found) throw new ReferenceError(`infra/check/plan/arm-types.ts does not have ${type}`);
  return found;
};
const apiTypeOf = (type: string, args: Arguments) =>
  typeOf(type).type || (textOf(args['type'] ?? '').split('@')[0] ?? '');

function idOf(type: string, args: Arguments): string {
  const { id = `{group}/providers/${typeOf(type).type}/{name}` } = typeOf(type);
  if (typeof id === 'function') return id(args);
  const values: Arguments = { ...args, group: groupId(args['resource_group_name']) };
  return id.replaceAll(/\{(\w+)\}/g, (_, name) => textOf(values[name] ?? ''));
}

/** Translates a resource. Throws a ReferenceError for a type that is not known here. */
export function toArm(type: string, args: Arguments): PlannedResource[] {
  const { id = '', places = {}, implied = {}, parts } = typeOf(type);
  const inId =
    typeof id === 'string' ? [...id.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, '']) : [];
  const all = { ...everywhere, ...Object.fromEntries(inId), ...places };
  const body = placed(args, all, 'properties.');
  for (const [path, value] of Object.entries(implied))
    put(body, path.split('.'), valueAt(body, path) ?? value);
  const whole = { type: apiTypeOf(type, args), id: idOf(type, args), body };
  return [whole, ...(parts?.(args) ?? []).map((part) => ({ ...part, id: `${whole.id}/${part.id}` }))];
}

const valueAt = (body: Data, path: string): Data | undefined =>
  path.split('.').reduce<Data | undefined>((here, step) => object(here)[step], body);

/** The label of an attribute that only Azure knows, such as `<id-dev:clientId>`; of `output` an object of labels; undefined: no label. */
export function labelOf(type: string, args: Arguments, name: string): string | object | undefined {
  const id = idOf(type, args);
  const last = id.split('/').at(-1) ?? '';
  if (name === 'id') return type.startsWith('azuread_') ? `<${last}:id>` : id;
  const { exports = {} } = typeOf(type);
  if (name !== 'output') return name in exports ? `<${last}:${exports[name]}>` : undefined;
  const output: Record<string, Data> = {};
  for (const path of list(args['response_export_values']).map(textOf))
    put(output, path.split('.'), `<${last}:${exports[path] ?? path}>`);
  return output;
}
