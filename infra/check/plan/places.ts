/** How a resource type of a Terraform provider is described in Azure's form: what the provider renames, nests or implies. */

import { type Data, textOf } from './data.ts';
import { subscriptionId } from './ids.ts';
import type { PlannedResource } from './plan.ts';

export type Arguments = Readonly<Record<string, Data>>;
/** Where an argument goes: a path in the body, '' for nowhere, or a function that gives values by their paths. */
export type Place = string | ((value: Data, args: Arguments) => Readonly<Record<string, Data>>);

/** How a resource type of a provider becomes one of Azure. */
export interface ArmType {
  readonly type: string;
  /** The id, with `{arguments}` and `{group}`. Default: the name in the resource group. */
  readonly id?: string | ((args: Arguments) => string);
  /** Arguments that are not `properties.<name in camelCase>`. */
  readonly places?: Readonly<Record<string, Place>>;
  /** What the provider implies, by paths. */
  readonly implied?: Readonly<Record<string, Data>>;
  /** Parts that are separate resources in Azure; their ids go on from that of the whole. */
  readonly parts?: (args: Arguments) => readonly PlannedResource[];
  /** What else can be read from it: the label by the attribute's name. */
  readonly exports?: Readonly<Record<string, string>>;
}

export const camelCase = (name: string) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
export const list = (value: Data | undefined): Data[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
export const object = (value: Data | undefined): Record<string, Data> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
/** The first block of a list. */
export const firstOf = (value: Data | undefined) => object(list(value)[0]);
export const groupId = (name: Data = '') => `/subscriptions/${subscriptionId}/resourceGroups/${textOf(name)}`;

/** The values of arguments by their places. */
export function placed(
  args: Arguments,
  places: Readonly<Record<string, Place>>,
  base = '',
): Record<string, Data> {
  const body: Record<string, Data> = {};
  for (const [name, value] of Object.entries(args)) {
    const place = places[name] ?? `${base}${camelCase(name)}`;
    const values = typeof place === 'string' ? (place === '' ? {} : { [place]: value }) : place(value, args);
    for (const [path, item] of Object.entries(values)) put(body, path.split('.'), item);
  }
  return body;
}

export function put(body: Record<string, Data>, [first = '', ...rest]: readonly string[], value: Data): void {
  if (rest.length === 0) body[first] = value;
  else {
    body[first] = { ...object(body[first]) };
    put(body[first], rest, value);
  }
}

/** Puts a block at a path, its arguments under their own places. */
export const block =
  (path: string, places: Readonly<Record<string, Place>> = {}): Place =>
  (value) =>
    Object.fromEntries(
      Object.entries(placed(object(list(value)[0]), places)).map(([name, item]) => [`${path}.${name}`, item]),
    );

/** Puts a list of blocks at a path. */
export const blocks =
  (path: string, places: Readonly<Record<string, Place>> = {}): Place =>
  (value) => ({ [path]: list(value).map((item) => placed(object(item), places)) });
