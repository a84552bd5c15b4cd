/** What a deployment would make, in one shape for both stacks: that of Azure Resource Manager. */

import type { StackName } from '../../deploy/environments.ts';
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
  /** The hash that the stack makes names of, for which resources and outputs have one suffix; '': none. */
  readonly hash: string;
}

/** A value without nulls and empty parts, its names in order: comparable as JSON. */
export function clean(value: Data | undefined): Data {
  if (Array.isArray(value)) return value.map(clean).filter((item) => item !== null);
  if (typeof value !== 'object' || value === null) return value ?? null;
  const entries = Object.entries(value)
    .map(([name, inner]) => {
      // The names of an object whose values are empty.
      const isList = name === 'userAssignedIdentities' && !Array.isArray(inner);
      return [name, clean(isList ? Object.keys(inner ?? {}) : inner)] as const;
    })
    .filter(([, inner]) => !isNothing(inner))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries);
}

function isNothing(value: Data): boolean {
  if (value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** A plan with its resources in order, without what says nothing. */
export function normalized(
  resources: readonly PlannedResource[],
  outputs: Readonly<Record<string, Data>>,
  hash: string,
): Plan {
  const cleaned = resources.map((resource) => ({
    ...resource,
    body: clean(resource.body) as PlannedResource['body'],
  }));
  return {
    resources: cleaned.sort((a, b) => (a.id < b.id ? -1 : 1)),
    outputs: clean({ ...outputs }) as Plan['outputs'],
    hash,
  };
}

/** Resources of Graph have no id: they are named by what they are about. */
export const nameInGraph = (body: PlannedResource['body']): string =>
  String(body['uniqueName'] ?? body['appId'] ?? body['principalId'] ?? '');

/** What is planned: a template, and its values as each stack is given them. */
export interface Question {
  readonly template: 'main' | 'entra';
  /** The variables that the parameter file of Bicep reads, and parameters over it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, Data>>;
  /** The variables of Terraform. */
  readonly variables: Readonly<Record<string, Data>>;
}

/** A tool that a plan needs is not on this machine. */
export class ToolMissing extends Error {}

/** The plans of one set, with each stack that there is. Where a plan fails, its reason stands in its place. */
export interface SetOfPlans {
  readonly name: string;
  readonly ofStack: Partial<Record<StackName, Plan | Error>>;
}

/** The plan that rules of meaning look at: that of Bicep, where that is there. The other must be the same. */
export const planOf = ({ ofStack: { bicep, terraform } }: SetOfPlans): Plan | Error =>
  bicep ?? terraform ?? new ToolMissing('no stack');
