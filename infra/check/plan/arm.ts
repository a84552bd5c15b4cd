/** Resources of Terraform's providers as Azure Resource Manager gets them. What a provider implies is written out here. */

import { entra } from './arm/entra.ts';
import { gateway } from './arm/gateway.ts';
import { monitoring } from './arm/monitoring.ts';
import { network } from './arm/network.ts';
import { platform } from './arm/platform.ts';
import { storageAndSql } from './arm/storage-and-sql.ts';
import { type Arguments, inGroup, list, type Translation } from './arm/translation.ts';
import { type Data, textOf } from './data.ts';
import type { PlannedResource } from './plan.ts';

const translations: Readonly<Record<string, Translation>> = {
  ...platform,
  ...storageAndSql,
  ...monitoring,
  ...network,
  ...gateway,
  ...entra,
};

/** Arguments that tell the provider how to work, and change nothing in Azure; infra/check/plan/declared.ts writes down those that matter. */
const ofProvider = [
  'retry',
  'schema_validation_enabled',
  'ignore_null_property',
  'response_export_values',
  // The first revision of an API, and what a delegation implies.
  'revision',
  'delegation.0.service_delegation.0.actions',
];

/** Arguments that note which of them were read, and a function that lists the others; a translation that passes over one would hide it. */
function watch(args: Arguments): { watched: Arguments; unread: () => string[] } {
  const visited = new Set<string>();
  const all: string[] = [];
  const wrap = (value: Data, path: string): Data => {
    if (typeof value !== 'object' || value === null) return value;
    const inner = Object.entries(value);
    for (const [name, item] of inner) if (!isNothing(item)) all.push(`${path}${name}`);
    const wrapped = Object.fromEntries(inner.map(([name, item]) => [name, wrap(item, `${path}${name}.`)]));
    const unwrapped = Array.isArray(value) ? Object.values(wrapped) : wrapped;
    return new Proxy(unwrapped, {
      get(from, name, receiver) {
        if (typeof name === 'string') visited.add(`${path}${name}`);
        return Reflect.get(from, name, receiver);
      },
    });
  };
  const parent = (path: string) => path.split('.').slice(0, -1).join('.');
  // What was handed on as a whole has no part that was read.
  const unread = () => {
    const opened = new Set(['', ...[...visited].map(parent)]);
    return all.filter((path) => !visited.has(path) && opened.has(parent(path)));
  };
  return { watched: wrap(args, '') as Arguments, unread };
}

const isNothing = (value: Data) => value === null || (Array.isArray(value) && value.length === 0);

const translationOf = (type: string): Translation => {
  const translation = translations[type];
  if (!translation) throw new ReferenceError(`infra/check/plan/arm has no translation of ${type}`);
  return translation;
};
const armTypeOf = (type: string, args: Arguments) =>
  translationOf(type).type || (textOf(args['type'] ?? null).split('@')[0] ?? '');
const idOf = (type: string, args: Arguments) =>
  translationOf(type).id?.(args) ?? inGroup(args, armTypeOf(type, args), textOf(args['name'] ?? null));

/** Translates a resource. Throws a ReferenceError for a type or an argument that is not known here. */
export function toArm(type: string, args: Arguments): PlannedResource[] {
  const translation = translationOf(type);
  const { watched, unread } = watch(args);
  const [armType, id] = [armTypeOf(type, watched), idOf(type, watched)];
  const parts = (translation.parts?.(watched) ?? []).map((part) => ({
    type: part.type,
    id: `${id}/${part.path}`,
    body: part.body,
  }));
  const whole = armType === 'none' ? [] : [{ type: armType, id, body: translation.body(watched) }];
  const unreadParts = unread().filter(
    (path) => !ofProvider.some((item) => path === item || path.startsWith(`${item}.`)),
  );
  if (unreadParts.length > 0)
    throw new ReferenceError(`${type}.${unreadParts.join(', ')} is not carried over by infra/check/plan/arm`);
  return [...whole, ...parts];
}

/** Paths of what azapi resources export, by their labels. */
const exportLabels: Readonly<Record<string, string>> = { 'properties.defaultHostName': 'hostName' };

/** The label of an attribute that only Azure knows, such as `<id-dev:clientId>`; of `output` an object of labels; undefined: no label. */
export function labelOf(type: string, args: Arguments, name: string): string | object | undefined {
  const id = idOf(type, args);
  const last = id.split('/').at(-1) ?? '';
  if (name === 'id') return type.startsWith('azuread_') ? `<${last}:id>` : id;
  if (name === 'identity.0.principal_id') return `<${last}:principalId>`;
  if (name === 'output')
    return list(args['response_export_values'])
      .map(textOf)
      .reduce<object>(
        (made, path) => withPath(made as Labels, path.split('.'), `<${last}:${exportLabels[path] ?? path}>`),
        {},
      );
  const label = translationOf(type).exports?.[name];
  return label === undefined ? undefined : `<${last}:${label}>`;
}

interface Labels {
  readonly [name: string]: string | Labels;
}

/** An object with a value at a path of names. */
function withPath(made: Labels, [first = '', ...rest]: readonly string[], value: string): Labels {
  const inner = made[first];
  return {
    ...made,
    [first]: rest.length === 0 ? value : withPath(typeof inner === 'object' ? inner : {}, rest, value),
  };
}
