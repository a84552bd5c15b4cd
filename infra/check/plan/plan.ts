/** What a deployment would make, in one shape for both stacks: that of Azure Resource Manager. */

import type { Data } from './data.ts';

/** One resource. Values that only Azure knows are labels: `<id-dev:clientId>`. */
export interface PlannedResource {
  readonly type: string;
  readonly id: string;
  readonly body: { readonly [name: string]: Data };
  /** Of the API, where the stack names it. */
  readonly version?: string;
}

export interface Plan {
  readonly resources: readonly PlannedResource[];
  readonly outputs: Readonly<Record<string, Data>>;
}

/** A value without nulls and empty parts, its names in order: comparable as JSON. */
export function clean(value: Data | undefined): Data {
  if (Array.isArray(value)) return value.map(clean).filter((item) => item !== null);
  if (typeof value !== 'object' || value === null) return value ?? null;
  const entries = Object.entries(value)
    .map(
      ([name, inner]) =>
        [name, name === 'userAssignedIdentities' ? identities(inner) : clean(inner)] as const,
    )
    .filter(([, inner]) => !isNothing(inner))
    .sort(([item], [other]) => (item < other ? -1 : 1));
  return Object.fromEntries(entries);
}

/** Identities are the names of an object whose values are empty. */
function identities(value: Data): Data {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.keys(value).map((id) => [id, true]))
    : null;
}

function isNothing(value: Data): boolean {
  if (value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** A plan in comparable form: resources and settings in order, without what differs in form only. */
export function normalized(
  resources: readonly PlannedResource[],
  outputs: Readonly<Record<string, Data>>,
): Plan {
  const cleaned = folded(resources).map(({ type, id, body, version = '' }) => ({
    ...normalizedResource(type, id, clean(body) as PlannedResource['body']),
    version,
  }));
  return {
    resources: cleaned.sort((item, other) => (item.id < other.id ? -1 : 1)),
    outputs: clean({ ...outputs }) as Plan['outputs'],
  };
}

/** Lists whose order means nothing, by the name of what they belong to. */
const unordered: Readonly<Record<string, string>> = {
  appSettings: 'name',
  logs: 'category',
  metrics: 'category',
  emailReceivers: 'name',
  Locations: 'Id',
  accessToken: 'name',
};

function normalizedResource(type: string, id: string, body: PlannedResource['body']): PlannedResource {
  const sorted = sortLists(body) as PlannedResource['body'];
  if (type !== 'Microsoft.Authorization/roleAssignments') return { type, id, body: sorted };
  // The name is a hash of the rest; what matters is who, what and where.
  const properties = sorted['properties'] as Record<string, string>;
  const role = properties['roleDefinitionId']?.split('/').at(-1);
  const [scope] = id.split('/providers/Microsoft.Authorization/roleAssignments/');
  return {
    type,
    id: `${scope}/providers/Microsoft.Authorization/roleAssignments/${role} ${properties['principalId']}`,
    body: sorted,
  };
}

function sortLists(value: Data, name = ''): Data {
  const key = unordered[name];
  if (Array.isArray(value)) {
    const items = value.map((item) => sortLists(item));
    if (key === undefined) return items;
    const text = (item: Data) => String((item as Record<string, Data>)[key]);
    return items.sort((item, other) => (text(item) < text(other) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([inner, item]) => [inner, sortLists(item, inner)]));
}

/** Adds what is a resource in Terraform, of the type `part`, and a property of another resource in Azure, which has the same id. */
function folded(resources: readonly PlannedResource[]): PlannedResource[] {
  const parts = resources.filter(({ type }) => type === 'part');
  return resources
    .filter(({ type }) => type !== 'part')
    .map((resource) => ({
      ...resource,
      body: parts
        .filter(({ id }) => id === resource.id)
        .reduce<Data>((body, part) => merged(body, { ...part.body }), {
          ...resource.body,
        }) as PlannedResource['body'],
    }));
}

/** Two values as one: objects by their names, lists one after the other. */
function merged(value: Data | undefined, other: Data): Data {
  if (Array.isArray(value) && Array.isArray(other)) return [...value, ...other];
  if (typeof value !== 'object' || typeof other !== 'object' || value === null || other === null)
    return other;
  const [item, more] = [value, other] as Record<string, Data>[];
  const names = Object.entries(more ?? {}).map(([name, inner]) => [name, merged(item?.[name], inner)]);
  return { ...item, ...Object.fromEntries(names) };
}

/** A tool that a plan needs is not on this machine. */
export class ToolMissing extends Error {}

/** Both plans of one set. Where a plan fails, its reason stands in its place. */
export interface SetOfPlans {
  readonly name: string;
  readonly bicep: Plan | Error;
  readonly terraform: Plan | Error;
}
