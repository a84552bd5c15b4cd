/** How a resource of a Terraform provider is translated, and what all translations share. */

import { type Data, textOf } from '../data.ts';
import { subscriptionId } from '../ids.ts';

export type Arguments = Readonly<Record<string, Data>>;

/** How one resource type of a provider is translated. */
export interface Translation {
  readonly type: string;
  /** The id, from the arguments; without one: name under the resource group. */
  readonly id?: (args: Arguments) => string;
  readonly body: (args: Arguments) => Record<string, Data>;
  /** Parts that are separate resources in Azure: the rest of the type, the name, and the body. */
  readonly parts?: (args: Arguments) => readonly { type: string; path: string; body: Record<string, Data> }[];
  /** What else can be read from it: the label by the attribute's name. */
  readonly exports?: Readonly<Record<string, string>>;
}

/** `/subscriptions/.../resourceGroups/<name>/providers/<type>/<name>`. */
export function inGroup(args: Arguments, type: string, ...names: string[]): string {
  const [namespace = '', ...parts] = type.split('/');
  const group = groupId(textOf(args['resource_group_name'] ?? null));
  return [group, 'providers', namespace, ...parts.flatMap((part, index) => [part, names[index] ?? ''])].join(
    '/',
  );
}

export const groupId = (name: string) => `/subscriptions/${subscriptionId}/resourceGroups/${name}`;
export const list = (value: Data | undefined): Data[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
export const first = (value: Data | undefined): Data => list(value)[0] ?? null;
export const text = (value: Data | undefined): string => textOf(value ?? null);
export const enabled = (value: Data | undefined): string => (value === true ? 'Enabled' : 'Disabled');
export const object = (value: Data | undefined): Record<string, Data> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
/** Some arguments under other names: `{ location: 'location' }`. */
export const pick = (args: Arguments | Data, names: Readonly<Record<string, string>>): Record<string, Data> =>
  Object.fromEntries(Object.entries(names).map(([to, from]) => [to, object(args as Data)[from] ?? null]));
/** Location and tags. */
export const placed = (args: Arguments) => pick(args, { location: 'location', tags: 'tags' });
