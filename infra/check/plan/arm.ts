/** Resources of Terraform's providers as Azure Resource Manager gets them. What a provider implies is written out here. */

import { entra } from './arm/entra.ts';
import { gateway } from './arm/gateway.ts';
import { monitoring } from './arm/monitoring.ts';
import { network } from './arm/network.ts';
import { platform } from './arm/platform.ts';
import { storageAndSql } from './arm/storage-and-sql.ts';
import { type Arguments, first, inGroup, list, object, type Translation } from './arm/translation.ts';
import { type Data, Runtime, textOf } from './data.ts';
import { Lazy, type PlannedResource } from './plan.ts';

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
    if (typeof value !== 'object' || value === null || value instanceof Runtime) return value;
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

/** Translates a resource. Throws a ReferenceError for a type that is not known here. */
export function toArm(type: string, args: Arguments): { resources: PlannedResource[]; value: Data } {
  const translation = translations[type];
  if (!translation) throw new ReferenceError(`infra/check/plan/arm has no translation of ${type}`);
  const armType =
    translation.type === '' ? (textOf(args['type'] ?? null).split('@')[0] ?? '') : translation.type;
  const { watched, unread } = watch(args);
  const id = translation.id?.(watched) ?? inGroup(watched, armType, textOf(watched['name'] ?? null));
  const parts = (translation.parts?.(watched) ?? []).map((part) => ({
    type: part.type,
    id: `${id}/${part.path}`,
    body: part.body,
  }));
  const lastPart = armType === 'none' ? [] : [{ type: armType, id, body: translation.body(watched) }];
  const unreadParts = unread().filter(
    (path) => !ofProvider.some((item) => path === item || path.startsWith(`${item}.`)),
  );
  if (unreadParts.length > 0)
    throw new ReferenceError(`${type}.${unreadParts.join(', ')} is not carried over by infra/check/plan/arm`);
  return { resources: [...lastPart, ...parts], value: readable(type, id, args, translation) };
}

function readable(type: string, id: string, args: Arguments, { exports = {} }: Translation): Data {
  const lastPart = id.split('/').at(-1) ?? '';
  return new Lazy(id, (name) => {
    if (name === 'id') return type.startsWith('azuread_') ? `<${lastPart}:id>` : id;
    if (name === 'output') return azapiOutput(lastPart, args);
    const label = exports[name];
    if (name === 'identity')
      return [{ ...object(first(args['identity'])), principal_id: `<${lastPart}:principalId>` }];
    if (label !== undefined) return `<${lastPart}:${label}>`;
    const value = args[name];
    if (value === undefined) throw new ReferenceError(`${type} has no attribute ${name} that is known here`);
    return value;
  });
}

/** The exports of an azapi resource: the path is read step by step. */
function azapiOutput(lastPart: string, args: Arguments): Data {
  const exported = list(args['response_export_values']).map(textOf);
  const labels: Readonly<Record<string, string>> = { 'properties.defaultHostName': 'hostName' };
  const path = (steps: string): Data =>
    new Lazy(
      exported.includes(steps)
        ? `<${lastPart}:${labels[steps] ?? steps}>`
        : `<nothing: ${steps} is not exported>`,
      (next) => path(steps === '' ? next : `${steps}.${next}`),
    );
  return path('');
}
